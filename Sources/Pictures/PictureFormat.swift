/// The kinds of pictures that are drawn, told by their first bytes and not by what a sender calls them.
package enum PictureFormat: String, Sendable, Hashable, CaseIterable {
    case png = "image/png"
    case jpeg = "image/jpeg"
    case gif = "image/gif"
    case webp = "image/webp"
    case avif = "image/avif"

    /// The kind of a file; `nil` when it is no picture that is drawn.
    package static func of(_ bytes: some Collection<UInt8>) -> PictureFormat? {
        let head = Array(bytes.prefix(32))
        func has(_ text: String, at offset: Int) -> Bool {
            let wanted = Array(text.utf8)
            return head.count >= offset + wanted.count && head[offset..<(offset + wanted.count)].elementsEqual(wanted)
        }
        if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if head.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
        if has("GIF87a", at: 0) || has("GIF89a", at: 0) { return .gif }
        if has("RIFF", at: 0), has("WEBP", at: 8) { return .webp }
        if has("ftypavif", at: 4) || has("ftypavis", at: 4) { return .avif }
        return nil
    }

    /// Whether a type that a sender names is one of these.
    package static func isNamed(_ type: String) -> Bool {
        let bare = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        return bare == "image/jpg" || PictureFormat(rawValue: bare) != nil
    }
}
