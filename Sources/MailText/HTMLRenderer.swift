internal import DisplayText
internal import HTML

/// Lays out one document; links are numbered on from those given.
///
/// One walk over the tree, in document order. Where a part must be measured before it is known how to lay it out,
/// as with tables, it is walked once aside (`collect`) and never more than that.
struct HTMLRenderer {
    /// What the elements around a piece of text make of it.
    struct Context {
        var role: TextRole
        var whiteSpace = ElementStyle.WhiteSpace.collapses
        /// The address of the link around; it gets its number once it shows text.
        var address: String?
        /// All the text of the link around, as the sender wrote it.
        var linkText = ""
        var listDepth = 0
        /// The marks of the list around: the type of its numbers, or `none`.
        var listStyle: String?
        /// The size of the text, in pixels.
        var fontSize = 16.0
        var color = AuthorColor.black
        var background = AuthorColor.white

        var keepsBlanks: Bool { whiteSpace == .keepsAll }
    }

    var writer: BlockWriter
    var links: LinkCollector
    var images: ImageCollector
    /// The number of the link that is open, set by its first text.
    var currentLink: Int?
    /// The addresses of links with words.
    var textLinks: Set<String> = []
    /// Whether a part is being measured.
    var isCollecting = false

    init(columns: Int, links: LinkCollector, images: ImageCollector = ImageCollector()) {
        writer = BlockWriter(columns: columns)
        self.links = links
        self.images = images
    }

    /// The lines of a document, all in quotes when `quoteLevel` says so.
    mutating func render(_ source: String, quoteLevel: Int) -> [TextLine] {
        let document = HTMLDocument.parse(source)
        let context = Context(role: TextRole(quoteLevel: quoteLevel))
        let isBarred = quoteLevel > 0 && document.element?.contains(anyOf: ["blockquote"]) == false
        if isBarred { writer.pushPrefix(first: "│ ", rest: "│ ", role: context.role) }
        document.element?.addTextLinks(to: &textLinks)
        walk(document, context)
        writer.endBlock()
        return writer.lines + (writer.isFull ? [TextLine([TextRun("[…]", .dim)])] : [])
    }

    mutating func walk(_ node: HTMLNode, _ context: Context) {
        guard !writer.isFull else { return }
        switch node {
        case .text(let text): addText(text, context)
        case .element(let element): visit(element, context)
        }
    }

    mutating func walkChildren(_ element: HTMLElement, _ context: Context) {
        for child in element.children { walk(child, context) }
    }

    private mutating func visit(_ element: HTMLElement, _ context: Context) {
        let style = ElementStyle(element)
        guard style.display != ElementStyle.Display.none, !style.isInvisible else { return }
        let inner = context.inside(element, style)
        switch ElementKind.of(element.name) {
        case .dropped: return
        case .inline:
            guard style.display == .block, element.name != "img", element.name != "br" else {
                return visitInline(element, style, inner)
            }
            visitBlock(element, style, margin: 0, inner, outer: context)
        case .block(let margin):
            guard style.isInline(element) else {
                return visitBlock(element, style, margin: margin, inner, outer: context)
            }
            writer.addGap(context.role)
            walkChildren(element, inner)
            writer.addGap(context.role)
        }
    }

    private mutating func addText(_ text: String, _ context: Context) {
        guard !context.isUnreadable else { return }
        let safe = HTMLRenderer.sanitized(text)
        let role = linkedRole(context, text: safe)
        switch context.whiteSpace {
        case .collapses: writer.addCollapsed(safe, role)
        case .keepsLines: writer.addPreformatted(safe, role, keepsBlanks: false)
        case .keepsAll: writer.addPreformatted(safe, role, keepsBlanks: true)
        }
    }

    /// Safe text that keeps the blanks that do not break and the places that may, without the signs of fonts that only
    /// the sender has.
    private static func sanitized(_ text: String) -> String {
        // Those begin with these bytes in UTF-8.
        guard text.utf8.contains(where: { $0 == 0xEE || $0 == 0xEF || $0 >= 0xF3 }) else { return spaced(text) }
        let shown = text.unicodeScalars.filter { $0.properties.generalCategory != .privateUse }
        return spaced(String(String.UnicodeScalarView(shown)))
    }

    private static func spaced(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0xC2 || $0 == 0xE2 }) else { return TextDisplay.sanitizedText(text) }
        var result = ""
        var piece = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard scalar == "\u{A0}" || scalar == "\u{200B}" else {
                piece.append(scalar)
                continue
            }
            result += TextDisplay.sanitizedText(String(piece))
            result.unicodeScalars.append(scalar)
            piece.removeAll(keepingCapacity: true)
        }
        return result + TextDisplay.sanitizedText(String(piece))
    }

    /// The role of text that is about to be shown; gives a link its number at its first visible text.
    mutating func linkedRole(_ context: Context, text: String) -> TextRole {
        var role = context.role
        guard let address = context.address, !text.isBlank else { return role }
        if currentLink == nil, let number = links.number(for: address, text: "") {
            currentLink = number
            writer.beginLink(number, isSuspect: links.check(number, text: context.linkText))
        }
        guard let number = currentLink else { return role }
        let words = text.split { $0.isWhitespace || $0 == "\u{200B}" }.joined(separator: " ")
        links.addText(words, to: number)
        role.link = number
        return role
    }

    /// The lines of a part on its own, each paragraph one line of any width.
    mutating func collect(_ element: HTMLElement, _ context: Context) -> [TextLine] {
        var aside = BlockWriter(columns: HTMLRenderer.collectedColumns)
        aside.openLink = writer.openLink
        swap(&aside, &writer)
        let wasCollecting = isCollecting
        isCollecting = true
        walkChildren(element, context)
        writer.endBlock()
        isCollecting = wasCollecting
        swap(&aside, &writer)
        writer.openLink = aside.openLink
        return aside.lines
    }

    private static let collectedColumns = 100_000
}
