internal import CXML2

/// Character references of HTML text.
package enum HTMLEntity {
    /// The longest name that is looked up.
    private static let nameMax = 32
    /// The characters that the numbers 128 to 159 stand for, by the rule of Windows-1252.
    private static let windows: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D,
        0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D,
        0x17E, 0x178,
    ]

    /// Text with its character references resolved; what is none stays as it is.
    ///
    /// Names of Latin-1 characters also count without their semicolon, but in an attribute only before
    /// something that could not go on.
    package static func decoded(_ bytes: ArraySlice<UInt8>, isAttribute: Bool = false) -> [UInt8] {
        guard bytes.contains(0x26) else { return Array(bytes) }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == 0x26, let found = reference(bytes[index...].dropFirst(), isAttribute) {
                out.append(contentsOf: found.text.utf8)
                index += 1 + found.length
            } else {
                out.append(bytes[index])
                index += 1
            }
        }
        return out
    }

    /// The length of a name behind a `&` that counts although its semicolon is missing; `nil` when there is none.
    static func unendedLength(_ bytes: ArraySlice<UInt8>) -> Int? {
        let name = bytes.prefix(nameMax).prefix { isNamePart($0) }
        guard name.count > 1 else { return nil }
        if bytes.dropFirst(name.count).first == 0x3B, scalar(name) != nil { return nil }
        return stride(from: name.count, through: 2, by: -1).first { length in
            guard let scalar = scalar(name.prefix(length)) else { return false }
            return scalar.value < 0x100 && scalar != "'"
        }
    }

    private static func reference(
        _ bytes: ArraySlice<UInt8>, _ isAttribute: Bool
    ) -> (text: String, length: Int)? {
        guard let first = bytes.first else { return nil }
        if first == 0x23 { return number(bytes.dropFirst()) }
        let name = bytes.prefix(nameMax).prefix { isNamePart($0) }
        guard !name.isEmpty else { return nil }
        let next = bytes.dropFirst(name.count).first
        if next == 0x3B, let scalar = scalar(name) { return (String(scalar), name.count + 1) }
        for length in stride(from: name.count, through: 2, by: -1) {
            guard let scalar = scalar(name.prefix(length)), scalar.value < 0x100, scalar != "'" else { continue }
            let follower = bytes.dropFirst(length).first
            if isAttribute, let follower, follower == 0x3D || isNamePart(follower) { return nil }
            return (String(scalar), length)
        }
        return nil
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    private static func scalar(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
        var name = Array(name)
        if ["AMP", "LT", "GT", "QUOT", "COPY", "REG"].contains(String(decoding: name, as: UTF8.self)) {
            name = name.map { $0 | 0x20 }
        }
        let entity = (name + [0]).withUnsafeBufferPointer { htmlEntityLookup($0.baseAddress) }
        return entity.flatMap { Unicode.Scalar($0.pointee.value) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> (text: String, length: Int)? {
        let isHex = bytes.first.map { $0 | 0x20 } == 0x78
        let rest = isHex ? bytes.dropFirst() : bytes
        let digits = rest.prefix { byte in
            (0x30...0x39).contains(byte) || isHex && (0x61...0x66).contains(byte | 0x20)
        }
        guard !digits.isEmpty else { return nil }
        var value: UInt32 = 0
        for digit in digits {
            let part = UInt32(digit <= 0x39 ? digit - 0x30 : (digit | 0x20) - 0x57)
            value = min(value * (isHex ? 16 : 10) + part, 0x110000)
        }
        let isEnded = rest.dropFirst(digits.count).first == 0x3B
        let length = 1 + (isHex ? 1 : 0) + digits.count + (isEnded ? 1 : 0)
        return (String(meaning(value)), length)
    }

    private static func meaning(_ value: UInt32) -> Unicode.Scalar {
        if (0x80...0x9F).contains(value) { return Unicode.Scalar(windows[Int(value) - 0x80]) ?? "\u{FFFD}" }
        return value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}"
    }
}
