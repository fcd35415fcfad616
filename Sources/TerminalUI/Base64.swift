/// The coding of bytes in letters (RFC 4648), as terminals take it.
package enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The bytes in letters, padded.
    package static func encoded(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        var rest = bytes[...]
        while !rest.isEmpty {
            let three = Array(rest.prefix(3))
            rest = rest.dropFirst(3)
            let value = three.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - three.count))
            for index in 0..<4 {
                output.append(index <= three.count ? letters[value >> (18 - 6 * index) & 63] : 0x3D)
            }
        }
        return output
    }
}
