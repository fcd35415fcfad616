internal import MailModel
internal import TerminalUI

/// The stretch of a conversation that is laid out: enough around what is shown to scroll, never the whole.
///
/// A thread of hundreds of messages opens at once because of it. Messages once laid out are kept with the reader.
struct ReaderWindow: Sendable, Hashable {
    /// Which messages the lines show, by their index.
    var messages = 0..<0
    /// Whether the lines begin with the first line of the conversation, and end with the last.
    var isAtStart = true
    var isAtEnd = true

    /// What the lines are made from: as long as it stays the same, so do they.
    fileprivate(set) var parts: [ReaderSegment.Key] = []
}

/// One message as lines, and what they were made from.
struct ReaderSegment: Sendable, Hashable {
    /// Everything that the lines of one message depend on.
    struct Key: Sendable, Hashable {
        var message: MessageID
        /// Grows with each change of the message.
        var revision: Int
        var columns: Int
        /// Whether text that runs from right to left is put in the order in which it is drawn.
        var ordersText: Bool
        var isFolded: Bool
        var showQuotes: Bool
        var showHeaders: Bool
        /// Whether its subject is another than the conversation's.
        var isRenamed: Bool
        /// How far its branch of the conversation is set in.
        var level: Int
        /// The date as lists show it, which changes with the day.
        var date: String
        /// The most rows of a picture; `nil` when none is drawn.
        var pictureRows: Int?
        /// Why its text is not there.
        var failure: String?
    }

    var key: Key
    var lines: [ReaderLine]
}

extension ReaderBuilder {
    /// The lines around a message, and at least `margin` more before and after it where there are as many.
    ///
    /// What is laid out for the first time is kept in `state`.
    func content(of state: inout ReaderState, around message: MessageID?, margin: Int) -> ReaderContent {
        guard !state.messages.isEmpty else { return emptyContent(state) }
        let title = ReaderBuilder.withoutReplyMarks(state.messages[0].summary.subject)
        let last = state.messages.count - 1
        let centre = message.flatMap { state.index[$0] } ?? min(state.content.window.messages.lowerBound, last)
        var window = ReaderWindow(messages: centre..<centre + 1)
        var segments = [segment(centre, title: title, in: &state)]
        var before = 0
        while window.messages.lowerBound > 0, before < margin {
            let index = window.messages.lowerBound - 1
            segments.append(segment(index, title: title, in: &state))
            before += segments.last?.lines.count ?? 0
            window.messages = index..<window.messages.upperBound
        }
        segments.reverse()
        var after = 0
        while window.messages.upperBound <= last, after < margin {
            let index = window.messages.upperBound
            segments.append(segment(index, title: title, in: &state))
            after += segments.last?.lines.count ?? 0
            window.messages = window.messages.lowerBound..<index + 1
        }
        window.isAtStart = window.messages.lowerBound == 0
        window.isAtEnd = window.messages.upperBound == last + 1
        window.parts = segments.map(\.key)
        if window == state.content.window, columns == state.content.columns { return state.content }
        return content(of: segments, window, state)
    }

    private func content(of segments: [ReaderSegment], _ window: ReaderWindow, _ state: ReaderState) -> ReaderContent {
        var content = ReaderContent()
        content.window = window
        content.columns = columns
        if window.isAtStart { addTitle(of: state, to: &content) }
        for segment in segments {
            content.starts[segment.key.message] = content.lines.count
            content.lines += segment.lines
        }
        return content
    }

    private func emptyContent(_ state: ReaderState) -> ReaderContent {
        var content = ReaderContent()
        content.columns = columns
        content.add(state.isLoaded ? "This conversation is no longer there." : "Loading…", Style(dim: true))
        return content
    }

    private func segment(_ index: Int, title: String, in state: inout ReaderState) -> ReaderSegment {
        let message = state.messages[index]
        let id = message.summary.id
        let isFolded = state.folded.contains(id)
        let isRenamed = !isFolded && ReaderBuilder.withoutReplyMarks(message.summary.subject) != title
        let key = ReaderSegment.Key(
            message: id, revision: state.revisions[id] ?? 0, columns: columns,
            ordersText: ordersText, isFolded: isFolded,
            showQuotes: state.showQuotes, showHeaders: state.showHeaders, isRenamed: isRenamed,
            level: state.levels[id] ?? 0, date: date(message.summary),
            pictureRows: showsPictures ? pictureRows : nil,
            failure: message.detail == nil ? state.failures[id] ?? state.threadFailure : nil)
        if let known = state.segments[id], known.key == key { return known }
        var content = ReaderContent()
        if isFolded {
            addFolded(message, level: key.level, to: &content)
        } else {
            addUnfolded(message, key, in: &state, to: &content)
        }
        let made = ReaderSegment(key: key, lines: content.lines)
        state.segments[id] = made
        return made
    }
}

extension AppState {
    /// How many messages of the open conversation have been laid out so far.
    package var laidOutMessages: Int { reader?.segments.count ?? 0 }
}
