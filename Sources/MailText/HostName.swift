/// A host as the network names it, and as a person reads it.
package struct HostName: Sendable, Hashable {
    /// What the name is made of that a person should know.
    package struct Traits: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// A number in place of a name.
        package static let numeric = Traits(rawValue: 1)
        /// Written with signs that browsers read as others, or that show nothing.
        package static let disguised = Traits(rawValue: 2)
        /// Letters that look like those of another alphabet.
        package static let lookalike = Traits(rawValue: 4)
    }

    /// The name in letters of ASCII, in lower case.
    package var ascii: String
    /// The name in its own letters; equal to `ascii` when there are no others.
    package var unicode: String
    package var traits: Traits = []

    private static let longest = 253

    /// Reads a host the way browsers do; `nil` when it is none.
    init?(reading source: some StringProtocol) {
        guard let (mapped, isDisguised) = HostName.mapped(source) else { return nil }
        if isDisguised { traits.insert(.disguised) }
        if mapped.hasPrefix("[") {
            guard mapped.hasSuffix("]"), mapped.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
            (ascii, unicode) = (mapped, mapped)
            traits.insert(.numeric)
            return
        }
        guard let labels = HostName.labels(mapped) else { return nil }
        ascii = labels.map(\.ascii).joined(separator: ".")
        unicode = labels.map(\.unicode).joined(separator: ".")
        guard !ascii.isEmpty, ascii.utf8.count <= HostName.longest else { return nil }
        if let number = HostName.number(ascii) {
            guard let dotted = number.dotted else { return nil }
            if dotted != ascii { traits.insert(.disguised) }
            (ascii, unicode) = (dotted, dotted)
            traits.insert(.numeric)
        } else if Alphabet.isLookalike(labels.map(\.unicode)) {
            traits.insert(.lookalike)
        }
    }

    /// Whether the two belong to one owner: one is the other or lies below it.
    func isSameSite(as other: HostName) -> Bool {
        func isBelow(_ name: String, _ site: String) -> Bool {
            name == site || (site.contains(".") && name.hasSuffix("." + site))
        }
        return isBelow(ascii, other.ascii) || isBelow(other.ascii, ascii)
    }

    /// The source with what browsers change changed, and whether that hid something from the eye.
    private static func mapped(_ source: some StringProtocol) -> (String, isDisguised: Bool)? {
        var isDisguised = false
        var text = String(source)
        if text.utf8.contains(0x25) {
            guard let decoded = PercentText.decoded(text) else { return nil }
            isDisguised = true
            text = decoded
        }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x21...0x7E:
                guard !"#%/:<>?@\\^|\"`{}".unicodeScalars.contains(scalar) || source.hasPrefix("[") else { return nil }
                result.append(scalar)
            case 0..<0x80: return nil
            case 0x3002, 0xFF0E, 0xFF61:
                result.append(".")
                isDisguised = true
            case 0xFF01...0xFF5E:
                result.append(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
                isDisguised = true
            default:
                if scalar.properties.isDefaultIgnorableCodePoint {
                    isDisguised = true
                    continue
                }
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .surrogate,
                    .unassigned:
                    return nil
                default: result.append(scalar)
                }
            }
        }
        return (String(result).lowercased(), isDisguised)
    }

    private static func labels(_ mapped: String) -> [(ascii: String, unicode: String)]? {
        var labels: [(ascii: String, unicode: String)] = []
        for label in mapped.split(separator: ".", omittingEmptySubsequences: false) {
            if label.utf8.allSatisfy({ $0 < 0x80 }) {
                let own = label.hasPrefix("xn--") ? ownLetters(label.dropFirst(4)) : nil
                labels.append((String(label), own ?? String(label)))
            } else {
                guard let coded = Punycode.encoded(label) else { return nil }
                labels.append(("xn--" + coded, String(label)))
            }
        }
        if labels.count > 1, labels.last?.ascii.isEmpty == true { labels.removeLast() }
        return labels.contains { $0.ascii.isEmpty } ? nil : labels
    }

    /// The letters that a coded label stands for; `nil` when that is no coding of a name.
    private static func ownLetters(_ coded: Substring) -> String? {
        guard let own = Punycode.decoded(coded), Punycode.encoded(own).map({ $0 == coded }) == true else { return nil }
        let isName =
            own.unicodeScalars.contains { $0.value >= 0x80 }
            && own.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .surrogate,
                    .unassigned:
                    false
                default: true
                }
            }
        return isName ? own : nil
    }

    /// The four numbers of an address written in any of the ways browsers take; `nil` when it is a name.
    private static func number(_ host: String) -> (dotted: String?, Void)? {
        let parts = host.split(separator: ".")
        guard let last = parts.last, value(last) != nil || last.allSatisfy(\.isNumber) else { return nil }
        let values = parts.map(value)
        guard parts.count <= 4, !values.contains(nil) else { return (nil, ()) }
        var numbers = values.compactMap { $0 }
        guard let tail = numbers.popLast(), numbers.allSatisfy({ $0 < 256 }) else { return (nil, ()) }
        guard tail < UInt64(1) << UInt64(8 * (4 - numbers.count)) else { return (nil, ()) }
        var whole = tail
        for (index, number) in numbers.enumerated() { whole |= number << UInt64(8 * (3 - index)) }
        return ([24, 16, 8, 0].map { String(whole >> UInt64($0) & 0xFF) }.joined(separator: "."), ())
    }

    private static func value(_ part: Substring) -> UInt64? {
        if part.hasPrefix("0x") { return part.count == 2 ? 0 : UInt64(part.dropFirst(2), radix: 16) }
        if part.hasPrefix("0"), part.count > 1 { return UInt64(part, radix: 8) }
        guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt64(part)
    }
}

/// Percent signs in addresses.
enum PercentText {
    /// The text with its coded bytes decoded; `nil` when they are no text.
    static func decoded(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == 0x25, rest.count >= 2, let value = value(rest.prefix(2)) {
                bytes.append(value)
                rest.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The text with everything coded that an address may not have as it is.
    static func encoded(_ text: some StringProtocol) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B, 0x7C, 0x7D, ..<0x21, 0x7F...:
                bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func value(_ pair: ArraySlice<UInt8>) -> UInt8? {
        UInt8(String(decoding: pair, as: UTF8.self), radix: 16)
    }
}
