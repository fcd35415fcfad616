package import MailModel

/// Reads `mailto:` addresses (RFC 6068).
package enum MailtoURL {
    /// The draft that a `mailto:` address asks for; `nil` for an address of another kind or one that is not well formed.
    ///
    /// Only recipients, subject and text are taken. A page must not add files or headers to what somebody sends, so all
    /// else is passed over, and `leftOut` tells of it. Signs that steer a terminal are left out.
    package static func content(_ address: String) -> DraftContent? {
        guard address.prefix(7).lowercased() == "mailto:" else { return nil }
        let rest = address.dropFirst(7).prefix { $0 != "#" }
        let halves = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var content = DraftContent()
        guard let to = addresses(halves.first ?? "") else { return nil }
        content.to = to
        for field in halves.count > 1 ? halves[1].split(separator: "&") : [] {
            let pair = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, let name = decoded(pair[0]), let value = decoded(pair[1]) else { return nil }
            add(value, to: name.lowercased(), of: &content)
        }
        return content
    }

    /// What a link asks for and does not get, the more important kind of two; `nil` for nothing, and for no such link.
    package static func leftOut(of address: String) -> LeftOut? {
        guard address.prefix(7).lowercased() == "mailto:" else { return nil }
        let fields = address.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
        let names = fields.split(separator: "&").map { (decoded($0.prefix { $0 != "=" }) ?? "").lowercased() }
        if names.contains(where: { $0.hasPrefix("attach") }) { return .files }
        return names.allSatisfy { taken.contains($0) } ? nil : .fields
    }

    /// A kind of what is not taken from a link.
    package enum LeftOut: String, Sendable, Hashable {
        case files, fields

        /// What the person reads.
        package var sentence: String {
            switch self {
            case .files: "The link names a file. Herald attaches none for a link; look whether you want to."
            case .fields: "The link sets more than recipients, subject and text; that was left out."
            }
        }
    }

    private static let taken: Set<String> = ["to", "cc", "bcc", "subject", "body"]

    private static func add(_ value: String, to name: String, of content: inout DraftContent) {
        let line = oneLine(value)
        switch name {
        case "to": content.to = joined(content.to, line)
        case "cc": content.cc = joined(content.cc, line)
        case "bcc": content.bcc = joined(content.bcc, line)
        case "subject": content.subject = line
        case "body":
            content.text = WebText.plainLines(value).unicodeScalars.filter(isText).reduce(into: "") {
                $0.unicodeScalars.append($1)
            }
        default: return
        }
    }

    private static func joined(_ some: String, _ more: String) -> String {
        [some, more].filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The addresses before the question mark: commas part them before anything is decoded.
    private static func addresses(_ text: Substring) -> String? {
        var all: [String] = []
        for part in text.split(separator: ",") {
            guard let address = decoded(part) else { return nil }
            all.append(oneLine(address))
        }
        return all.joined(separator: ", ")
    }

    private static func oneLine(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            out.append(isText(scalar) && scalar != "\n" && scalar != "\t" ? scalar : " ")
        }
        return WebText.trimmed(String(out))
    }

    private static func isText(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: true
        case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: false
        default: true
        }
    }

    /// A text without percent signs; `nil` for signs that stand for nothing, and for bytes that are no UTF-8.
    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
