internal import DisplayText
internal import MailModel
internal import MailText
internal import TerminalUI

/// Lays a conversation out for one width.
struct ReaderBuilder {
    var columns: Int
    var now: Int64
    var zone: ZoneOffsets
    /// Whether text that runs from right to left is put in the order in which it is drawn.
    var ordersText = true
    /// Whether pictures are drawn, and into how many rows at most.
    var showsPictures = false
    var pictureRows = 12
    /// The form that is shown of mail that has two; `nil` for the one that says more.
    var preferredForm: BodyForm?
    /// The keys that sentences name; none where no keys are pressed.
    var keyNames: [ActionID: String] = [:]

    /// The conversation's subject and how many messages it has.
    func addTitle(of state: ReaderState, to content: inout ReaderContent) {
        guard let first = state.messages.first else { return }
        let count = state.messages.count
        let subject = MailDisplay.subject(first.summary.subject) + (count > 1 ? " (\(Formatting.grouped(count)))" : "")
        for line in Formatting.wrapped(subject, columns: columns) { content.add(line, Style(bold: true)) }
        content.add("")
    }

    func date(_ summary: MessageSummary) -> String {
        MailDisplay.date(summary.activityAt, now: now, zone: zone)
    }

    private func marks(_ summary: MessageSummary) -> String {
        let marks =
            (summary.isUnread ? "●" : "") + (summary.starredAt == nil ? "" : "★") + (summary.hasAttachments ? "@" : "")
        return marks.isEmpty ? "" : marks + " "
    }

    /// A subject without what replies put before it, in small letters: to tell whether two are the same.
    static func withoutReplyMarks(_ subject: String) -> String {
        var rest = subject.lowercased()[...].drop(while: \.isWhitespace)
        while let mark = ["re:", "aw:", "sv:", "antw:"].first(where: { rest.hasPrefix($0) }) {
            rest = rest.dropFirst(mark.count).drop(while: \.isWhitespace)
        }
        return String(rest)
    }

    func addFolded(_ message: ConversationMessage, level: Int, to content: inout ReaderContent) {
        let summary = message.summary
        let when = date(summary)
        let from = TextDisplay.sanitizedLine(summary.fromAddress)
        let snippet = TextDisplay.sanitizedLine(summary.snippet)
        let text = indent(level) + "▸ \(marks(summary))\(from)  \(snippet)"
        let room = max(0, columns - TextDisplay.width(of: when) - 1)
        content.lines.append(
            ReaderLine(
                pieces: [
                    StyledText(text: TextDisplay.padded(text, columns: room), style: Style(bold: summary.isUnread)),
                    StyledText(text: " " + when, style: Style(dim: true)),
                ], message: summary.id))
    }

    func addUnfolded(
        _ message: ConversationMessage, _ key: ReaderSegment.Key, in state: inout ReaderState,
        to content: inout ReaderContent
    ) {
        let summary = message.summary
        let id = summary.id
        let from = TextDisplay.sanitizedLine(summary.fromAddress)
        let whole = indent(key.level) + "▾ \(marks(summary))\(from)"
        let title = TextDisplay.truncated(whole, columns: columns)
        let when = MailDisplay.moment(summary.activityAt, zone: zone)
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
        if title != whole || key.showHeaders { content.addField("From", from, columns: columns, message: id) }
        addRecipients(message, to: &content)
        if !isDated || key.showHeaders { content.addField("Date", when, columns: columns, message: id) }
        if key.isRenamed || key.showHeaders {
            content.addField("Subject", MailDisplay.subject(summary.subject), columns: columns, message: id)
        }
        let images = remoteImagesText(message, laidOut(message, in: &state), state)
        content.addField("Images", images ?? "", columns: columns, message: id)
        if key.showHeaders { addMoreHeaders(message, to: &content) }
        content.add("", message: id)
        addBody(message, in: &state, to: &content)
        content.add("", message: id)
    }

    /// The rest of what the server tells of a message.
    private func addMoreHeaders(_ message: ConversationMessage, to content: inout ReaderContent) {
        let summary = message.summary
        func add(_ name: String, _ value: String?) {
            content.addField(name, TextDisplay.sanitizedLine(value ?? ""), columns: columns, message: summary.id)
        }
        func add(_ name: String, _ moment: Timestamp?) {
            guard let moment, moment != summary.activityAt else { return }
            add(name, MailDisplay.moment(moment, zone: zone))
        }
        add("Sent", summary.sentAt)
        add("Stored", summary.createdAt)
        add("Read", summary.readAt)
        add("Folder", Folder(rawValue: summary.folder)?.title ?? summary.folder)
        add("For", message.detail?.deliveredToAddress)
        add("ID", message.detail?.internetMessageID)
        add("Reply to", message.detail?.inReplyTo)
        add("Thread", message.detail?.references.joined(separator: " "))
    }

    /// Sets a branch of the conversation in, where there is room for it.
    private func indent(_ level: Int) -> String {
        String(repeating: " ", count: max(0, min(level * 2, columns / 8)))
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
            addSnippet(message.summary, to: &content)
            return
        }
        if body.lines.isEmpty { content.add("(no text)", Style(dim: true), message: id) }
        for line in body.lines {
            let runs = ordersText ? line.visualRuns(columns: columns) : line.runs
            let pieces = runs.map {
                StyledText(text: $0.text, style: MailDisplay.style(of: $0.role), link: $0.role.link)
            }
            content.lines.append(ReaderLine(pieces: pieces, message: id, isOrdered: ordersText))
            addPictures(of: line, body, message, state, to: &content)
        }
        addLinks(body, message: id, to: &content)
        addAttachments(body, message, state, to: &content)
    }

    /// The beginning of a text that is not here, and that it is no more than that.
    private func addSnippet(_ summary: MessageSummary, to content: inout ReaderContent) {
        let snippet = TextDisplay.sanitizedLine(summary.snippet)
        guard !snippet.allSatisfy(\.isWhitespace) else { return }
        content.add("", message: summary.id)
        content.add("It begins:", Style(dim: true), message: summary.id)
        for line in Formatting.wrapped(snippet + " …", columns: columns) { content.add(line, message: summary.id) }
    }

    private func laidOut(_ message: ConversationMessage, in state: inout ReaderState) -> RenderedBody? {
        let key = ReaderState.BodyKey(message: message.summary.id, columns: columns, showQuotes: state.showQuotes)
        if let known = state.bodies[key] { return known }
        var shown = message
        shown.html = state.html(of: message)
        let body = MailDisplay.body(
            of: shown, columns: columns, showQuotes: state.showQuotes, form: state.forms[message.summary.id],
            prefers: preferredForm)
        if let body { state.bodies[key] = body }
        return body
    }

    private func addLinks(_ body: RenderedBody, message: MessageID, to content: inout ReaderContent) {
        let links = body.hiddenLinks
        guard !links.isEmpty else { return }
        content.add("", message: message)
        for link in links {
            let number = "[\(link.number)] "
            let room = columns - TextDisplay.width(of: number) - (link.warnings.isEmpty ? 0 : 2)
            for (index, part) in shortened(link, columns: room).enumerated() {
                let head = index == 0 ? number : String(repeating: " ", count: number.count)
                var pieces = [StyledText(text: head + part, style: Style(underline: true), link: link.number)]
                if index == 0, !link.warnings.isEmpty { pieces.insert(ReaderBuilder.warningSign, at: 0) }
                content.lines.append(ReaderLine(pieces: pieces, message: message))
            }
        }
    }

    /// An address on two lines at most; of a longer one the beginning, since the panel of links shows the whole.
    private func shortened(_ link: LinkTarget, columns: Int) -> [String] {
        let address = TextDisplay.sanitizedLine(link.url)
        let lines = Formatting.wrapped(address, columns: columns)
        return lines.count > 2 ? [TextDisplay.truncated(address, columns: columns)] : lines
    }

    /// Stands before a link that is not what it seems.
    private static let warningSign = StyledText(text: "⚠ ", style: Style(foreground: .red, bold: true))

    private func addAttachments(
        _ body: RenderedBody, _ message: ConversationMessage, _ state: ReaderState, to content: inout ReaderContent
    ) {
        let id = message.summary.id
        guard let files = message.detail?.attachments, !files.isEmpty else { return }
        content.add("", message: id)
        content.add("Attachments:", Style(bold: true), message: id)
        for (index, file) in files.enumerated() {
            let name = TextDisplay.sanitizedLine(file.filename)
            let kind = TextDisplay.sanitizedLine(file.contentType)
            let size = Formatting.bytes(file.sizeBytes)
            let text = "\(index + 1). \(name.isEmpty ? "(no name)" : name) (\(kind), \(size))"
            for line in Formatting.wrapped(text, columns: columns) { content.add(line, message: id) }
            addPicture(of: file, at: index, body, message, state, to: &content)
        }
    }
}
