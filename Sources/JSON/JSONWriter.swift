/// Writes one JSON text into bytes, in the order of the calls.
///
/// Control characters and the characters that turn the direction of text are escaped, so a value printed on
/// a terminal cannot steer it.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    /// Whether the next value or name needs a comma before it.
    private var needsComma = false

    package init() { bytes.reserveCapacity(128) }

    /// Writes an object whose members `body` writes with `member`.
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        open(0x7B)
        body(&self)
        close(0x7D)
    }

    /// Writes an array whose elements `body` writes.
    package mutating func array(_ body: (inout JSONWriter) -> Void) {
        open(0x5B)
        body(&self)
        close(0x5D)
    }

    /// Writes a member's name; exactly one value must follow.
    package mutating func name(_ name: String) {
        comma()
        quoted(name)
        bytes.append(0x3A)
        needsComma = false
    }

    /// Writes a string.
    package mutating func value(_ value: String) {
        comma()
        quoted(value)
        needsComma = true
    }

    /// Writes a string, or `null`.
    package mutating func value(_ value: String?) {
        if let value { self.value(value) } else { raw("null") }
    }

    /// Writes a whole number.
    package mutating func value(_ value: Int) { raw(String(value)) }

    /// Writes a truth value.
    package mutating func value(_ value: Bool) { raw(value ? "true" : "false") }

    /// Writes an array of strings.
    package mutating func value(_ values: [String]) {
        array { writer in for value in values { writer.value(value) } }
    }

    /// Writes `null`.
    package mutating func null() { raw("null") }

    /// Writes a member with a string, or `null`.
    package mutating func member(_ name: String, _ value: String?) {
        self.name(name)
        self.value(value)
    }

    /// Writes a member with a whole number.
    package mutating func member(_ name: String, _ value: Int) {
        self.name(name)
        self.value(value)
    }

    /// Writes a member with a truth value.
    package mutating func member(_ name: String, _ value: Bool) {
        self.name(name)
        self.value(value)
    }

    /// Writes a member with an array of strings.
    package mutating func member(_ name: String, _ values: [String]) {
        self.name(name)
        self.value(values)
    }

    /// Writes text that is JSON already.
    package mutating func raw(_ json: String) {
        comma()
        bytes.append(contentsOf: json.utf8)
        needsComma = true
    }

    private mutating func comma() {
        if needsComma { bytes.append(0x2C) }
    }

    private mutating func open(_ bracket: UInt8) {
        comma()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func quoted(_ text: String) {
        bytes.append(0x22)
        var copy = text
        let isPlain = copy.withUTF8 { utf8 in
            guard utf8.allSatisfy(JSONWriter.isPlain) else { return false }
            bytes.append(contentsOf: utf8)
            return true
        }
        if !isPlain { for scalar in text.unicodeScalars { append(scalar) } }
        bytes.append(0x22)
    }

    /// Whether a byte is a character that is written as it is.
    private static func isPlain(_ byte: UInt8) -> Bool { byte >= 0x20 && byte < 0x7F && byte != 0x22 && byte != 0x5C }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x22: bytes.append(contentsOf: [0x5C, 0x22])
        case 0x5C: bytes.append(contentsOf: [0x5C, 0x5C])
        case 0x0A: bytes.append(contentsOf: [0x5C, 0x6E])
        case 0x0D: bytes.append(contentsOf: [0x5C, 0x72])
        case 0x09: bytes.append(contentsOf: [0x5C, 0x74])
        case 0x00..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: escaped(scalar)
        default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    private mutating func escaped(_ scalar: Unicode.Scalar) {
        let digits = String(scalar.value, radix: 16)
        bytes.append(contentsOf: "\\u".utf8)
        bytes.append(contentsOf: repeatElement(0x30, count: 4 - digits.utf8.count))
        bytes.append(contentsOf: digits.utf8)
    }
}
