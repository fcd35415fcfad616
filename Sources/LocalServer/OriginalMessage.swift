internal import SQLite

/// A message that is answered or forwarded.
struct OriginalMessage: Sendable {
    var id = ""
    var thread = ""
    var from = ""
    var to: [String] = []
    var cc: [String] = []
    var subject = ""
    /// Its Message-ID; absent when the mail had none.
    var header: String?
    var references: [String] = []
    /// The instant it is listed under.
    var activityAt = ""
    /// Its plain text, or its snippet when there is none.
    var text = ""
    var html: String?

    /// The subject of an answer.
    var replySubject: String { subject.lowercased().hasPrefix("re:") ? subject : "Re: " + subject }

    /// The subject of a forwarded copy.
    var forwardSubject: String {
        let lower = subject.lowercased()
        let mark = ["fwd:", "fw:"].first { lower.hasPrefix($0) }
        return "Fwd: " + (mark.map { String(subject.dropFirst($0.count)).webTrimmed } ?? subject)
    }

    /// The line that leads a quote.
    var attribution: String {
        let day = activityAt.prefix(10)
        let time = activityAt.dropFirst(11).prefix(5)
        return "On \(day) at \(time) UTC, \(from) wrote:"
    }

    /// The text with line feeds only: a carriage return with its line feed would be one character.
    private static func plainLines(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where scalar != "\r" { out.append(scalar) }
        return String(out)
    }

    /// What the person wrote with the original quoted below it.
    func quoted(below written: String) -> String {
        var source = OriginalMessage.plainLines(text).webTrimmed
        if source.utf16.count > SendRequest.textMax {
            source = String(decoding: Array(source.utf16.prefix(SendRequest.textMax)), as: UTF16.self)
            source += "\n[Quoted message truncated]"
        }
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        return written + "\n\n" + attribution + "\n"
            + lines.map { $0.isEmpty ? ">" : "> " + $0 }.joined(separator: "\n")
    }

    /// The same for HTML, around a quote that is safe already.
    func quoted(below written: String, _ quote: String) -> String {
        written + "<div class=\"gmail_quote gmail_quote_container\"><div dir=\"ltr\" class=\"gmail_attr\"><br>"
            + OriginalMessage.escaped(attribution) + "<br></div><blockquote class=\"gmail_quote\""
            + " style=\"margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex\">" + quote
            + "</blockquote></div>"
    }

    /// The original as a forwarded block of text.
    private var block: String {
        var lines = [
            "---------- Forwarded message ---------", "From: " + from, "Date: " + TimeText.webDate(activityAt),
            "Subject: " + subject, "To: " + to.joined(separator: ", "),
        ]
        if !cc.isEmpty { lines.append("Cc: " + cc.joined(separator: ", ")) }
        return lines.joined(separator: "\n") + "\n\n" + OriginalMessage.plainLines(text)
    }

    /// A note with the original below it.
    func forwarded(below note: String) -> String { note.isEmpty ? block : note + "\n\n" + block }

    /// The same as HTML; the original's own HTML is never forwarded.
    func forwardedHTML(below html: String?, text note: String) -> String {
        let lead = html ?? (note.isEmpty ? "" : "<p>" + OriginalMessage.escaped(note) + "</p>")
        return lead + "<blockquote>" + OriginalMessage.escaped(block) + "</blockquote>"
    }

    /// Text as HTML, a line a line.
    static func escaped(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out.append(contentsOf: "&amp;".unicodeScalars)
            case "<": out.append(contentsOf: "&lt;".unicodeScalars)
            case ">": out.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": out.append(contentsOf: "&quot;".unicodeScalars)
            case "'": out.append(contentsOf: "&#39;".unicodeScalars)
            case "\r": continue
            case "\n": out.append(contentsOf: "<br>".unicodeScalars)
            default: out.append(scalar)
            }
        }
        return String(out)
    }
}

extension Store {
    /// The message with this id as one to be answered or forwarded.
    ///
    /// - Throws: `SQLiteError`.
    func originalMessage(_ id: String) throws(SQLiteError) -> OriginalMessage? {
        let statement = try database.statement(
            """
            SELECT m.id, m.threadId, m.fromAddress, m.toJSON, m.ccJSON, m.subject, m.messageIdHeader, m.referencesJSON,
            m.activityAt, m.snippet, b.textBody, b.htmlSource
            FROM messages m LEFT JOIN bodies b ON b.messageId = m.id WHERE m.id = ?
            """)
        defer { statement.reset() }
        statement.bind(1, id)
        guard try statement.step() else { return nil }
        var original = OriginalMessage()
        original.id = statement.text(0)
        original.thread = statement.text(1)
        original.from = statement.text(2)
        original.to = JSONText.strings(statement.text(3))
        original.cc = JSONText.strings(statement.text(4))
        original.subject = statement.text(5)
        original.header = statement.optionalText(6)
        original.references = JSONText.strings(statement.text(7))
        original.activityAt = statement.text(8)
        let body = statement.text(10)
        original.text = body.isEmpty ? statement.text(9) : body
        original.html = statement.optionalText(11)
        return original
    }
}
