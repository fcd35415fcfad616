/// Identifiers that order by the time they were made (RFC 9562 §5.7).
package enum UUIDv7 {
    /// The text of a moment, in milliseconds since 1970, and of random bits, of which 74 are used.
    package static func text(milliseconds: Int64, random: (UInt64, UInt64)) -> String {
        let time = UInt64(bitPattern: milliseconds) & 0xFFFF_FFFF_FFFF
        let high = time << 16 | 0x7000 | random.0 & 0x0FFF
        let low = 0x8000_0000_0000_0000 | random.1 & 0x3FFF_FFFF_FFFF_FFFF
        let digits = hex(high) + hex(low)
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (place, digit) in digits.enumerated() {
            if place == 8 || place == 12 || place == 16 || place == 20 { text.append(0x2D) }
            text.append(digit)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let alphabet = Array("0123456789abcdef".utf8)

    private static func hex(_ value: UInt64) -> [UInt8] {
        (0..<16).map { alphabet[Int(value >> (60 - 4 * UInt64($0)) & 15)] }
    }
}
