internal import DisplayText
internal import MailModel
internal import MailText
internal import TerminalUI

/// What the screen takes from the mail's texts, always fit for a terminal.
enum MailDisplay {
    static func date(_ timestamp: Timestamp, now: Int64, zone: ZoneOffsets) -> String {
        TextDisplay.sanitizedLine(displayDate(timestamp, now: now, zone: zone))
    }

    static func shortDate(_ timestamp: Timestamp, now: Int64, zone: ZoneOffsets) -> String {
        TextDisplay.sanitizedLine(shortDisplayDate(timestamp, now: now, zone: zone))
    }

    static func moment(_ timestamp: Timestamp, zone: ZoneOffsets) -> String {
        TextDisplay.sanitizedLine(displayMoment(timestamp, zone: zone))
    }

    static func line(_ text: String) -> String { TextDisplay.sanitizedLine(text) }

    static func subject(_ text: String) -> String {
        let subject = TextDisplay.sanitizedLine(text)
        return subject.allSatisfy(\.isWhitespace) ? "(no subject)" : subject
    }

    static func addresses(_ list: [String]) -> String {
        TextDisplay.sanitizedLine(list.joined(separator: ", "))
    }

    /// The body a person reads: the text, or the HTML of mail that has no text; `nil` while neither is there.
    ///
    /// With `prefers` it is that one, where it says anything; with `form` it is that one.
    static func body(
        of message: ConversationMessage, columns: Int, showQuotes: Bool, form: BodyForm? = nil,
        prefers: BodyForm? = nil
    ) -> RenderedBody? {
        guard let detail = message.detail, !message.awaitsBody else { return nil }
        return renderBody(
            detail: detail.textBody, html: message.html, columns: columns, showQuotes: showQuotes, form: form,
            prefers: prefers)
    }

    /// How a piece of a body looks; what a colour says is said by signs or weight too.
    ///
    /// Blue is hard to read on black, yellow on white; of the palette only the middle is used.
    static func style(of role: TextRole) -> Style {
        var style = Style()
        let marks = role.marks
        if role.quoteLevel > 0 { style.foreground = role.quoteLevel.isMultiple(of: 2) ? .cyan : .magenta }
        if !marks.isDisjoint(with: [.warning, .removed]) { style.foreground = .red }
        if !marks.isDisjoint(with: [.approval, .added]) { style.foreground = .green }
        if marks.contains(.location) { style.foreground = .cyan }
        style.underline = role.link != nil || marks.contains(.underlined)
        style.bold = !marks.isDisjoint(with: [.strong, .heading, .warning, .approval])
        style.italic = marks.contains(.emphasis)
        style.dim = !marks.isDisjoint(with: [.dim, .signature, .deleted])
        style.reverse = marks.contains(.highlighted)
        if marks.contains(.alert) { (style.foreground, style.bold, style.underline) = (.red, true, false) }
        return style
    }
}
