/// One link of a `Link` header field (RFC 8288 §3).
package struct LinkValue: Sendable, Hashable {
    /// The address between the angle brackets, as sent.
    package var target: String
    /// The relation types, in lower case.
    package var relations: [String]

    package init(target: String, relations: [String]) {
        self.target = target
        self.relations = relations
    }

    /// Whether the link has this relation type.
    package func hasRelation(_ name: String) -> Bool { relations.contains(name.asciiLowercased) }

    /// Reads every link of one field value; what cannot be read is skipped.
    package static func parse(_ value: String) -> [LinkValue] {
        var reader = LinkReader(bytes: Array(value.utf8))
        var links: [LinkValue] = []
        while let link = reader.nextLink() { links.append(link) }
        return links
    }
}

/// Reads links out of a field value, byte by byte; every step moves forward.
private struct LinkReader {
    let bytes: [UInt8]
    var position = 0

    var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func nextLink() -> LinkValue? {
        skip { $0 != UInt8(ascii: "<") }
        guard current != nil else { return nil }
        position += 1
        let start = position
        skip { $0 != UInt8(ascii: ">") }
        guard current != nil else { return nil }
        let target = text(from: start)
        position += 1
        return LinkValue(target: target, relations: readRelations())
    }

    /// Reads the parameters up to the comma that ends the link; only the first `rel` counts.
    private mutating func readRelations() -> [String] {
        var relations: [String]?
        while let byte = current, byte != UInt8(ascii: ",") {
            guard byte == UInt8(ascii: ";") else {
                skipStray(byte)
                continue
            }
            position += 1
            let (name, value) = readParameter()
            if name == "rel", relations == nil {
                relations = value.asciiLowercased.split { $0 == " " || $0 == "\t" }.map(String.init)
            }
        }
        return relations ?? []
    }

    private mutating func skipStray(_ byte: UInt8) {
        if byte == UInt8(ascii: "\"") { _ = readQuoted() } else { position += 1 }
    }

    private mutating func readParameter() -> (name: String, value: String) {
        skip(Self.isSpace)
        let start = position
        skip(HTTPHeader.isTokenByte)
        let name = text(from: start).asciiLowercased
        skip(Self.isSpace)
        guard current == UInt8(ascii: "=") else { return (name, "") }
        position += 1
        skip(Self.isSpace)
        if current == UInt8(ascii: "\"") { return (name, readQuoted()) }
        let valueStart = position
        skip { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") && !Self.isSpace($0) }
        return (name, text(from: valueStart))
    }

    /// Reads a quoted string from its opening quote; one that never closes runs to the end.
    private mutating func readQuoted() -> String {
        var value: [UInt8] = []
        position += 1
        while let byte = current, byte != UInt8(ascii: "\"") {
            position += 1
            if byte == UInt8(ascii: "\\"), let escaped = current {
                value.append(escaped)
                position += 1
            } else {
                value.append(byte)
            }
        }
        if current != nil { position += 1 }
        return String(decoding: value, as: UTF8.self)
    }

    private mutating func skip(_ matches: (UInt8) -> Bool) {
        while let byte = current, matches(byte) { position += 1 }
    }

    private func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
