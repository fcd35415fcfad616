internal import HTML

/// How the images of a message may be shown.
struct SanitizedImages: Sendable {
    let message: String
    let origin: String
    let loadsRemote: Bool
    /// Attachment ids by Content-ID, as `key` writes it; for a quote, the Content-IDs themselves.
    var attachments: [String: String] = [:]
    /// Whether the HTML is quoted in a mail, which brings its pictures along, and not shown.
    var isQuote = false

    init(message: String, origin: String, loadsRemote: Bool) {
        self.message = message
        self.origin = origin
        self.loadsRemote = loadsRemote
    }

    /// A Content-ID without brackets, in lower case.
    static func key(_ contentID: String) -> String { bare(contentID).lowercased() }

    /// A Content-ID without brackets.
    static func bare(_ contentID: String) -> String {
        var text = Substring(contentID)
        if text.hasPrefix("<") { text = text.dropFirst() }
        if text.hasSuffix(">") { text = text.dropLast() }
        return String(text)
    }

    /// What an image keeps: an address that may be loaded, and the words instead of one that may not.
    func attributes(_ attributes: [HTMLAttribute]) -> [HTMLAttribute] {
        var kept = attributes.filter { !["loading", "referrerpolicy", "srcset"].contains($0.name) }
        if isQuote { return quoted(kept) }
        let lazy = HTMLAttribute(name: "loading", value: "lazy")
        guard let index = kept.firstIndex(where: { $0.name == "src" }) else { return kept + [lazy] }
        let source = HTMLLink.trimmed(kept[index].value)
        if let inline = inline(source) {
            kept[index].value = inline
            return kept + [lazy]
        }
        guard let remote = RemoteReference.address(source), !remote.hasPrefix(origin + "/") else {
            kept.remove(at: index)
            return kept + [lazy]
        }
        if loadsRemote {
            kept[index].value = remote
            return SanitizedImages.unreferred(kept, like: attributes, lazy)
        }
        kept.remove(at: index)
        guard let place = kept.firstIndex(where: { $0.name == "alt" }) else {
            return kept + [lazy, HTMLAttribute(name: "alt", value: "Remote image hidden")]
        }
        if kept[place].value.isEmpty { kept[place].value = "Remote image hidden" }
        return kept + [lazy]
    }

    /// The attributes of a remote image that loads; the two that are set keep their places when they have some.
    private static func unreferred(
        _ kept: [HTMLAttribute], like attributes: [HTMLAttribute], _ lazy: HTMLAttribute
    ) -> [HTMLAttribute] {
        let set = [lazy, HTMLAttribute(name: "referrerpolicy", value: "no-referrer")]
        let placed = attributes.compactMap { attribute in (set + kept).first { $0.name == attribute.name } }
        return placed + set.filter { wanted in !attributes.contains { $0.name == wanted.name } }
    }

    /// What an image of a quote keeps.
    private func quoted(_ attributes: [HTMLAttribute]) -> [HTMLAttribute] {
        var kept = attributes
        guard let index = kept.firstIndex(where: { $0.name == "src" }) else { return kept }
        let source = HTMLLink.trimmed(kept[index].value)
        if let contentID = attached(source) {
            kept[index].value = "cid:" + contentID
            return kept
        }
        guard let remote = WebAddress(source)?.text, !remote.hasPrefix(origin + "/") else {
            kept.remove(at: index)
            return kept
        }
        kept[index].value = remote
        return kept + [HTMLAttribute(name: "referrerpolicy", value: "no-referrer")]
    }

    private func inline(_ source: String) -> String? {
        attached(source).map { "\(origin)/api/v1/messages/\(message)/inline/\($0)" }
    }

    /// The attachment a `cid:` source names.
    private func attached(_ source: String) -> String? {
        guard source.prefix(4).lowercased() == "cid:" else { return nil }
        return attachments[SanitizedImages.key(SanitizedImages.percentDecoded(String(source.dropFirst(4))))]
    }

    private static func percentDecoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var out: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x25, index + 2 < bytes.count,
                let value = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                out.append(value)
                index += 3
            } else {
                out.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}

/// References to things on other machines that a page loads by itself.
enum RemoteReference {
    /// The absolute address of a remote picture; `nil` when a source is not remote.
    static func address(_ source: String) -> String? {
        let source = source.hasPrefix("//") ? "https:" + source : source
        return WebAddress(source).map(\.text)
    }

    /// Whether a source refers to any.
    static func exists(_ bytes: [UInt8]) -> Bool {
        var isStyle = false
        for token in HTMLTokenizer.tokens(bytes, 0..<bytes.count) {
            switch token.kind {
            case .text(let text): if isStyle, isRemote(style: text) { return true }
            case .open(let name, let attributes):
                isStyle = name == "style"
                if attributes.contains(where: { isRemote($0, of: name) }) { return true }
            case .close: isStyle = false
            }
        }
        return false
    }

    private static func isRemote(_ attribute: HTMLAttribute, of name: String) -> Bool {
        switch attribute.name {
        case "src": return ["img", "audio", "video", "source"].contains(name) && isRemote(attribute.value)
        case "href": return name == "link" && isRemote(attribute.value)
        case "srcset": return attribute.value.split(separator: ",").contains { isRemote(String($0)) }
        case "background", "poster": return isRemote(attribute.value)
        case "style": return isRemote(style: attribute.value)
        default: return false
        }
    }

    private static func isRemote(_ source: String) -> Bool { address(HTMLLink.trimmed(source)) != nil }

    /// Whether a style loads something.
    private static func isRemote(style: String) -> Bool {
        let style = style.lowercased()
        var rest = style[...]
        while let start = rest.firstRange(of: "url(") {
            rest = rest[start.upperBound...]
            let inner = rest.drop { $0 == " " || $0 == "\"" || $0 == "'" }
            if inner.hasPrefix("http://") || inner.hasPrefix("https://") { return true }
        }
        return style.contains("@import") && style.contains("http")
    }
}
