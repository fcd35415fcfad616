/// Pictures as files, made for tests.
package enum PictureFile {
    /// A PNG whose left half is red and right half blue, stored without compression.
    package static func png(width: Int, height: Int, claimed: (Int, Int)? = nil) -> [UInt8] {
        var rows: [UInt8] = []
        for _ in 0..<height {
            rows.append(0)
            for column in 0..<width { rows += column * 2 < width ? [255, 0, 0] : [0, 0, 255] }
        }
        var packed: [UInt8] = [0x78, 0x01]
        var rest = rows[...]
        repeat {
            let piece = rest.prefix(65_535)
            rest = rest.dropFirst(65_535)
            let count = UInt16(piece.count)
            packed += [
                rest.isEmpty ? 1 : 0, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8),
            ]
            packed += piece
        } while !rest.isEmpty
        packed += big(adler(rows))
        let size = claimed ?? (width, height)
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", big(UInt32(size.0)) + big(UInt32(size.1)) + [8, 2, 0, 0, 0])
            + chunk("IDAT", packed) + chunk("IEND", [])
    }

    private static func big(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }

    private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + bytes
        return big(UInt32(bytes.count)) + body + big(checksum(body))
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    private static func adler(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}
