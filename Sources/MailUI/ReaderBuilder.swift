internal import DisplayText
internal import MailModel
internal import MailText
internal import TerminalUI

/// Lays a conversation out for one width.
struct ReaderBuilder {
    var columns: Int
    var now: Int64
    var utcOffsetSeconds: Int

    /// The lines of the conversation; bodies laid out for the first time are kept in `state`.
    func content(of state: inout ReaderState) -> ReaderContent {
        var content = ReaderContent()
        guard let first = state.messages.first else {
            content.add(state.isLoaded ? "This conversation is no longer there." : "Loading…", Style(dim: true))
            return content
        }
        let count = state.messages.count
        let subject = MailDisplay.subject(first.summary.subject) + (count > 1 ? " (\(count))" : "")
        for line in Formatting.wrapped(subject, columns: columns) { content.add(line, Style(bold: true)) }
        content.add("")
        let title = ReaderBuilder.withoutReplyMarks(first.summary.subject)
        for message in state.messages {
            let id = message.summary.id
            content.starts[id] = content.lines.count
            if state.folded.contains(id) {
                addFolded(message, to: &content)
            } else {
                let isRenamed = ReaderBuilder.withoutReplyMarks(message.summary.subject) != title
                addUnfolded(message, isRenamed: isRenamed, in: &state, to: &content)
            }
        }
        return content
    }

    private func date(_ summary: MessageSummary) -> String {
        MailDisplay.date(summary.activityAt, now: now, utcOffsetSeconds: utcOffsetSeconds)
    }

    private func marks(_ summary: MessageSummary) -> String {
        let marks = (summary.isUnread ? "●" : "") + (summary.starredAt == nil ? "" : "★")
        return marks.isEmpty ? "" : marks + " "
    }

    /// A subject without what replies put before it, in small letters: to tell whether two are the same.
    private static func withoutReplyMarks(_ subject: String) -> String {
        var rest = subject.lowercased()[...].drop(while: \.isWhitespace)
        while let mark = ["re:", "aw:", "sv:", "antw:"].first(where: { rest.hasPrefix($0) }) {
            rest = rest.dropFirst(mark.count).drop(while: \.isWhitespace)
        }
        return String(rest)
    }

    private func addFolded(_ message: ConversationMessage, to content: inout ReaderContent) {
        let summary = message.summary
        let when = date(summary)
        let from = TextDisplay.sanitizedLine(summary.fromAddress)
        let snippet = TextDisplay.sanitizedLine(summary.snippet)
        let text = "▸ \(marks(summary))\(from)  \(snippet)"
        let room = max(0, columns - TextDisplay.width(of: when) - 1)
        content.lines.append(
            ReaderLine(
                pieces: [
                    StyledText(text: TextDisplay.padded(text, columns: room), style: Style(bold: summary.isUnread)),
                    StyledText(text: " " + when, style: Style(dim: true)),
                ], message: summary.id))
    }

    private func addUnfolded(
        _ message: ConversationMessage, isRenamed: Bool, in state: inout ReaderState, to content: inout ReaderContent
    ) {
        let summary = message.summary
        let id = summary.id
        let from = TextDisplay.sanitizedLine(summary.fromAddress)
        let whole = "▾ \(marks(summary))\(from)"
        let title = TextDisplay.truncated(whole, columns: columns)
        let when = MailDisplay.moment(summary.activityAt, utcOffsetSeconds: utcOffsetSeconds)
        let free = columns - TextDisplay.width(of: title)
        let isDated = free >= TextDisplay.width(of: when) + 4
        let rule = max(0, free - (isDated ? TextDisplay.width(of: when) + 2 : 1))
        content.lines.append(
            ReaderLine(
                pieces: [
                    StyledText(text: title, style: Style(bold: true)),
                    StyledText(text: " " + String(repeating: "─", count: rule), style: Style(dim: true)),
                    StyledText(text: isDated ? " " + when : ""),
                ], message: id))
        if title != whole { content.addField("From", from, columns: columns, message: id) }
        addRecipients(message, to: &content)
        if !isDated { content.addField("Date", when, columns: columns, message: id) }
        if isRenamed {
            content.addField("Subject", MailDisplay.subject(summary.subject), columns: columns, message: id)
        }
        content.add("", message: id)
        addBody(message, in: &state, to: &content)
        content.add("", message: id)
    }

    private func addRecipients(_ message: ConversationMessage, to content: inout ReaderContent) {
        let summary = message.summary
        func add(_ name: String, _ value: String) {
            content.addField(name, value, columns: columns, message: summary.id)
        }
        add("To", MailDisplay.addresses(summary.to))
        add("Cc", MailDisplay.addresses(message.detail?.cc ?? []))
        add("Bcc", MailDisplay.addresses(message.detail?.bcc ?? []))
    }

    private func addBody(
        _ message: ConversationMessage, in state: inout ReaderState, to content: inout ReaderContent
    ) {
        let id = message.summary.id
        guard let body = laidOut(message, in: &state) else {
            let failure = state.failures[id] ?? state.threadFailure
            let sentence = failure.map { TextDisplay.sanitizedLine($0) } ?? "Loading…"
            for line in Formatting.wrapped(sentence, columns: columns) {
                content.add(line, failure == nil ? Style(dim: true) : Style(foreground: .red), message: id)
            }
            for line in Formatting.wrapped(TextDisplay.sanitizedLine(message.summary.snippet), columns: columns) {
                content.add(line, Style(dim: true), message: id)
            }
            return
        }
        if body.lines.isEmpty { content.add("(no text)", Style(dim: true), message: id) }
        for line in body.lines {
            let pieces = line.runs.map { StyledText(text: $0.text, style: MailDisplay.style(of: $0.role)) }
            content.lines.append(ReaderLine(pieces: pieces, message: id))
        }
        addLinks(body, message: id, to: &content)
        addAttachments(message.detail?.attachments ?? [], message: id, to: &content)
    }

    private func laidOut(_ message: ConversationMessage, in state: inout ReaderState) -> RenderedBody? {
        let key = ReaderState.BodyKey(message: message.summary.id, columns: columns, showQuotes: state.showQuotes)
        if let known = state.bodies[key] { return known }
        let body = MailDisplay.body(of: message, columns: columns, showQuotes: state.showQuotes)
        if let body { state.bodies[key] = body }
        return body
    }

    private func addLinks(_ body: RenderedBody, message: MessageID, to content: inout ReaderContent) {
        let links = body.hiddenLinks
        guard !links.isEmpty else { return }
        content.add("", message: message)
        for link in links {
            let number = "[\(link.number)] "
            let room = columns - TextDisplay.width(of: number)
            for (index, part) in Formatting.wrapped(TextDisplay.sanitizedLine(link.url), columns: room).enumerated() {
                let head = index == 0 ? number : String(repeating: " ", count: number.count)
                content.add(head + part, Style(underline: true), message: message)
            }
        }
    }

    private func addAttachments(_ files: [Attachment], message: MessageID, to content: inout ReaderContent) {
        guard !files.isEmpty else { return }
        content.add("", message: message)
        content.add("Attachments:", Style(bold: true), message: message)
        for (index, file) in files.enumerated() {
            let name = TextDisplay.sanitizedLine(file.filename)
            let kind = TextDisplay.sanitizedLine(file.contentType)
            let size = Formatting.bytes(file.sizeBytes)
            let text = "\(index + 1). \(name.isEmpty ? "(no name)" : name) (\(kind), \(size))"
            for line in Formatting.wrapped(text, columns: columns) { content.add(line, message: message) }
        }
    }
}
