/// The coding of bytes in letters (RFC 4648), as terminals take it.
package enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The bytes in letters, padded.
    package static func encoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        var value = 0
        var count = 0
        for byte in bytes {
            value = value << 8 | Int(byte)
            count += 1
            guard count == 3 else { continue }
            for shift in [18, 12, 6, 0] { output.append(letters[value >> shift & 63]) }
            (value, count) = (0, 0)
        }
        if count > 0 {
            value <<= 8 * (3 - count)
            for index in 0..<4 { output.append(index <= count ? letters[value >> (18 - 6 * index) & 63] : 0x3D) }
        }
        return output
    }
}
