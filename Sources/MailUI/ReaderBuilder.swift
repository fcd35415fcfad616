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
        for message in state.messages {
            let id = message.summary.id
            content.starts[id] = content.lines.count
            if state.folded.contains(id) {
                addFolded(message, to: &content)
            } else {
                addUnfolded(message, in: &state, to: &content)
            }
        }
        return content
    }

    private func date(_ summary: MessageSummary) -> String {
        MailDisplay.date(summary.activityAt, now: now, utcOffsetSeconds: utcOffsetSeconds)
    }

    private func marks(_ summary: MessageSummary) -> String {
        (summary.isUnread ? "●" : "") + (summary.starredAt == nil ? "" : "★")
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
        _ message: ConversationMessage, in state: inout ReaderState, to content: inout ReaderContent
    ) {
        let summary = message.summary
        let id = summary.id
        let from = TextDisplay.sanitizedLine(summary.fromAddress)
        let title = TextDisplay.truncated("▾ \(marks(summary))\(from)", columns: columns)
        let rule = max(0, columns - TextDisplay.width(of: title) - 1)
        content.lines.append(
            ReaderLine(
                pieces: [
                    StyledText(text: title, style: Style(bold: true)),
                    StyledText(text: " " + String(repeating: "─", count: rule), style: Style(dim: true)),
                ], message: id))
        addHeaders(message, to: &content)
        content.add("", message: id)
        addBody(message, in: &state, to: &content)
        content.add("", message: id)
    }

    private func addHeaders(_ message: ConversationMessage, to content: inout ReaderContent) {
        let summary = message.summary
        func add(_ name: String, _ value: String) {
            content.addField(name, value, columns: columns, message: summary.id)
        }
        add("From", TextDisplay.sanitizedLine(summary.fromAddress))
        add("To", MailDisplay.addresses(summary.to))
        add("Cc", MailDisplay.addresses(message.detail?.cc ?? []))
        add("Bcc", MailDisplay.addresses(message.detail?.bcc ?? []))
        add("Date", date(summary))
        add("Subject", MailDisplay.subject(summary.subject))
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
        guard !body.links.isEmpty else { return }
        content.add("", message: message)
        for link in body.links {
            let text = "[\(link.number)] " + TextDisplay.sanitizedLine(link.url)
            for line in Formatting.wrapped(text, columns: columns) {
                content.add(line, Style(foreground: .blue), message: message)
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
