/// Why a JSON text was refused.
package enum JSONError: Error, Hashable, Sendable {
    /// The text breaks the grammar (RFC 8259) at a byte offset.
    case malformed(at: Int)
    /// Nested deeper than the reader allows.
    case tooDeep
    /// A value is of another type than asked for.
    case wrongType(at: Int)
    /// A required member is missing.
    case missing(String)
}

/// A pull reader over the bytes of one JSON text (RFC 8259).
///
/// Every access is bounds-checked, the depth is bounded, and values that are skipped are validated too.
package struct JSONReader {
    private let bytes: [UInt8]
    package private(set) var position = 0
    private var depth = 0
    /// The deepest nesting accepted.
    private static let depthMax = 64

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The kind of the next value.
    package enum Kind: Sendable {
        case object, array, string, number, bool, null
    }

    /// The kind of the next value, without consuming it.
    ///
    /// - Throws: `malformed` when no value starts here.
    package mutating func kind() throws(JSONError) -> Kind {
        skipSpace()
        switch byte(position) {
        case 0x7B: return .object
        case 0x5B: return .array
        case 0x22: return .string
        case 0x74, 0x66: return .bool
        case 0x6E: return .null
        case .some(let digit) where digit == 0x2D || (0x30...0x39).contains(digit): return .number
        default: throw .malformed(at: position)
        }
    }

    /// Reads an object: `body` gets each member's name and must consume its value.
    ///
    /// - Throws: `wrongType` for another kind of value, `malformed`, or what `body` throws.
    package mutating func object(_ body: (inout JSONReader, String) throws(JSONError) -> Void) throws(JSONError) {
        try open(0x7B, .object)
        defer { depth -= 1 }
        if take(0x7D) { return }
        while true {
            skipSpace()
            let name = try string()
            guard take(0x3A) else { throw .malformed(at: position) }
            try body(&self, name)
            if take(0x2C) { continue }
            guard take(0x7D) else { throw .malformed(at: position) }
            return
        }
    }

    /// Reads an array: `body` must consume each element.
    ///
    /// - Throws: `wrongType` for another kind of value, `malformed`, or what `body` throws.
    package mutating func array(_ body: (inout JSONReader) throws(JSONError) -> Void) throws(JSONError) {
        try open(0x5B, .array)
        defer { depth -= 1 }
        if take(0x5D) { return }
        while true {
            try body(&self)
            if take(0x2C) { continue }
            guard take(0x5D) else { throw .malformed(at: position) }
            return
        }
    }

    /// Reads an object by the names of its members: `body` gets the place of each in `names` and must consume its value.
    ///
    /// Members of other names are skipped. Makes no string of a name; quickest when the members come in the order of the
    /// names.
    /// - Throws: as `object`.
    package mutating func object(
        _ names: JSONNames, _ body: (inout JSONReader, Int) throws(JSONError) -> Void
    ) throws(JSONError) {
        try open(0x7B, .object)
        defer { depth -= 1 }
        if take(0x7D) { return }
        var expected = 0
        while true {
            let place = try name(names, expected: expected)
            guard take(0x3A) else { throw .malformed(at: position) }
            if let place {
                expected = place + 1
                try body(&self, place)
            } else {
                try skip()
            }
            if take(0x2C) { continue }
            guard take(0x7D) else { throw .malformed(at: position) }
            return
        }
    }

    /// Consumes a member's name and answers its place.
    private mutating func name(_ names: JSONNames, expected: Int) throws(JSONError) -> Int? {
        skipSpace()
        if byte(position) == 0x22, let found = names.match(bytes, at: position + 1, expected: expected) {
            position = found.end
            return found.place
        }
        return names.place(of: try string())
    }

    /// Reads a string; invalid UTF-8 and lone surrogates become U+FFFD.
    ///
    /// - Throws: `wrongType` for another kind of value, `malformed`.
    package mutating func string() throws(JSONError) -> String {
        skipSpace()
        guard byte(position) == 0x22 else { throw .wrongType(at: position) }
        position += 1
        let start = position
        position = JSONReader.plainEnd(bytes, from: start)
        guard let byte = byte(position) else { throw .malformed(at: position) }
        if byte == 0x5C { return try escapedString(from: start) }
        guard byte == 0x22 else { throw .malformed(at: position) }
        let text = bytes.withUnsafeBufferPointer {
            String(decoding: UnsafeBufferPointer(rebasing: $0[start..<position]), as: UTF8.self)
        }
        position += 1
        return text
    }

    /// The first place from `start` on where a string's plain text ends: a quote, a backslash or a control character.
    ///
    /// Looks at eight bytes at a time, by the test for a byte less than n of "Bit Twiddling Hacks".
    private static func plainEnd(_ bytes: [UInt8], from start: Int) -> Int {
        bytes.withUnsafeBytes { raw in
            let ones: UInt64 = 0x0101_0101_0101_0101
            let tops: UInt64 = 0x8080_8080_8080_8080
            var place = start
            while place + 8 <= raw.count {
                let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt64.self))
                let (quote, backslash) = (word ^ (ones &* 0x22), word ^ (ones &* 0x5C))
                let found =
                    ((word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash)
                    & tops
                if found != 0 { return place + found.trailingZeroBitCount / 8 }
                place += 8
            }
            while place < raw.count, raw[place] >= 0x20, raw[place] != 0x22, raw[place] != 0x5C { place += 1 }
            return place
        }
    }

    /// Reads a string, or `nil` for `null`.
    ///
    /// - Throws: as `string`.
    package mutating func optionalString() throws(JSONError) -> String? {
        skipSpace()
        if byte(position) == 0x22 { return try string() }
        return try takeNull() ? nil : try string()
    }

    /// Reads an array of strings.
    ///
    /// - Throws: as `array` and `string`.
    package mutating func strings() throws(JSONError) -> [String] {
        var result: [String] = []
        try array { reader throws(JSONError) in result.append(try reader.string()) }
        return result
    }

    /// Reads a whole number.
    ///
    /// - Throws: `wrongType` when it has a fraction, an exponent or does not fit.
    package mutating func int() throws(JSONError) -> Int {
        skipSpace()
        let start = position
        let text = try number()
        guard let value = Int(text) else { throw .wrongType(at: start) }
        return value
    }

    /// Reads `true` or `false`.
    ///
    /// - Throws: `wrongType`, `malformed`.
    package mutating func bool() throws(JSONError) -> Bool {
        switch try kind() {
        case .bool: return try word(byte(position) == 0x74 ? "true" : "false") == "true"
        default: throw .wrongType(at: position)
        }
    }

    /// Consumes a `null` when it is next.
    ///
    /// - Throws: `malformed`.
    package mutating func takeNull() throws(JSONError) -> Bool {
        guard try kind() == .null else { return false }
        _ = try word("null")
        return true
    }

    /// Consumes any value.
    ///
    /// - Throws: `malformed`, `tooDeep`.
    package mutating func skip() throws(JSONError) {
        switch try kind() {
        case .object: try object { reader, _ throws(JSONError) in try reader.skip() }
        case .array: try array { reader throws(JSONError) in try reader.skip() }
        case .string: _ = try string()
        case .number: _ = try number()
        case .bool: _ = try bool()
        case .null: _ = try takeNull()
        }
    }

    /// Checks that only white space is left.
    ///
    /// - Throws: `malformed` when something follows.
    package mutating func end() throws(JSONError) {
        skipSpace()
        guard position == bytes.count else { throw .malformed(at: position) }
    }
}

extension JSONReader {
    private func byte(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        if position < bytes.count, bytes[position] > 0x20 { return }
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    private mutating func take(_ wanted: UInt8) -> Bool {
        skipSpace()
        guard byte(position) == wanted else { return false }
        position += 1
        return true
    }

    private mutating func open(_ bracket: UInt8, _ wanted: Kind) throws(JSONError) {
        guard try kind() == wanted else { throw .wrongType(at: position) }
        guard depth < JSONReader.depthMax else { throw .tooDeep }
        depth += 1
        _ = take(bracket)
    }

    private mutating func word(_ text: String) throws(JSONError) -> String {
        for expected in text.utf8 {
            guard byte(position) == expected else { throw .malformed(at: position) }
            position += 1
        }
        return text
    }

    /// Consumes a number by RFC 8259 §6 and answers its text.
    private mutating func number() throws(JSONError) -> String {
        guard try kind() == .number else { throw .wrongType(at: position) }
        let start = position
        if byte(position) == 0x2D { position += 1 }
        if byte(position) == 0x30 { position += 1 } else { try digits() }
        if byte(position) == 0x2E {
            position += 1
            try digits()
        }
        if byte(position) == 0x65 || byte(position) == 0x45 {
            position += 1
            if byte(position) == 0x2B || byte(position) == 0x2D { position += 1 }
            try digits()
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while let byte = byte(position), byte >= 0x30, byte <= 0x39 { position += 1 }
        guard position > start else { throw .malformed(at: position) }
    }

    /// The rest of a string that has an escape; `start` is its first byte.
    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var out = Array(bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case 0x22: return String(decoding: out, as: UTF8.self)
            case 0x5C: try escape(into: &out)
            case 0x00..<0x20: throw .malformed(at: position - 1)
            default: out.append(byte)
            }
        }
        throw .malformed(at: position)
    }

    private mutating func escape(into out: inout [UInt8]) throws(JSONError) {
        guard let letter = byte(position) else { throw .malformed(at: position) }
        position += 1
        switch letter {
        case 0x22, 0x5C, 0x2F: out.append(letter)
        case 0x62: out.append(0x08)
        case 0x66: out.append(0x0C)
        case 0x6E: out.append(0x0A)
        case 0x72: out.append(0x0D)
        case 0x74: out.append(0x09)
        case 0x75: out.append(contentsOf: String(Character(try unicodeEscape())).utf8)
        default: throw .malformed(at: position - 1)
        }
    }

    /// A `\u` escape after its letter, with its second half when it is a surrogate pair.
    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let replacement: Unicode.Scalar = "\u{FFFD}"
        let first = try hexadecimal()
        guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) ?? replacement }
        guard byte(position) == 0x5C, byte(position + 1) == 0x75 else { return replacement }
        let before = position
        position += 2
        let second = try hexadecimal()
        guard (0xDC00..<0xE000).contains(second) else {
            position = before
            return replacement
        }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? replacement
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            switch byte(position) {
            case .some(let digit) where digit >= 0x30 && digit <= 0x39: value = value << 4 | UInt32(digit - 0x30)
            case .some(let digit) where (digit | 0x20) >= 0x61 && (digit | 0x20) <= 0x66:
                value = value << 4 | UInt32((digit | 0x20) - 0x61 + 10)
            default: throw .malformed(at: position)
            }
            position += 1
        }
        return value
    }
}
