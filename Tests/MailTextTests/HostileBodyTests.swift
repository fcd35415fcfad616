import DisplayText
import MailModel
import MailText
import Testing

/// What no line may break.
func expectSafe(_ body: RenderedBody, columns: Int, _ name: String) {
    var problems: [String] = []
    for line in body.lines {
        let text = line.text
        if TextDisplay.width(of: text) > columns { problems.append("wide: \(text.debugDescription)") }
        if text.unicodeScalars.contains(where: isUnsafe) { problems.append("unsafe: \(text.debugDescription)") }
    }
    let isPatch = body.lines.contains { $0.runs.contains { $0.role.marks.contains(.code) } }
    for (line, next) in zip(body.lines, body.lines.dropFirst()) where line.runs.isEmpty && next.runs.isEmpty {
        if !isPatch { problems.append("two blank lines") }
    }
    for line in body.lines where !line.runs.isEmpty && line.text.allSatisfy(\.isWhitespace) {
        problems.append("a line of spaces: \(line.text.debugDescription)")
    }
    for link in body.links where (link.url + link.text).unicodeScalars.contains(where: isUnsafe) {
        problems.append("unsafe link: \(link.url.debugDescription)")
    }
    #expect(problems.isEmpty, "\(name) at \(columns): \(problems.prefix(3))")
}

private func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
}

@Suite struct HostileBodyTests {
    private static let nasty = [
        "\u{1B}[31mred\u{1B}]0;title\u{7} \u{9B}1m \u{202E}gpj.exe\u{2066}x\u{0}\u{8}\r\n\u{85}y",
        String(repeating: "👩‍", count: 300) + "👩",
        "e" + String(repeating: "\u{301}", count: 500),
        String(repeating: "漢", count: 301),
        String(repeating: "> ", count: 400) + "deep quote",
        String(repeating: "https://x.example/\u{202E}", count: 50),
        String(repeating: "a@a.a@", count: 300),
        String(repeating: "(", count: 500) + "http://x.example" + String(repeating: ")", count: 500),
    ]

    @Test(arguments: [20, 33, 80, 200])
    func `hostile text stays in its lines`(columns: Int) {
        for text in HostileBodyTests.nasty {
            expectSafe(renderText(text, columns: columns, showQuotes: true), columns: columns, "text")
            for open in ["<p>", "<pre>", "<li>", "<a href='https://x.example/\(text)'>"] {
                expectSafe(renderHTML(open + text, columns: columns), columns: columns, open)
            }
            let image = "<p><img alt='\(text)'>&#27;&#155;&#8238;"
            expectSafe(renderHTML(image, columns: columns), columns: columns, "image")
        }
    }

    @Test(arguments: [
        "blockquote", "ul><li", "ol><li", "table><tr><td", "div", "b", "dl><dd", "pre", "a href=http://x",
    ])
    func `nesting without end stays in its lines`(tag: String) {
        let html = String(repeating: "<\(tag)>x ", count: 1_000)
        for columns in [20, 80] { expectSafe(renderHTML(html, columns: columns), columns: columns, tag) }
    }

    @Test func `thousands of links are capped`() {
        let html = (1...3_000).map { "<a href=https://x.example/\($0)>l\($0)</a> " }.joined()
        let body = renderHTML(html, columns: 80)
        #expect(body.links.count == 999)
        #expect(body.text.contains("l3000"))
    }
}
