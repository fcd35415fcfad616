internal import CXML2

/// Feeds clean source to libxml2's push parser, whose events build the tree.
///
/// The parser's work on an end tag grows with the number of open elements; a source that nests beyond any
/// real mail gets a fresh parser, which keeps the whole linear.
final class ParserSession {
    private static let deepestParser = 512
    private static let ready: Void = xmlInitParser()

    private let builder: TreeBuilder
    private var context: htmlParserCtxtPtr?

    init(builder: TreeBuilder) {
        self.builder = builder
        _ = ParserSession.ready
        context = makeContext()
    }

    deinit {
        if let context { htmlFreeParserCtxt(context) }
    }

    /// Takes source that ends outside a tag.
    func feed(_ bytes: [UInt8]) {
        push(bytes, last: false)
        guard builder.openElements > ParserSession.deepestParser else { return }
        closeContext()
        context = makeContext()
        push(Array("<html><body>".utf8), last: false)
    }

    /// The tree of all that was fed.
    func finish() -> HTMLElement {
        closeContext()
        return builder.finish()
    }

    private func push(_ bytes: [UInt8], last: Bool) {
        guard let context else { return }
        bytes.withUnsafeBytes { buffer in
            let start = buffer.bindMemory(to: CChar.self).baseAddress
            _ = htmlParseChunk(context, start, Int32(truncatingIfNeeded: buffer.count), last ? 1 : 0)
        }
    }

    private func closeContext() {
        push([], last: true)
        while builder.openElements > 0 { builder.end() }
        if let context { htmlFreeParserCtxt(context) }
        context = nil
    }

    private func makeContext() -> htmlParserCtxtPtr? {
        var handler = makeHandler()
        let user = Unmanaged.passUnretained(builder).toOpaque()
        let context = htmlCreatePushParserCtxt(&handler, user, nil, 0, nil, XML_CHAR_ENCODING_UTF8)
        guard let context else { return nil }
        let options =
            HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
            | HTML_PARSE_NONET.rawValue | HTML_PARSE_IGNORE_ENC.rawValue | UInt32(XML_PARSE_HUGE.rawValue)
        _ = htmlCtxtUseOptions(context, Int32(truncatingIfNeeded: options))
        return context
    }

    private func makeHandler() -> xmlSAXHandler {
        var handler = xmlSAXHandler()
        handler.startElement = { context, name, attributes in
            guard let context, let name else { return }
            let builder = Unmanaged<TreeBuilder>.fromOpaque(context).takeUnretainedValue()
            builder.start(string(name), attributePairs(attributes))
        }
        handler.endElement = { context, _ in
            guard let context else { return }
            Unmanaged<TreeBuilder>.fromOpaque(context).takeUnretainedValue().end()
        }
        handler.characters = appendText
        handler.cdataBlock = appendText
        handler.ignorableWhitespace = appendText
        return handler
    }
}

private func appendText(
    _ context: UnsafeMutableRawPointer?, _ start: UnsafePointer<xmlChar>?, _ count: Int32
) {
    guard let context, let start, count > 0 else { return }
    Unmanaged<TreeBuilder>.fromOpaque(context).takeUnretainedValue()
        .append(UnsafeBufferPointer(start: start, count: Int(count)))
}

private func string(_ bytes: UnsafePointer<xmlChar>) -> String {
    String(cString: bytes)
}

/// The parser's flat list: name, value or nil, and so on, ended by nil.
private func attributePairs(_ list: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) -> [HTMLAttribute] {
    guard let list else { return [] }
    var attributes: [HTMLAttribute] = []
    var index = 0
    while let name = list[index] {
        let value = list[index + 1].map { TreeBuilder.decoded(Array(string($0).utf8)) } ?? ""
        attributes.append(HTMLAttribute(name: string(name), value: value))
        index += 2
    }
    return attributes
}
