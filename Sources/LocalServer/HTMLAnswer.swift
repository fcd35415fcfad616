internal import HTML

/// How the images of a message may be shown.
struct SanitizedImages: Sendable {
    let message: String
    let origin: String
    let loadsRemote: Bool
    /// Attachment ids by Content-ID, as `key` writes it.
    var attachments: [String: String] = [:]

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
}

/// The answer of `/messages/{id}/html`.
enum HTMLAnswer {
    /// The answer for a message's HTML part.
    static func text(_ source: String, _ images: SanitizedImages, isTrusted: Bool) -> JSONText {
        let root = HTMLDocument.parse(source)
        let parts = QuoteSplit(root)
        var sanitizer = HTMLSanitizer(images)
        let html = sanitizer.text(parts.before)
        let quote = sanitizer.text(parts.quote)
        let after = sanitizer.text(parts.after)
        var text = JSONText()
        text.member("{\"html\":", html)
        text.member(",\"quotedHtml\":", nonBlank(quote))
        text.member(",\"afterQuotedHtml\":", nonBlank(after))
        text.member(",\"hasRemoteImages\":", json: sanitizer.hasRemoteImages ? "true" : "false")
        text.member(",\"remoteMediaTrusted\":", json: isTrusted ? "true}" : "false}")
        return text
    }

    private static func nonBlank(_ text: String) -> String? {
        text.utf8.allSatisfy { $0 <= 0x20 } ? nil : text
    }
}

/// A document cut at its last quote block.
struct QuoteSplit {
    private(set) var before: [HTMLNode] = []
    private(set) var quote: [HTMLNode] = []
    private(set) var after: [HTMLNode] = []

    init(_ root: HTMLNode) {
        before = [root]
        if let cut = QuoteSplit.cut(root) {
            before = [cut.before]
            quote = [cut.quote]
            after = cut.after
        }
    }

    private static func isQuote(_ element: HTMLElement) -> Bool {
        if element.name == "blockquote" { return element.attribute("type")?.lowercased() == "cite" }
        guard element.name == "div", let names = element.attribute("class") else { return false }
        return names.split(separator: " ").contains("gmail_quote")
    }

    /// Cuts below a node; what follows the quote loses the elements that were open around it.
    private static func cut(_ node: HTMLNode) -> (before: HTMLNode, quote: HTMLNode, after: [HTMLNode])? {
        guard let element = node.element else { return nil }
        for index in element.children.indices.reversed() {
            let child = element.children[index]
            let rest = Array(element.children[(index + 1)...])
            var kept = element
            kept.children = Array(element.children[..<index])
            if let inner = child.element, isQuote(inner) { return (.element(kept), child, rest) }
            if let deeper = cut(child) {
                kept.children.append(deeper.before)
                return (.element(kept), deeper.quote, deeper.after + rest)
            }
        }
        return nil
    }
}
