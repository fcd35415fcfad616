internal import HTML

extension HTMLRenderer {
    private static let longestRule = 40
    private static let smallestSpacer = 8.0
    private static let largestSpacer = 40.0

    mutating func visitBlock(
        _ element: HTMLElement, _ style: ElementStyle, margin: Double, _ context: Context, outer: Context
    ) {
        writer.endBlock(keepsIndent: outer.keepsBlanks)
        let outerDirection = writer.isRightToLeft
        if let direction = style.isRightToLeft { writer.isRightToLeft = direction }
        let space = style.space(of: element, margin: margin, context)
        writer.addSpace(space.above)
        let before = writer.lines.count
        visitContent(element, style, context)
        writer.endBlock(keepsIndent: context.keepsBlanks)
        if writer.lines.count == before { addEmptyBlock(element, style, context) }
        writer.addSpace(space.below)
        writer.isRightToLeft = outerDirection
    }

    /// A block without text may be a rule, or room between two others.
    private mutating func addEmptyBlock(_ element: HTMLElement, _ style: ElementStyle, _ context: Context) {
        if style.hasTopBorder, !isCollecting { return addRule(context) }
        guard let height = style.height?.pixels(around: context.fontSize), height >= HTMLRenderer.smallestSpacer else {
            return
        }
        writer.addSpace(min(height, HTMLRenderer.largestSpacer))
    }

    private mutating func addRule(_ context: Context) {
        guard writer.lines.last?.isRule != true, !(writer.lines.isEmpty && !isCollecting) else { return }
        writer.addSpace(16)
        let columns = min(HTMLRenderer.longestRule, writer.room)
        writer.addLine([TextRun(String(repeating: "─", count: columns), context.role.adding(.dim))])
        writer.addSpace(16)
    }

    private mutating func visitContent(_ element: HTMLElement, _ style: ElementStyle, _ context: Context) {
        switch element.name {
        case "hr": addRule(context)
        case "table": visitTable(element, context)
        case "tr": visitRow(element, context)
        case "blockquote":
            var inner = context
            inner.role.quoteLevel += 1
            visitPrefixed(element, inner, first: "│ ", rest: "│ ")
        case "dd": visitPrefixed(element, context, first: "  ", rest: "  ")
        case "ul", "menu", "ol": visitList(element, style, context)
        case "li": visitPrefixed(element, context, first: "• ", rest: "  ")
        case "a": visitLink(element, context)
        case "div", "p", "td", "section":
            guard style.isSetOff else { return walkChildren(element, context) }
            visitPrefixed(element, context, first: "│ ", rest: "│ ")
        case "del", "s", "strike", "span", "font", "b", "strong", "em", "i":
            visitInline(element, style, context)
        default: walkChildren(element, context)
        }
    }

    mutating func visitPrefixed(_ element: HTMLElement, _ context: Context, first: String, rest: String) {
        writer.pushPrefix(first: first, rest: rest, role: TextRole(quoteLevel: context.role.quoteLevel))
        walkChildren(element, context)
        writer.endBlock(keepsIndent: context.keepsBlanks)
        writer.popPrefix()
    }

    private mutating func visitList(_ element: HTMLElement, _ style: ElementStyle, _ context: Context) {
        var inner = context
        inner.listDepth += 1
        var marker = ListMarker(element, style, depth: inner.listDepth)
        for child in element.children {
            guard let item = child.element, item.name == "li" else {
                walk(child, inner)
                continue
            }
            visitItem(item, &marker, inner)
        }
    }

    private mutating func visitItem(_ item: HTMLElement, _ marker: inout ListMarker, _ context: Context) {
        let style = ElementStyle(item)
        guard style.display != ElementStyle.Display.none, !style.isInvisible else { return }
        let inner = context.inside(item, style)
        let isMarked = style.listStyle?.contains("none") != true
        if style.isInline(item) {
            writer.addGap(context.role)
            walkChildren(item, inner)
            return writer.addGap(context.role)
        }
        writer.endBlock()
        let text = isMarked ? marker.next(value: item.attribute("value")) : ""
        let rest = String(repeating: " ", count: LineWrapper.width(text))
        visitPrefixed(item, inner, first: text, rest: rest)
    }
}

extension ElementStyle {
    /// A margin of this many pixels or more separates paragraphs.
    private static let smallestMargin = 6.0
    private static let paragraphMargin = 16.0

    /// The room above and below an element, in pixels.
    fileprivate func space(
        of element: HTMLElement, margin: Double, _ context: HTMLRenderer.Context
    ) -> (above: Double, below: Double) {
        let isNested = context.listDepth > 0 && ["ul", "ol", "menu"].contains(element.name)
        func side(_ margin: Length?, _ padding: Length?, _ usual: Double) -> Double {
            let given = margin.map { $0.pixels(around: context.fontSize) } ?? usual
            let isParagraph = usual > 0 && given >= ElementStyle.smallestMargin
            let own = isParagraph ? max(given, ElementStyle.paragraphMargin) : max(0, given)
            return own + max(0, padding?.pixels(around: context.fontSize) ?? 0)
        }
        let usual = isNested ? 0 : margin
        return (side(marginTop, paddingTop, usual), side(marginBottom, paddingBottom, usual))
    }

    /// Whether a bar stands at the left of the text, as beside a quotation.
    fileprivate var isSetOff: Bool { hasLeftBorder && !hasBorder && !hasTopBorder }
}

extension TextLine {
    /// Whether the line is a rule.
    fileprivate var isRule: Bool {
        guard let last = runs.last else { return false }
        return last.text.unicodeScalars.allSatisfy { $0 == "─" }
    }
}
