internal import MailModel

/// The numbers that stand for texts in the cache's indexes, where a text would take three times the room.
enum SortKey {
    /// A number that orders like the instant's text: of two texts, the lesser never has the greater number.
    ///
    /// It is the seventeen digits of the documented form (contract §4.1), which no other text shares. A text of another
    /// form gets the least or greatest number its beginning allows, so texts with equal numbers must still be compared.
    static func of(_ instant: Timestamp) -> Int64 {
        var text = instant.text
        return text.withUTF8 { bytes in
            var key: Int64 = 0
            var filler: Int64?
            for (place, separator) in form.enumerated() {
                var digit = filler ?? 0
                if filler == nil {
                    let byte = place < bytes.count ? bytes[place] : 0
                    let (least, greatest) = separator == 0 ? (0x30, 0x39) : (separator, separator)
                    if byte < least { (filler, digit) = (0, 0) }
                    if byte > greatest { (filler, digit) = (9, 9) }
                    if filler == nil, separator == 0 { digit = Int64(byte) - 0x30 }
                }
                if separator == 0 { key = key * 10 + digit }
            }
            return key
        }
    }

    /// The documented form: 0 for a digit, else the byte itself.
    private static let form: [UInt8] = Array("dddd-dd-ddTdd:dd:dd.ddd".utf8).map { $0 == 0x64 ? 0 : $0 }

    /// A number for an identifier, the same in every process and version.
    ///
    /// Two identifiers may share one, so the text must be compared too.
    static func hash(_ id: some Identifier) -> Int64 {
        var text = id.rawValue
        return text.withUTF8 { bytes in
            let raw = UnsafeRawBufferPointer(bytes)
            var hash = UInt64(truncatingIfNeeded: raw.count) &* multiplier
            var place = 0
            while place + 8 <= raw.count {
                hash = mixed(hash ^ raw.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian)
                place += 8
            }
            var rest: UInt64 = 0
            while place < raw.count {
                rest = rest << 8 | UInt64(raw[place])
                place += 1
            }
            return Int64(bitPattern: mixed(mixed(hash ^ rest)))
        }
    }

    private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15

    private static func mixed(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: multiplier)
        return product.high ^ product.low
    }
}
