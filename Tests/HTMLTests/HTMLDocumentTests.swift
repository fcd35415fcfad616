import HTML
import Testing

@Suite struct HTMLDocumentTests {
    private func body(_ source: String) -> HTMLElement {
        let document = HTMLDocument.parse(source).element ?? HTMLElement(name: "none")
        return document.firstElement(named: "body") ?? document
    }

    private func depth(_ element: HTMLElement) -> Int {
        1 + (element.children.compactMap { $0.element.map(depth) }.max() ?? 0)
    }

    @Test func `a fragment keeps its text, names and attributes`() {
        let result = body("Hi <A HREF='x?a=1&amp;b=2' Hidden>there</A>")
        let link = HTMLElement(
            name: "a",
            attributes: [HTMLAttribute(name: "href", value: "x?a=1&b=2"), HTMLAttribute(name: "hidden", value: "")],
            children: [.text("there")])
        #expect(result.children == [.text("Hi "), .element(link)])
    }

    @Test(arguments: [
        ("<!--[if mso]><p>Office</p><![endif]-->all", "all"),
        ("<!--[if !mso]><!-->rest<!--<![endif]-->", "rest"),
        ("a<![if !mso]>b<![endif]>c", "abc"),
        ("a<?xml version='1'?>b<!DOCTYPE html>c", "abc"),
        ("a<!-->b", "ab"),
        ("1 < 2 &amp; 3 &gt; 2", "1 < 2 & 3 > 2"),
        ("it&#146;s &euro;5&nbsp;now", "it’s €5\u{A0}now"),
        ("a<script>if (a</b>) x()</script>b", "ab"),
        ("a\u{0}\u{1B}[31mb", "a[31mb"),
        ("<textarea><b>x</b></textarea>", "<b>x</b>"),
        ("a<b title='never closed", "a"),
    ])
    func `source becomes the text a browser shows`(source: String, text: String) {
        #expect(body(source).textContent == text)
    }

    @Test func `a whole document has its head and body`() {
        let document = HTMLDocument.parse(
            """
            <!doctype html><html lang=en><head><title>T<b></title><style>p{}</style></head>
            <body id=x><p>Hi</body></html>
            """)
        #expect(document.element?.firstElement(named: "title")?.textContent == "T<b>")
        #expect(document.element?.firstElement(named: "body")?.attribute("id") == "x")
        #expect(document.element?.firstElement(named: "p")?.textContent == "Hi")
    }

    @Test func `a meta element does not change the encoding`() {
        let source = "<html><head><meta http-equiv=content-type content='text/html; charset=iso-8859-1'></head>é"
        #expect(HTMLDocument.parse(source).element?.firstElement(named: "body")?.textContent == "é")
    }

    @Test func `bytes that are not UTF-8 are replaced`() {
        #expect(HTMLDocument.parse([0x61, 0xFF, 0x62]).element?.textContent == "a\u{FFFD}b")
    }

    @Test func `nesting without end stays within the depth and keeps its text`() {
        let count = 50_000
        let source = String(repeating: "<div>", count: count) + "deep" + String(repeating: "</div>", count: count)
        let document = HTMLDocument.parse(source).element ?? HTMLElement(name: "none")
        #expect(depth(document) <= 257)
        #expect(document.textContent == "deep")
    }

    @Test func `end tags that close nothing are harmless`() {
        let source = String(repeating: "<b>", count: 20_000) + String(repeating: "</i></p></u>", count: 20_000) + "x"
        #expect(HTMLDocument.parse(source).element?.textContent == "x")
    }

    @Test func `repeated document tags and many attributes are harmless`() {
        let names = (0..<5_000).map { "a\($0)=1" }.joined(separator: " ")
        let source = "<html a=1><body b=2><html c=3><body d=4><p \(names)>x"
        let document = HTMLDocument.parse(source).element
        #expect(document?.textContent == "x")
        #expect(document?.firstElement(named: "p")?.attributes.count == 128)
    }

    @Test func `nodes and source are bounded`() {
        let limits = HTMLLimits(sourceBytes: 400, depth: 10, nodes: 20)
        let document = HTMLDocument.parse(String(repeating: "<i>é</i>", count: 1_000), limits: limits)
        #expect((document.element?.textContent.count ?? 99) <= 20)
    }
}
