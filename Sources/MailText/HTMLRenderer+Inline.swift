internal import DisplayText
internal import HTML

extension HTMLRenderer {
    mutating func visitInline(_ element: HTMLElement, _ style: ElementStyle, _ context: Context) {
        switch element.name {
        case "br": writer.breakLine(keepsIndent: context.keepsBlanks)
        case "wbr":
            writer.addCollapsed("\u{200B}", context.role)
            // To the parser it is an element with content.
            walkChildren(element, context)
        case "img": addImage(element, context)
        case "a": visitLink(element, context)
        case "q": visitEnclosed(element, context, "“", "”")
        case "rt": visitEnclosed(element, context, "(", ")")
        case "sup", "sub": visitRaised(element, context)
        case "option", "button": visitGapped(element, context)
        default:
            guard context.role.marks.contains(.deleted), isDeletion(element, style) else {
                return walkChildren(element, context)
            }
            visitEnclosed(element, context, "~~", "~~")
        }
    }

    private func isDeletion(_ element: HTMLElement, _ style: ElementStyle) -> Bool {
        ["del", "s", "strike"].contains(element.name) || style.isDeleted
    }

    private mutating func visitEnclosed(_ element: HTMLElement, _ context: Context, _ open: String, _ close: String) {
        guard element.hasVisibleText, !context.isUnreadable else { return walkChildren(element, context) }
        writer.addLiteral(open, linkedRole(context, text: open))
        walkChildren(element, context)
        writer.addLiteral(close, linkedRole(context, text: close))
    }

    private mutating func visitGapped(_ element: HTMLElement, _ context: Context) {
        writer.addGap(context.role)
        walkChildren(element, context)
        writer.addGap(context.role)
    }

    private static let tradeMarks = ["TM": "™", "SM": "℠"]

    /// Raised and lowered digits as the characters that Unicode has for them.
    private mutating func visitRaised(_ element: HTMLElement, _ context: Context) {
        let text = element.hasText(atMost: HTMLRenderer.longestRaised) ? element.textContent : ""
        let signs = element.name == "sup" ? HTMLRenderer.raised : HTMLRenderer.lowered
        if element.name == "sup", let sign = HTMLRenderer.tradeMarks[text.uppercased()], !context.isUnreadable {
            return writer.addLiteral(sign, linkedRole(context, text: text))
        }
        let changed = text.compactMap { signs[$0] }
        guard !text.isEmpty, changed.count == text.count, !context.isUnreadable else {
            return walkChildren(element, context)
        }
        writer.addLiteral(String(changed), linkedRole(context, text: text))
    }

    private static let longestRaised = 12
    private static let raised = Dictionary(uniqueKeysWithValues: zip("0123456789+-n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ"))
    private static let lowered = Dictionary(uniqueKeysWithValues: zip("0123456789+-", "₀₁₂₃₄₅₆₇₈₉₊₋"))

    private mutating func addImage(_ element: HTMLElement, _ context: Context) {
        let number = images.number(for: element)
        guard element.imageText != nil || number != nil else { return }
        let safe = element.imageText.map { TextDisplay.sanitizedLine($0) }
        // The words of an image that is a link are the link's text.
        writer.addSeparator()
        if context.address != nil {
            let text = safe ?? "[image]"
            var role = linkedRole(context, text: safe ?? "image")
            if safe == nil { role = role.adding(.dim) }
            role.image = number
            writer.addLiteral(text, role)
        } else {
            var role = context.role.adding(.dim)
            role.image = number
            writer.addLiteral(safe.map { "[image: \($0)]" } ?? "[image]", role)
        }
        writer.separatesNext = true
    }

    mutating func visitLink(_ element: HTMLElement, _ context: Context) {
        var inner = context
        let address = element.linkAddress
        guard LinkCollector.isOpenable(address), context.address == nil else { return walkChildren(element, inner) }
        inner.address = address
        inner.linkText = element.textContent
        inner.role.marks.subtract([.warning, .approval])
        currentLink = nil
        walkChildren(element, inner)
        if currentLink == nil, isPicture(element), !links.isKnown(address), !textLinks.contains(address) {
            writer.addSeparator()
            writer.addLiteral("[image]", linkedRole(inner, text: "image").adding(.dim))
        }
        if let number = currentLink, links.isSpelledOutByItsText(number) { links.markSpelledOut(number) }
        writer.endLink()
        currentLink = nil
    }

    /// Whether a link shows a picture that is large enough to be looked at.
    private func isPicture(_ element: HTMLElement) -> Bool {
        guard let image = element.firstElement(named: "img"), !image.isTinyImage else { return false }
        let style = ElementStyle(image)
        guard style.display != ElementStyle.Display.none, !style.isInvisible else { return false }
        let sizes = ["width", "height"].compactMap { image.attribute($0) }.compactMap(ElementStyle.length)
        return sizes.allSatisfy { $0.pixels(around: 16) >= 64 }
    }
}

extension HTMLElement {
    /// The address of a link, without the blanks and line ends in it.
    fileprivate var linkAddress: String {
        (attribute("href") ?? "").split { $0.isWhitespace }.joined()
    }

    /// Adds the addresses of the links that have words, so that pictures with the same address need not be shown.
    func addTextLinks(to addresses: inout Set<String>) {
        if name == "a", hasVisibleText { addresses.insert(linkAddress) }
        for child in children { child.element?.addTextLinks(to: &addresses) }
    }
}
