/// The entry to the parser.
package enum HTMLDocument {
    /// The tree of a document or fragment, under an element called `#document`.
    ///
    /// Never fails: what cannot be read is dropped, what is not UTF-8 becomes U+FFFD. The tree is at most
    /// `limits.depth` levels deep, so walking it by recursion is safe.
    package static func parse(_ bytes: [UInt8], limits: HTMLLimits = HTMLLimits()) -> HTMLNode {
        let kept = bytes.count > limits.sourceBytes ? Array(bytes[..<limits.sourceBytes]) : bytes
        return parse(valid: Array(String(decoding: kept, as: UTF8.self).utf8), limits: limits)
    }

    /// The tree of a document or fragment, under an element called `#document`.
    package static func parse(_ text: String, limits: HTMLLimits = HTMLLimits()) -> HTMLNode {
        let bytes = Array(text.utf8.prefix(limits.sourceBytes))
        if bytes.count == limits.sourceBytes { return parse(bytes, limits: limits) }
        return parse(valid: bytes, limits: limits)
    }

    private static func parse(valid bytes: [UInt8], limits: HTMLLimits) -> HTMLNode {
        let session = ParserSession(builder: TreeBuilder(limits: limits))
        var filter = SourceFilter(source: bytes, attributeLimit: limits.attributes)
        if filter.startsAsFragment { session.feed(Array("<html><body>".utf8)) }
        while let chunk = filter.nextChunk() {
            session.feed(chunk)
        }
        return .element(session.finish())
    }
}
