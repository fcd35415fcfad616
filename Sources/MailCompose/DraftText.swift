package import MailModel

/// A draft as a text file: headers, an empty line, the text; what editors are given, and what `herald send` reads.
package struct DraftText: Sendable, Hashable {
    package var content: DraftContent
    /// Paths of files that lines with `Attach:` name, in their order.
    package var files: [String]

    /// The line that ends the text: what is below is for reading only.
    package static let contextMark = "-------- Below this line is what the server quotes. It is not sent. --------"

    package init(content: DraftContent, files: [String] = []) {
        self.content = content
        self.files = files
    }

    /// The file; `context` is shown below the text and not sent.
    package func file(context: String = "") -> String {
        var text = ""
        for (name, value) in [
            ("From", content.from), ("To", content.to), ("Cc", content.cc), ("Bcc", content.bcc),
            ("Subject", content.subject),
        ] {
            text += "\(name): \(DraftText.oneLine(value))\n"
        }
        for file in files { text += "Attach: \(file)\n" }
        text += "\n" + content.text
        if context.isEmpty { return text }
        if !text.hasSuffix("\n") { text += "\n" }
        return text + "\n" + DraftText.contextMark + "\n" + context + "\n"
    }

    /// What a file says; fields that it does not name keep what `former` has.
    ///
    /// Headers end with the first empty line. A file that begins with something else is text alone. Long headers may go on
    /// in lines that begin with blanks (RFC 5322 §2.2.3). `context` is what was shown below the text, `nil` where nobody
    /// knows: what a person wrote among it is refused, since it would not be sent.
    ///
    /// - Throws: `DraftTextFault` for a header that Herald does not send; nothing is dropped unsaid.
    package static func read(
        _ file: String, former: DraftContent = DraftContent(), context: String? = nil
    ) throws(DraftTextFault) -> DraftText {
        let lines = WebText.plainLines(file).split(separator: "\n", omittingEmptySubsequences: false)
        var draft = DraftText(content: former)
        var fields: [(name: String, value: String, line: Int)] = []
        var end = 0
        for (number, line) in lines.enumerated() {
            end = number + 1
            if line.isEmpty { break }
            if let first = line.first, first == " " || first == "\t", !fields.isEmpty {
                fields[fields.count - 1].value += " " + WebText.trimmed(String(line))
            } else if let field = header(line) {
                fields.append((field.name, field.value, number + 1))
            } else if fields.isEmpty {
                end = 0
                break
            } else {
                throw DraftTextFault(line: number + 1, name: nil)
            }
        }
        // Text that happens to begin like a header, such as an address of the web, is text.
        if let first = fields.first, !isKnown(first.name) {
            end = 0
            fields = []
        }
        for field in fields { try draft.set(field.name, field.value, line: field.line) }
        draft.content.text = text(lines[end...])
        if let context, let line = writtenBelowMark(lines, context: context) {
            throw DraftTextFault(line: line, name: nil, isBelowMark: true)
        }
        return draft
    }

    private static let names: Set<String> = ["from", "to", "cc", "bcc", "subject", "attach"]

    private static func isKnown(_ name: String) -> Bool { names.contains(name.lowercased()) }

    private mutating func set(_ name: String, _ value: String, line: Int) throws(DraftTextFault) {
        switch name.lowercased() {
        case "from":
            let from = AddressList(value).addresses.first ?? value
            if from.lowercased() != content.from.lowercased() {
                // Whose mailbox it is must be looked up again.
                content.mailbox = nil
                content.from = from
            }
        case "to": content.to = value
        case "cc": content.cc = value
        case "bcc": content.bcc = value
        case "subject": content.subject = value
        case "attach": if !value.isEmpty { files.append(value) }
        default: throw DraftTextFault(line: line, name: name)
        }
    }

    /// Name and value of a header's first line; `nil` for something else.
    private static func header(_ line: Substring) -> (name: String, value: String)? {
        guard let colon = line.firstIndex(of: ":") else { return nil }
        let name = line[..<colon]
        let isName = !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        return isName ? (String(name), WebText.trimmed(String(line[line.index(after: colon)...]))) : nil
    }

    /// The text without what is below the mark and the empty lines before it.
    private static func text(_ lines: ArraySlice<Substring>) -> String {
        guard let mark = lines.lastIndex(where: { WebText.trimmed(String($0)) == contextMark }) else {
            return lines.joined(separator: "\n")
        }
        var kept = lines[..<mark]
        while let last = kept.last, last.isEmpty { kept.removeLast() }
        return kept.joined(separator: "\n") + (kept.isEmpty ? "" : "\n")
    }

    /// The first line below the mark, from 1, that the context does not have; `nil` for none.
    ///
    /// Lines may be missing.
    private static func writtenBelowMark(_ lines: [Substring], context: String) -> Int? {
        guard let mark = lines.lastIndex(where: { WebText.trimmed(String($0)) == contextMark }) else { return nil }
        var shown = WebText.plainLines(context).split(separator: "\n").map { WebText.trimmed(String($0)) }[...]
        for number in lines.indices[(mark + 1)...] {
            let line = WebText.trimmed(String(lines[number]))
            if line.isEmpty { continue }
            guard let place = shown.firstIndex(of: line) else { return number + 1 }
            shown = shown[(place + 1)...]
        }
        return nil
    }

    private static func oneLine(_ value: String) -> String {
        WebText.plainLines(value).split(separator: "\n").joined(separator: " ")
    }
}

/// A line of a draft's file that cannot be taken.
package struct DraftTextFault: Error, Hashable, Sendable {
    /// The line, from 1.
    package var line: Int
    /// The header's name; `nil` for a line among the headers that is none.
    package var name: String?
    /// Whether it is no header, but text below the line under which nothing is sent.
    package var isBelowMark: Bool

    package init(line: Int, name: String?, isBelowMark: Bool = false) {
        self.line = line
        self.name = name
        self.isBelowMark = isBelowMark
    }

    /// What the person reads.
    package var message: String {
        if let name { return "Line \(line): the server takes no header “\(name)”. Remove it." }
        if isBelowMark {
            return "Line \(line) is below the line under which nothing is sent. Move it up, or remove that line."
        }
        return "Line \(line) is not a header. Put an empty line between headers and text."
    }
}
