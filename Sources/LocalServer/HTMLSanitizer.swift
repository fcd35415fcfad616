internal import HTML

/// Writes a parsed document with only what the contract lets through.
struct HTMLSanitizer {
    private let images: SanitizedImages
    private(set) var hasRemoteImages = false
    private var out = ""
    private static let depthMax = 80

    init(_ images: SanitizedImages) {
        self.images = images
    }

    /// The sanitised text of nodes.
    mutating func text(_ nodes: [HTMLNode]) -> String {
        out = ""
        for node in nodes { write(node, depth: 0) }
        return out
    }

    private mutating func write(_ node: HTMLNode, depth: Int) {
        switch node {
        case .text(let text): out += HTMLSanitizer.escaped(text, quotes: false)
        case .element(let element): write(element, depth: depth)
        }
    }

    private mutating func write(_ element: HTMLElement, depth: Int) {
        noteRemote(element)
        if HTMLRules.dropped.contains(element.name) { return }
        let isKept = HTMLRules.tags.contains(element.name) && depth < HTMLSanitizer.depthMax
        if isKept { open(element) }
        if isKept, HTMLRules.void.contains(element.name) { return }
        for child in element.children { write(child, depth: isKept ? depth + 1 : depth) }
        if isKept { out += "</" + element.name + ">" }
    }

    private mutating func open(_ element: HTMLElement) {
        var attributes = element.attributes.filter { HTMLRules.isAllowed($0.name, on: element.name) }
        switch element.name {
        case "a": attributes = HTMLSanitizer.link(attributes)
        case "img": attributes = image(attributes)
        default: break
        }
        out += "<" + element.name
        for attribute in attributes {
            var value = attribute.value
            if attribute.name == "style" {
                value = HTMLRules.style(value)
                if value.isEmpty { continue }
            }
            out += " " + attribute.name + "=\"" + HTMLSanitizer.escaped(value, quotes: true) + "\""
        }
        out += HTMLRules.void.contains(element.name) ? " />" : ">"
    }

    private static func link(_ attributes: [HTMLAttribute]) -> [HTMLAttribute] {
        var kept = attributes.filter { $0.name != "rel" && $0.name != "target" }
        guard let href = kept.first(where: { $0.name == "href" })?.value else { return kept }
        let scheme = href.prefix { $0 != ":" }.lowercased()
        if ["http", "https", "mailto", "tel"].contains(scheme), href.contains(":") {
            kept.append(HTMLAttribute(name: "rel", value: "noopener noreferrer"))
            kept.append(HTMLAttribute(name: "target", value: "_blank"))
        } else if !href.hasPrefix("#") {
            kept.removeAll { $0.name == "href" }
        }
        return kept
    }

    private func image(_ attributes: [HTMLAttribute]) -> [HTMLAttribute] {
        var kept = attributes.filter { $0.name != "loading" && $0.name != "referrerpolicy" }
        let lazy = HTMLAttribute(name: "loading", value: "lazy")
        guard let index = kept.firstIndex(where: { $0.name == "src" }) else { return kept + [lazy] }
        let source = kept[index].value
        if source.lowercased().hasPrefix("cid:"),
            let attachment = images.attachments[
                SanitizedImages.key(HTMLSanitizer.percentDecoded(String(source.dropFirst(4))))]
        {
            kept[index].value = "\(images.origin)/api/v1/messages/\(images.message)/inline/\(attachment)"
            return kept + [lazy]
        }
        guard HTMLSanitizer.isRemote(source), !source.hasPrefix(images.origin + "/") else {
            kept.remove(at: index)
            return kept + [lazy]
        }
        if images.loadsRemote {
            return kept + [lazy, HTMLAttribute(name: "referrerpolicy", value: "no-referrer")]
        }
        kept.remove(at: index)
        if let place = kept.firstIndex(where: { $0.name == "alt" }) {
            if kept[place].value.isEmpty { kept[place].value = "Remote image hidden" }
            return kept + [lazy]
        }
        return kept + [lazy, HTMLAttribute(name: "alt", value: "Remote image hidden")]
    }

    private mutating func noteRemote(_ element: HTMLElement) {
        for attribute in element.attributes {
            switch attribute.name {
            case "src", "href", "background", "srcset":
                let isImage =
                    switch attribute.name {
                    case "src": ["img", "audio", "video", "source"].contains(element.name)
                    case "href": element.name == "link"
                    default: true
                    }
                if isImage, HTMLSanitizer.isRemote(attribute.value) { hasRemoteImages = true }
            case "style":
                let style = attribute.value.lowercased()
                if style.contains("url("), style.contains("http") { hasRemoteImages = true }
            default: break
            }
        }
    }

    private static func isRemote(_ address: String) -> Bool {
        let start = address.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://") || start.hasPrefix("//")
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

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var out: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x26: out.append(contentsOf: "&amp;".utf8)
            case 0x3C: out.append(contentsOf: "&lt;".utf8)
            case 0x3E: out.append(contentsOf: "&gt;".utf8)
            case 0x22 where quotes: out.append(contentsOf: "&quot;".utf8)
            default: out.append(byte)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
