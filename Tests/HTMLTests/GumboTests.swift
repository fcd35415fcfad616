import CGumbo
import Glibc
import HTML
import JSON
import MailTestSupport
import Testing

/// Gumbo reads HTML as browsers do (HTML5); our parser must find the same text in real mail.
@Suite struct GumboTests {
    private static let skipped: Set<String> = [
        "script", "style", "title", "textarea", "noscript", "noframes", "noembed", "iframe", "xmp", "plaintext",
        "select", "option", "template", "svg", "math",
    ]

    /// Words of the oracle's tree, in document order.
    private func oracle(_ source: [UInt8]) -> [String] {
        source.withUnsafeBytes { buffer -> [String] in
            guard let start = buffer.bindMemory(to: CChar.self).baseAddress else { return [] }
            var options = kGumboDefaultOptions
            guard let output = gumbo_parse_with_options(&options, start, buffer.count) else { return [] }
            defer { gumbo_destroy_output(&options, output) }
            var text = ""
            collect(output.pointee.root, into: &text)
            return GumboTests.words(text)
        }
    }

    private func collect(_ node: UnsafeMutablePointer<GumboNode>?, into text: inout String) {
        guard let node else { return }
        switch node.pointee.type {
        case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA:
            text += String(cString: node.pointee.v.text.text)
        case GUMBO_NODE_ELEMENT:
            let name = String(cString: gumbo_normalized_tagname(node.pointee.v.element.tag))
            if GumboTests.skipped.contains(name) { return }
            text += " "
            let children = node.pointee.v.element.children
            for index in 0..<Int(children.length) {
                collect(children.data[index]?.assumingMemoryBound(to: GumboNode.self), into: &text)
            }
            text += " "
        default: return
        }
    }

    private func ours(_ source: [UInt8]) -> [String] {
        var text = ""
        collect(HTMLDocument.parse(source), into: &text)
        return GumboTests.words(text)
    }

    private func collect(_ node: HTMLNode, into text: inout String) {
        switch node {
        case .text(let piece): text += piece
        case .element(let element):
            if GumboTests.skipped.contains(element.name) { return }
            text += " "
            for child in element.children { collect(child, into: &text) }
            text += " "
        }
    }

    private static func words(_ text: String) -> [String] {
        let shown = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F || $0.properties.isWhitespace }
        return String(String.UnicodeScalarView(shown)).split { $0.isWhitespace }.map(String.init)
    }

    /// The cases in which parsers of mail differ; small, so that they hold without the corpus.
    @Test(arguments: [
        "<p>a<p>b", "<ul><li>a<li>b</ul>", "<b>x<i>y</b>z</i>", "a &copy b &amp;lt; &#146; &#x20AC;",
        "<table><tr><td>a<td>b<tr><td>c</table>d", "<a href=x>y<a href=z>w</a>", "<div><p>a</div>b",
        "<!--x-->a<!-- -- >b-->c", "<!doctype html><title>t</title>a", "1 < 2 & 3 > 2", "<br/>a</br>b",
        "a<![if !mso]>b<![endif]>",
        "<p title='>'>a</p>", "&ampx &ltb &notit; &copyx", "<h1>a<h2>b</h1>c", "<style>p{}</style>a",
        "<font><p>a</font>b",
    ])
    func `small documents have the text that browsers find`(source: String) {
        #expect(ours(Array(source.utf8)) == oracle(Array(source.utf8)))
    }

    /// Fails when our parser drops, doubles or invents text in real mail.
    @Test(arguments: ["modern-html.jsonl", "dev.jsonl", "spamassassin.jsonl"])
    func `real mail has the text that browsers find`(file: String) throws {
        guard let bytes = SharedFolder.read("payloads/" + file) else { return }
        let lines = bytes.split(separator: 0x0A)
        let step = getenv("HERALD_ALL_MAIL") == nil ? max(1, lines.count / 60) : 1
        var different: [Int] = []
        var count = 0
        for (index, line) in lines.enumerated() where index % step == 0 {
            guard let source = try GumboTests.html(Array(line)) else { continue }
            count += 1
            // Gumbo moves text out of tables, where ours keeps the order of the source.
            if ours(source).sorted() != oracle(source).sorted() { different.append(index) }
        }
        #expect(different.isEmpty, "\(file): \(different.count) of \(count) differ: \(different.prefix(20))")
    }

    private static func html(_ line: [UInt8]) throws -> [UInt8]? {
        var reader = JSONReader(line)
        var html: String?
        try reader.object { (reader, name) throws(JSONError) in
            guard name == "html" else { return try reader.skip() }
            if try reader.takeNull() { return }
            try reader.object { (reader, name) throws(JSONError) in
                if name == "html" { html = try reader.string() } else { try reader.skip() }
            }
        }
        return html.map { Array($0.utf8) }
    }
}
