internal import DisplayText
internal import HTML

/// Lays out one document; links are numbered on from those given.
struct HTMLRenderer {
    /// What the elements around a piece of text make of it.
    private struct Context {
        var role: TextRole
        var isPreformatted = false
        /// The address of the link around, and its number once it showed text.
        var address: String?
        var listDepth = 0
    }

    private var writer: BlockWriter
    private(set) var links: LinkCollector
    /// The number of the link that is open, set by its first text.
    private var currentLink: Int?

    init(columns: Int, links: LinkCollector) {
        writer = BlockWriter(columns: columns)
        self.links = links
    }

    /// The lines of a document, all in quotes when `quoteLevel` says so.
    mutating func render(_ source: String, quoteLevel: Int) -> [TextLine] {
        walk(HTMLDocument.parse(source), Context(role: TextRole(quoteLevel: quoteLevel)))
        writer.endBlock(margin: false)
        return writer.lines + (writer.isFull ? [TextLine([TextRun("[…]", .dim)])] : [])
    }

    private mutating func walk(_ node: HTMLNode, _ context: Context) {
        guard !writer.isFull else { return }
        switch node {
        case .text(let text): addText(text, context)
        case .element(let element): visit(element, context)
        }
    }

    private mutating func walkChildren(_ element: HTMLElement, _ context: Context) {
        for child in element.children { walk(child, context) }
    }

    private mutating func addText(_ text: String, _ context: Context) {
        let safe = HTMLRenderer.sanitized(text)
        let role = linkedRole(context, text: safe)
        if context.isPreformatted {
            writer.addPreformatted(safe, role)
        } else {
            writer.addCollapsed(safe, role)
        }
    }

    /// Safe text that keeps its no-break spaces, which do not collapse.
    private static func sanitized(_ text: String) -> String {
        guard text.utf8.contains(0xC2) else { return TextDisplay.sanitizedText(text) }
        return text.unicodeScalars.split(separator: "\u{A0}", omittingEmptySubsequences: false)
            .map { TextDisplay.sanitizedText(String($0)) }.joined(separator: "\u{A0}")
    }

    /// The role of text that is about to be shown; gives a link its number at its first visible text.
    private mutating func linkedRole(_ context: Context, text: String) -> TextRole {
        var role = context.role
        guard let address = context.address else { return role }
        guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else { return role }
        let words = text.split { $0.isWhitespace }.joined(separator: " ")
        if currentLink == nil, let number = links.number(for: address, text: "") {
            currentLink = number
            writer.beginLink(number)
        }
        guard let number = currentLink else { return role }
        links.addText(words, to: number)
        role.link = number
        return role
    }

    private mutating func visit(_ element: HTMLElement, _ context: Context) {
        guard !element.isHidden else { return }
        switch ElementKind.of(element.name) {
        case .dropped: return
        case .inline: visitInline(element, context)
        case .block(let margin):
            let isLoose = margin && !(context.listDepth > 0 && ["ul", "ol", "menu"].contains(element.name))
            writer.endBlock(margin: isLoose, keepsIndent: context.isPreformatted)
            visitBlock(element, context)
            writer.endBlock(margin: isLoose, keepsIndent: context.isPreformatted || element.name == "pre")
        }
    }

    private mutating func visitInline(_ element: HTMLElement, _ context: Context) {
        var inner = context
        if element.isStyledStrong { inner.role.marks.insert(.strong) }
        switch element.name {
        case "br": return writer.breakLine(keepsIndent: context.isPreformatted)
        case "img": return addImage(element, context)
        case "a": return visitLink(element, inner)
        case "b", "strong": inner.role.marks.insert(.strong)
        case "em", "i", "cite", "dfn", "var": inner.role.marks.insert(.emphasis)
        case "code", "kbd", "samp", "tt": inner.role.marks.insert(.code)
        case "q":
            writer.addLiteral("“", linkedRole(inner, text: "“"))
            walkChildren(element, inner)
            return writer.addLiteral("”", linkedRole(inner, text: "”"))
        default: break
        }
        walkChildren(element, inner)
    }

    private mutating func addImage(_ element: HTMLElement, _ context: Context) {
        guard let words = element.imageText else { return }
        let text = "[image: \(TextDisplay.sanitizedLine(words))]"
        writer.addLiteral(text, linkedRole(context, text: text).adding(.dim))
    }

    private mutating func visitLink(_ element: HTMLElement, _ context: Context) {
        var inner = context
        let address = (element.attribute("href") ?? "").split { $0.isWhitespace }.joined()
        guard LinkCollector.isOpenable(address), context.address == nil else { return walkChildren(element, inner) }
        inner.address = address
        currentLink = nil
        walkChildren(element, inner)
        if let number = currentLink, links.links[number - 1].text == links.links[number - 1].url {
            links.markSpelledOut(number)
        }
        writer.endLink(context.role)
        currentLink = nil
    }

    private mutating func visitBlock(_ element: HTMLElement, _ context: Context) {
        var inner = context
        if element.isStyledStrong { inner.role.marks.insert(.strong) }
        switch element.name {
        case "h1", "h2", "h3", "h4", "h5", "h6": inner.role.marks.insert(.heading)
        case "th", "dt": inner.role.marks.insert(.strong)
        case "pre":
            inner.isPreformatted = true
            inner.role.marks.insert(.code)
        case "hr":
            let rule = String(repeating: "─", count: min(40, writer.room))
            return writer.addLine([TextRun(rule, context.role.adding(.dim))])
        case "table":
            guard let table = AlignedTable(element, room: writer.room) else { break }
            for line in table.lines(inner.role) { writer.addLine(line) }
            return
        case "tr": return visitRow(element, context)
        case "blockquote":
            inner.role.quoteLevel += 1
            return visitPrefixed(element, inner, first: "│ ", rest: "│ ")
        case "dd": return visitPrefixed(element, inner, first: "  ", rest: "  ")
        case "ul", "menu", "ol":
            inner.listDepth += 1
            return visitList(element, inner)
        case "li": return visitPrefixed(element, inner, first: "• ", rest: "  ")
        default: break
        }
        walkChildren(element, inner)
    }

    private mutating func visitPrefixed(_ element: HTMLElement, _ context: Context, first: String, rest: String) {
        writer.pushPrefix(first: first, rest: rest, role: TextRole(quoteLevel: context.role.quoteLevel))
        walkChildren(element, context)
        writer.endBlock(margin: false, keepsIndent: context.isPreformatted)
        writer.popPrefix()
    }

    private mutating func visitList(_ element: HTMLElement, _ context: Context) {
        guard element.name == "ol" else { return walkChildren(element, context) }
        var number = Int(element.attribute("start") ?? "") ?? 1
        if abs(number) > 99_999 { number = 1 }
        for child in element.children {
            guard let item = child.element, item.name == "li", !item.isHidden else {
                walk(child, context)
                continue
            }
            let marker = "\(number). "
            writer.endBlock(margin: false)
            visitPrefixed(item, context, first: marker, rest: String(repeating: " ", count: marker.utf8.count))
            number += 1
        }
    }

    /// Cells with only inline content share a line; others are blocks of their own.
    private mutating func visitRow(_ element: HTMLElement, _ context: Context) {
        var budget = 200
        let cells = element.children.compactMap(\.element)
        let sharesLine =
            cells.allSatisfy { ["td", "th"].contains($0.name) && $0.isInlineOnly(budget: &budget) }
            && cells.reduce(0) { $0 + $1.textContent.utf8.count } <= writer.room * 2
        guard sharesLine else { return walkChildren(element, context) }
        for cell in cells where !cell.isHidden {
            var inner = context
            if cell.name == "th" || cell.isStyledStrong { inner.role.marks.insert(.strong) }
            writer.addGap(context.role)
            walkChildren(cell, inner)
        }
    }
}
