internal import HTML

/// Writes a source with only what the contract lets through.
struct HTMLSanitizer {
    private let images: SanitizedImages
    private var out: [UInt8] = []
    /// The open elements, each with whether it is written.
    private var stack: [(name: String, isWritten: Bool)] = []
    /// How many elements are open below one whose content is dropped; zero outside.
    private var dropped = 0
    private static let depthMax = 80

    /// The sanitised text of a part of a source.
    static func text(_ bytes: [UInt8], _ range: Range<Int>, _ images: SanitizedImages) -> String {
        var sanitizer = HTMLSanitizer(images)
        for event in HTMLFlow.events(bytes, range) { sanitizer.take(event) }
        return String(decoding: sanitizer.out, as: UTF8.self)
    }

    private init(_ images: SanitizedImages) {
        self.images = images
    }

    private mutating func take(_ event: HTMLEvent) {
        switch event.kind {
        case .text(let text): if dropped == 0 { escape(text, quotes: false) }
        case .open(let name, let attributes): open(name, attributes)
        case .close(let name): close(name)
        }
    }

    private mutating func open(_ name: String, _ attributes: [HTMLAttribute]) {
        guard dropped == 0 else {
            dropped += 1
            return
        }
        let isWritten = HTMLRules.tags.contains(name) && stack.count < HTMLSanitizer.depthMax
        stack.append((name, isWritten))
        if !isWritten, HTMLRules.dropped.contains(name) { dropped = 1 }
        if isWritten { write(name, attributes) }
    }

    private mutating func close(_ name: String) {
        if dropped > 0 {
            dropped -= 1
            guard dropped == 0 else { return }
        }
        guard let last = stack.popLast(), last.isWritten, !HTMLRules.void.contains(name) else { return }
        out.append(contentsOf: "</\(name)>".utf8)
    }

    private mutating func write(_ name: String, _ attributes: [HTMLAttribute]) {
        let kept =
            switch name {
            case "a": HTMLLink.attributes(attributes)
            case "img": images.attributes(attributes)
            default: attributes
            }
        out.append(contentsOf: "<\(name)".utf8)
        for attribute in kept where HTMLRules.isAllowed(attribute.name, on: name) {
            let value = attribute.name == "style" ? HTMLStyle.kept(attribute.value) : attribute.value
            if value.isEmpty, HTMLRules.needsValue.contains(attribute.name) { continue }
            out.append(contentsOf: " \(attribute.name)".utf8)
            if value.isEmpty, attribute.name != "alt" { continue }
            out.append(contentsOf: "=\"".utf8)
            escape(value, quotes: true)
            out.append(0x22)
        }
        out.append(contentsOf: (HTMLRules.void.contains(name) ? " />" : ">").utf8)
    }

    private mutating func escape(_ text: String, quotes: Bool) {
        for byte in text.utf8 {
            switch byte {
            case 0x26: out.append(contentsOf: "&amp;".utf8)
            case 0x3C: out.append(contentsOf: "&lt;".utf8)
            case 0x3E: out.append(contentsOf: "&gt;".utf8)
            case 0x22 where quotes: out.append(contentsOf: "&quot;".utf8)
            default: out.append(byte)
            }
        }
    }
}

/// The attributes of a link.
enum HTMLLink {
    /// What a link keeps: its address when it leads somewhere, and its title.
    static func attributes(_ attributes: [HTMLAttribute]) -> [HTMLAttribute] {
        var kept: [HTMLAttribute] = []
        if let href = attributes.first(where: { $0.name == "href" }) {
            let address = trimmed(href.value)
            if address.hasPrefix("#") {
                kept.append(HTMLAttribute(name: "href", value: address))
            } else if leadsSomewhere(address) {
                kept.append(HTMLAttribute(name: "href", value: address))
                kept.append(HTMLAttribute(name: "rel", value: "noopener noreferrer"))
                kept.append(HTMLAttribute(name: "target", value: "_blank"))
            }
        }
        if let title = attributes.first(where: { $0.name == "title" }) { kept.append(title) }
        return kept
    }

    private static func leadsSomewhere(_ address: String) -> Bool {
        guard let colon = address.firstIndex(of: ":") else { return false }
        let scheme = address[..<colon].lowercased()
        return scheme == "mailto" || scheme == "tel" || WebAddress(address) != nil
    }

    /// A text without the white space around it.
    static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }
}
