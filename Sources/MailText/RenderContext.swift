internal import HTML

extension HTMLRenderer.Context {
    /// Smaller text is not meant to be seen.
    private static let smallestVisible = 2.5
    /// Small text in the colour of its background is not meant to be seen either.
    private static let smallestReadable = 8.0
    /// Text of this size and more stands out like a heading.
    private static let largeType = 20.0
    private static let longestLargeText = 150
    /// A colour of more text than this is decoration.
    private static let longestColoredText = 300

    private var isTooSmall: Bool { fontSize < HTMLRenderer.Context.smallestVisible }

    /// Whether the author made the text so that nobody sees it.
    var isUnreadable: Bool {
        if isTooSmall { return true }
        return fontSize < HTMLRenderer.Context.smallestReadable && color.distance(to: background) < 24
    }

    /// What an element makes of the text in it.
    func inside(_ element: HTMLElement, _ style: ElementStyle) -> HTMLRenderer.Context {
        var inner = self
        // Mail has no doctype, and without one a table does not take the size of the text around it.
        if element.name == "table", isTooSmall { inner.fontSize = 16 }
        if let size = style.fontSize?.pixels(around: fontSize) { inner.fontSize = size }
        if let space = style.whiteSpace { inner.whiteSpace = space }
        if let background = style.background { inner.background = background }
        inner.takeMarks(of: element.name)
        inner.takeStyle(element, style)
        if let color = style.color { inner.takeColor(color, element) }
        return inner
    }

    private mutating func takeMarks(of name: String) {
        switch name {
        case "b", "strong", "dt": role.marks.insert(.strong)
        case "em", "i", "cite", "dfn", "var": role.marks.insert(.emphasis)
        case "code", "kbd", "samp", "tt": role.marks.insert(.code)
        case "u", "ins": role.marks.insert(.underlined)
        case "del", "s", "strike": role.marks.insert(.deleted)
        case "mark": role.marks.insert(.highlighted)
        case "h1", "h2", "h3", "h4", "h5", "h6": role.marks.insert(.heading)
        case "pre", "listing":
            role.marks.insert(.code)
            whiteSpace = .keepsAll
        default: break
        }
    }

    private mutating func takeStyle(_ element: HTMLElement, _ style: ElementStyle) {
        if let isStrong = style.isStrong { set(.strong, isStrong) }
        if let isEmphasized = style.isEmphasized { set(.emphasis, isEmphasized) }
        if style.isDeleted { role.marks.insert(.deleted) }
        if style.isUnderlined, element.name != "a", address == nil { role.marks.insert(.underlined) }
        let large = HTMLRenderer.Context.largeType
        if style.fontSize != nil, fontSize >= large, address == nil,
            element.hasText(atMost: HTMLRenderer.Context.longestLargeText)
        {
            role.marks.insert(.strong)
        }
    }

    /// Keeps what a colour says, not the colour itself.
    private mutating func takeColor(_ color: AuthorColor, _ element: HTMLElement) {
        self.color = color
        let meaning = color.meaning
        role.marks.subtract([.warning, .approval])
        guard !meaning.isEmpty, element.name != "a", address == nil, !role.marks.contains(.heading),
            element.hasText(atMost: HTMLRenderer.Context.longestColoredText)
        else { return }
        role.marks.insert(meaning)
    }

    private mutating func set(_ mark: TextRole.Marks, _ isOn: Bool) {
        if isOn { role.marks.insert(mark) } else { role.marks.remove(mark) }
    }
}

extension HTMLElement {
    /// Whether there is something below, but not more than so many bytes of text and elements.
    func hasText(atMost limit: Int) -> Bool {
        var left = limit
        return takeText(&left) && left < limit
    }

    private func takeText(_ left: inout Int) -> Bool {
        for child in children {
            switch child {
            case .text(let text):
                left -= text.utf8.count
                if left < 0 { return false }
            case .element(let element):
                left -= 1
                if left < 0 || !element.takeText(&left) { return false }
            }
        }
        return true
    }

    /// Whether anything below is text that can be seen.
    var hasVisibleText: Bool {
        children.contains { child in
            switch child {
            case .text(let text): !text.isBlank
            case .element(let element): element.hasVisibleText
            }
        }
    }
}

extension ElementStyle {
    /// Whether an element that is a block by its name shares a line with what is around it.
    func isInline(_ element: HTMLElement) -> Bool {
        guard display == .inline || display == .inlineBlock else { return false }
        var budget = 20
        return element.isInlineOnly(budget: &budget) && (display == .inline || element.hasText(atMost: 40))
    }
}
