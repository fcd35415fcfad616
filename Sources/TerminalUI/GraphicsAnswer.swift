/// The terminal's answer to the question whether it draws pictures (kitty's graphics protocol).
package enum GraphicsAnswer {
    /// The number of the picture that the question is about, which no other picture has.
    package static let image: UInt32 = 31

    /// Whether pictures are drawn, from `Gi=31;OK`; `nil` for the answer to anything else.
    static func isKnown(_ bytes: [UInt8]) -> Bool? {
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: ";", maxSplits: 1)
        guard parts.count == 2, parts[0].hasPrefix("G") else { return nil }
        guard parts[0].dropFirst().split(separator: ",").contains("i=\(image)") else { return nil }
        return parts[1] == "OK"
    }
}
