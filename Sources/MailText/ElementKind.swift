internal import HTML

/// How an element takes part in the flow of text.
enum ElementKind {
    case inline
    /// A block with so many pixels before and after it.
    case block(margin: Double)
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
            "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "optgroup",
        ]
        let spaced = [
            "blockquote", "dl", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "menu", "ol", "p", "pre", "ul",
        ]
        let dropped = [
            "script", "style", "title", "meta", "link", "base", "template", "object", "embed", "applet", "audio",
            "video", "canvas", "svg", "input", "select", "textarea", "iframe", "frameset", "map", "colgroup",
            "col", "datalist", "rp",
        ]
        for name in plain { kinds[name] = .block(margin: 0) }
        for name in spaced { kinds[name] = .block(margin: 16) }
        for name in dropped { kinds[name] = .dropped }
        return kinds
    }()
}

extension HTMLElement {
    private static let longestImageText = 160

    /// The words for an image; `nil` for pixels, hidden images and images without words.
    var imageText: String? {
        guard !isTinyImage, let alt = attribute("alt") else { return nil }
        var text = alt.split { $0.isWhitespace }.joined(separator: " ")
        if text == "Remote image hidden" || HTMLElement.isFileName(text) { return nil }
        if ["spacer", "pixel", "image", "img", "divider", "border", "line", "shadow"].contains(text.lowercased()) {
            return nil
        }
        if text.utf8.count > HTMLElement.longestImageText {
            text = String(text.prefix(HTMLElement.longestImageText)) + "…"
        }
        return text.isBlank ? nil : text
    }

    /// Whether an image is too small to show anything, as those are that only tell that mail was opened.
    var isTinyImage: Bool {
        ["width", "height"].contains { name in
            guard let value = attribute(name), case .pixels(let pixels)? = ElementStyle.length(value) else {
                return false
            }
            return pixels <= 3
        }
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

    /// Whether an element called one of `names` is below.
    func contains(anyOf names: Set<String>) -> Bool {
        children.contains { child in
            guard let element = child.element else { return false }
            return names.contains(element.name) || element.contains(anyOf: names)
        }
    }

    private static func isFileName(_ text: String) -> Bool {
        let lower = text.lowercased()
        return !lower.contains(" ") && [".png", ".jpg", ".jpeg", ".gif", ".webp"].contains { lower.hasSuffix($0) }
    }
}
