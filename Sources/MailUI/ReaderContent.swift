internal import DisplayText
internal import MailModel
internal import TerminalUI

/// A piece of a reader line in one style.
struct StyledText: Sendable, Hashable {
    var text: String
    var style: Style = .plain
    /// The number of the link the text belongs to, among those of its message.
    var link: Int?
}

/// One laid-out line of the reader, and the message it belongs to.
struct ReaderLine: Sendable, Hashable {
    var pieces: [StyledText]
    var message: MessageID?
    /// The row of a picture that stands here in place of text.
    var picture: PictureRow?
    /// Whether the pieces are in the order in which they are drawn.
    var isOrdered = false
}

/// The laid-out part of a conversation, or a whole draft.
struct ReaderContent: Sendable, Hashable {
    var lines: [ReaderLine] = []
    /// The first line of each message.
    var starts: [MessageID: Int] = [:]
    /// The width the lines were laid out for.
    var columns = 0
    /// Which part of the conversation the lines are.
    var window = ReaderWindow()

    mutating func add(_ text: String, _ style: Style = .plain, message: MessageID? = nil) {
        lines.append(ReaderLine(pieces: [StyledText(text: text, style: style)], message: message))
    }

    /// A name and its value, continued under the value on as many lines as it needs.
    mutating func addField(_ name: String, _ value: String, columns: Int, message: MessageID? = nil) {
        guard !value.isEmpty else { return }
        let label = TextDisplay.padded(name + ":", columns: min(9, columns))
        for (index, part) in Formatting.wrapped(value, columns: columns - 9).enumerated() {
            let head = index == 0 ? label : String(repeating: " ", count: 9)
            lines.append(
                ReaderLine(
                    pieces: [StyledText(text: head, style: Style(bold: true)), StyledText(text: part)],
                    message: message))
        }
    }

    /// The message to act on when the window starts at a line: the preferred one while it can be seen.
    func message(visibleFrom top: Int, rows: Int, preferring preferred: MessageID?) -> MessageID? {
        let visible = lines.dropFirst(top).prefix(rows).compactMap(\.message)
        if let preferred, visible.contains(preferred) { return preferred }
        return visible.first ?? preferred
    }

    /// A line by the message it belongs to, which stays true when what is above it grows or all is laid out anew.
    struct Place: Sendable, Hashable {
        var message: MessageID
        /// How many lines below the message's first one.
        var offset: Int
        /// How many lines the message has.
        var lines: Int
    }

    /// Where a line is; `nil` above the first message.
    func place(of line: Int) -> Place? {
        guard lines.indices.contains(line), let message = lines[line].message, let start = starts[message] else {
            return nil
        }
        return Place(message: message, offset: line - start, lines: length(of: message, from: start))
    }

    /// The line of a place; where the width has changed, the one as far through the message.
    func line(at place: Place, isRewrapped: Bool) -> Int? {
        guard let start = starts[place.message] else { return nil }
        let length = max(1, length(of: place.message, from: start))
        let offset = isRewrapped ? place.offset * length / max(1, place.lines) : place.offset
        return start + min(length - 1, offset)
    }

    private func length(of message: MessageID, from start: Int) -> Int {
        lines[start...].prefix { $0.message == message }.count
    }

    /// A draft as the reader shows it.
    static func of(_ draft: Draft, columns: Int) -> ReaderContent {
        var content = ReaderContent()
        content.addField("Subject", MailDisplay.subject(draft.subject), columns: columns)
        content.addField("From", TextDisplay.sanitizedLine(draft.from), columns: columns)
        content.addField("To", MailDisplay.addresses(draft.to), columns: columns)
        content.addField("Cc", MailDisplay.addresses(draft.cc), columns: columns)
        content.addField("Bcc", MailDisplay.addresses(draft.bcc), columns: columns)
        content.add("Draft, not sent.", Style(dim: true))
        content.add("")
        for line in draft.text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            for part in Formatting.wrapped(TextDisplay.sanitizedLine(String(line)), columns: columns) {
                content.add(part)
            }
        }
        if !draft.attachments.isEmpty { content.add("") }
        for file in draft.attachments {
            let name = TextDisplay.sanitizedLine(file.filename)
            content.add("@ \(name) (\(Formatting.bytes(file.sizeBytes)))", Style(bold: true))
        }
        return content
    }
}
