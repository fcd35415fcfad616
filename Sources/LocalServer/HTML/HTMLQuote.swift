internal import HTML

/// Finds the quoted mail in a source.
struct HTMLQuote {
    private static let blockClasses: Set<Substring> = [
        "protonmail_quote", "tutanota_quote", "zmail_extra", "skiff_quote",
    ]
    private static let divClasses: Set<Substring> = ["gmail_extra", "yahoo_quoted"]
    private static let blockIDs: Set<String> = [
        "mail-editor-reference-message-container", "isForwardContent", "isReplyContent", "mailcontent", "origbody",
        "reply139content",
    ]
    private static let separatorIDs: Set<String> = ["divRplyFwdMsg", "replySplit", "oriMsgHtmlSeperator"]

    private let outline: HTMLOutline

    /// The place of the last quote; `nil` when there is none.
    static func find(_ bytes: [UInt8]) -> Range<Int>? {
        HTMLQuote(outline: HTMLOutline(bytes)).last()
    }

    /// Where the first quote of Gmail begins; `nil` when there is none, or when it is a forwarded mail to be seen.
    static func gmailStart(_ bytes: [UInt8], subject: String) -> Int? {
        let outline = HTMLOutline(bytes)
        let first = outline.nodes.first { $0.name == "div" && $0.classes.contains("gmail_quote") }
        guard let start = first?.start else { return nil }
        let subject = subject.lowercased()
        let isForward = subject.hasPrefix("fwd:") || subject.hasPrefix("fw:")
        let precedes = outline.nodes.contains { $0.start < start && $0.text.utf8.contains { $0 > 0x20 } }
        return isForward || !precedes ? nil : start
    }

    private func last() -> Range<Int>? {
        var found: Range<Int>?
        for index in outline.nodes.indices where outline.nodes[index].start >= found?.upperBound ?? 0 {
            guard let block = quote(at: index) else { continue }
            found = outline.range(of: outline.widened(block))
        }
        return found
    }

    /// The neighbours that are a quote, beginning with a node.
    private func quote(at index: Int) -> [Int]? {
        let node = outline.nodes[index]
        if node.name.isEmpty { return originalMessage(node) ? following(index) : nil }
        if isBlock(index) { return [index] }
        return isSeparator(index) ? following(index) : nil
    }

    /// A node and all its siblings after it.
    private func following(_ index: Int) -> [Int] {
        outline.siblings(of: index).filter { $0 >= index }
    }

    private func originalMessage(_ node: HTMLOutline.Node) -> Bool {
        HTMLLink.trimmed(node.text) == "------- Original Message -------"
    }

    private func isBlock(_ index: Int) -> Bool {
        let node = outline.nodes[index]
        if node.attributes.isEmpty { return false }
        let classes = node.classes
        if classes.contains("gmail_quote") { return !isVisibleForward(index) }
        if !HTMLQuote.blockClasses.isDisjoint(with: classes) || node.attribute("data-skiff-mail") != nil { return true }
        if node.name == "div", !HTMLQuote.divClasses.isDisjoint(with: classes) { return true }
        if node.name == "blockquote" {
            if classes.contains("iosymail") || node.attribute("type") == "cite" { return true }
        }
        if node.attribute("name") == "quote" { return true }
        return node.attribute("id").map(HTMLQuote.blockIDs.contains) ?? false
    }

    /// Whether a Gmail block is a forwarded mail, which is not a quote.
    private func isVisibleForward(_ index: Int) -> Bool {
        outline.nodes[index].children.contains { child in
            outline.nodes[child].classes.contains("gmail_attr")
                && outline.text(of: child).contains("---------- Forwarded message ---------")
        }
    }

    private func isSeparator(_ index: Int) -> Bool {
        let node = outline.nodes[index]
        if node.classes.contains("moz-cite-prefix") { return true }
        if node.attribute("id").map(HTMLQuote.separatorIDs.contains) ?? false { return true }
        return isBorder(node) && headerFollows(index)
    }

    /// Whether an element is the line that Outlook and Windows Mail draw above a quote.
    private func isBorder(_ node: HTMLOutline.Node) -> Bool {
        guard node.name == "div", let style = node.attribute("style") else { return false }
        let plain = style.lowercased().filter { !$0.isWhitespace }
        return plain.contains("border-top:solid") || plain.contains("border-top-style:solid")
            || plain.contains("border:none;border-top:")
    }

    private func headerFollows(_ index: Int) -> Bool {
        let text = HTMLLink.trimmed(outline.text(of: index))
        return HTMLQuote.fromWords.contains { text.hasPrefix($0 + ":") }
    }

    /// The header's name in the languages that mail programs speak.
    private static let fromWords = [
        "From", "Von", "De", "Da", "Van", "Från", "Fra", "Od", "Lähettäjä", "Kimden", "От", "Від", "发件人", "寄件者", "差出人",
        "보낸 사람", "מאת", "من",
    ]
}
