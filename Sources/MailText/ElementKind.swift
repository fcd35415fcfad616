internal import HTML

/// How an element takes part in the flow of text.
enum ElementKind {
    case inline
    case block(margin: Bool)
    /// Shown in no way.
    case dropped

    static func of(_ name: String) -> ElementKind {
        kinds[name] ?? .inline
    }

    private static let kinds: [String: ElementKind] = {
        var kinds: [String: ElementKind] = [:]
        let plain = [
            "address", "article", "aside", "body", "caption", "center", "dd", "details", "dialog", "div", "dt",
            "fieldset", "figcaption", "footer", "form", "header", "html", "legend", "li", "main", "nav", "section",
            "summary", "tbody", "td", "tfoot", "th", "thead", "tr",
        ]
        let spaced = [
            "blockquote", "dl", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "menu", "ol", "p", "pre",
            "table", "ul",
        ]
        let dropped = [
            "script", "style", "title", "meta", "link", "base", "template", "object", "embed", "applet", "audio",
            "video", "canvas", "svg", "math", "input", "select", "textarea", "iframe", "frameset", "map", "colgroup",
            "col", "datalist",
        ]
        for name in plain { kinds[name] = .block(margin: false) }
        for name in spaced { kinds[name] = .block(margin: true) }
        for name in dropped { kinds[name] = .dropped }
        return kinds
    }()
}

extension HTMLElement {
    /// Whether the author hid the element, as preheaders are.
    var isHidden: Bool {
        if attribute("hidden") != nil { return true }
        guard let style = compactStyle else { return false }
        return style.split(separator: 0x3B).contains { declaration in
            HTMLElement.hiding.contains { declaration.starts(with: $0) }
                || HTMLElement.hidingAtZero.contains { mark in
                    declaration.starts(with: mark) && HTMLElement.isZero(declaration.dropFirst(mark.count))
                }
        }
    }

    /// Whether the style asks for heavy type.
    var isStyledStrong: Bool {
        guard let style = compactStyle else { return false }
        return ["font-weight:bold", "font-weight:600", "font-weight:700", "font-weight:800"]
            .contains { style.hasText($0) }
    }

    /// The words for an image; `nil` for pixels, hidden images and images without words.
    var imageText: String? {
        guard !isTiny("width"), !isTiny("height"), let alt = attribute("alt") else { return nil }
        let text = alt.split { $0.isWhitespace }.joined(separator: " ")
        return text.isEmpty || text == "Remote image hidden" ? nil : text
    }

    /// Whether only inline content is below, as far as a short look tells.
    func isInlineOnly(budget: inout Int) -> Bool {
        for child in children {
            guard let element = child.element else { continue }
            budget -= 1
            guard budget > 0, element.name != "br" else { return false }
            if case .block = ElementKind.of(element.name) { return false }
            guard element.isInlineOnly(budget: &budget) else { return false }
        }
        return true
    }

    private func isTiny(_ name: String) -> Bool {
        guard let value = attribute(name) else { return false }
        return ["0", "1", "2", "0px", "1px", "2px"].contains(value)
    }

    private var compactStyle: [UInt8]? {
        guard let style = attribute("style"), !style.isEmpty else { return nil }
        return style.utf8.compactMap { byte in
            byte <= 0x20 ? nil : (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
        }
    }

    private static let hiding = ["display:none", "visibility:hidden", "mso-hide:all"].map { Array($0.utf8) }
    private static let hidingAtZero = ["max-height:", "opacity:"].map { Array($0.utf8) }

    private static func isZero(_ value: ArraySlice<UInt8>) -> Bool {
        let number = value.prefix { $0 != 0x21 }
        return ["0", "0px", "0.0"].contains { number.elementsEqual($0.utf8) }
    }
}

extension [UInt8] {
    /// Whether the bytes of `text` occur.
    func hasText(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard let first = wanted.first, count >= wanted.count else { return false }
        for start in 0...(count - wanted.count) where self[start] == first {
            if self[start..<(start + wanted.count)].elementsEqual(wanted) { return true }
        }
        return false
    }
}
