/// A field of addresses as somebody types it: names, comments and brackets are understood, half an address is kept.
///
/// Parts are separated by commas, semicolons and line ends outside of quotes, brackets and comments (RFC 5322 §3.4, of
/// which routes and groups are not taken). The server takes bare addresses only, so names are for the person.
package struct AddressList: Sendable, Hashable {
    /// One part of the field.
    package struct Part: Sendable, Hashable {
        /// What was typed, without blanks around it.
        package var text: String
        /// Where it stands in the field, in bytes of UTF-8, without blanks around it.
        package var range: Range<Int>
        /// The name before the address, without its quotes; empty for none.
        package var name: String
        /// The bare address; `nil` while it is not a whole one.
        package var address: String?
    }

    /// The parts that are not empty, in their order.
    package let parts: [Part]

    /// Reads a field; every text has a reading.
    package init(_ field: String) {
        let bytes = Array(field.utf8)
        parts = AddressList.split(bytes).compactMap { range in
            let trimmed = AddressList.trimmed(range, bytes)
            if trimmed.isEmpty { return nil }
            let text = String(decoding: bytes[trimmed], as: UTF8.self)
            let (name, address) = AddressList.read(text)
            return Part(text: text, range: trimmed, name: name, address: EmailAddress.isValid(address) ? address : nil)
        }
    }

    /// The whole addresses, each once whatever its case, in their order.
    package var addresses: [String] {
        var seen: Set<String> = []
        return parts.compactMap(\.address).filter { seen.insert($0.lowercased()).inserted }
    }

    /// What was typed and is not a whole address.
    package var incomplete: [String] { parts.filter { $0.address == nil }.map(\.text) }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func trimmed(_ range: Range<Int>, _ bytes: [UInt8]) -> Range<Int> {
        var (first, end) = (range.lowerBound, range.upperBound)
        while first < end, isBlank(bytes[first]) { first += 1 }
        while end > first, isBlank(bytes[end - 1]) { end -= 1 }
        return first..<end
    }

    /// The parts between separators.
    private static func split(_ bytes: [UInt8]) -> [Range<Int>] {
        var (ranges, start) = ([Range<Int>](), 0)
        var nesting = Nesting()
        for (place, byte) in bytes.enumerated() where nesting.isOutside(after: byte) {
            guard byte == 0x2C || byte == 0x3B || byte == 0x0A || byte == 0x0D else { continue }
            ranges.append(start..<place)
            start = place + 1
        }
        ranges.append(start..<bytes.count)
        return ranges
    }

    /// Name and address of a part: `Name <address>`, `address (name)` or `address`.
    private static func read(_ text: String) -> (name: String, address: String) {
        if text.hasSuffix(">"), let bracket = text.lastIndex(of: "<") {
            let address = text[text.index(after: bracket)...].dropLast()
            return (unquoted(text[..<bracket]), trimmed(address))
        }
        if text.hasSuffix(")"), let comment = text.firstIndex(of: "(") {
            return (trimmed(text[text.index(after: comment)...].dropLast()), trimmed(text[..<comment]))
        }
        return ("", text)
    }

    private static func trimmed(_ text: Substring) -> String {
        let bytes = Array(text.utf8)
        return String(decoding: bytes[trimmed(0..<bytes.count, bytes)], as: UTF8.self)
    }

    /// A name without its quotes and the strokes inside.
    private static func unquoted(_ text: Substring) -> String {
        let name = trimmed(text)
        guard name.utf8.count >= 2, name.hasPrefix("\""), name.hasSuffix("\"") else { return name }
        var (plain, isEscaped) = ("", false)
        for scalar in name.dropFirst().dropLast().unicodeScalars {
            if scalar == "\\", !isEscaped {
                isEscaped = true
                continue
            }
            plain.unicodeScalars.append(scalar)
            isEscaped = false
        }
        return plain
    }
}

/// Whether a byte of a field stands outside of quotes, brackets and comments.
private struct Nesting {
    private var (isQuoted, isEscaped, isBracketed, depth) = (false, false, false, 0)

    /// Takes the next byte, and tells whether it may part two addresses.
    mutating func isOutside(after byte: UInt8) -> Bool {
        // A line end ends whatever was left open: half a quote must not swallow the addresses after it.
        if byte == 0x0A || byte == 0x0D { (isQuoted, isEscaped, isBracketed, depth) = (false, false, false, 0) }
        if isEscaped {
            isEscaped = false
            return false
        }
        switch byte {
        case 0x5C where isQuoted: isEscaped = true
        case 0x22 where depth == 0: isQuoted.toggle()
        case 0x28 where !isQuoted: depth += 1
        case 0x29 where !isQuoted && depth > 0: depth -= 1
        case 0x3C where !isQuoted && depth == 0: isBracketed = true
        case 0x3E where !isQuoted && depth == 0: isBracketed = false
        default: return !isQuoted && !isBracketed && depth == 0
        }
        return false
    }
}
