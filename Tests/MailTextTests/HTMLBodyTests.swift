import MailModel
import MailText
import Testing

@Suite struct HTMLBodyTests {
    private func lines(_ html: String, columns: Int = 40) -> [String] {
        renderHTML(html, columns: columns).lines.map(\.text)
    }

    @Test(arguments: [
        ("<p>One</p><p>Two<br>Three</p>", ["One", "", "Two", "Three"]),
        ("<div>a</div><div>b</div>", ["a", "b"]),
        ("a<br><br><br><br>b", ["a", "", "b"]),
        ("  a \n\n b&nbsp;&nbsp;c <b> d</b>", ["a b  c d"]),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>x", ["• a", "• b", "  • c", "", "x"]),
        ("<ol start=9><li>a<li>b</ol>", ["9. a", "10. b"]),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>c", ["│ a", "│", "│ │ b", "", "c"]),
        ("<pre>a\n  b\n\nc</pre>", ["a", "  b", "", "c"]),
        ("a<hr>b", ["a", "", "────────────────────────────────────────", "", "b"]),
        ("<table><tr><td>a<td>b</tr><tr><td>c<td>d</tr></table>", ["a  b", "c  d"]),
        ("<table><tr><td><p>a</p></td><td><div>b</div></td></tr></table>", ["a", "", "b"]),
        ("<img alt='A  cat' src=x> <img src=y alt=''><img width=1 alt=z>", ["[image: A cat]"]),
        ("<div style='Display: none'>pre</div><div style='max-height:0px;x:y'>pre</div>a<p hidden>b</p>", ["a"]),
        ("<style>p{}</style><script>x()</script><title>t</title>a", ["a"]),
        ("&zwnj;&nbsp;&zwnj;&nbsp;<p>a\u{AD}b</p>", ["ab"]),
        ("<q>x</q> &lt;y&gt; &#8364;", ["“x” <y> €"]),
        ("", []),
    ])
    func `elements become lines`(html: String, expected: [String]) {
        #expect(lines(html).map { $0.replacingTrailingSpaces } == expected)
    }

    @Test func `links are numbered behind their text`() {
        let body = renderHTML(
            """
            <a href="https://a.example">here</a>, <a href=https://b.example><b>there</b></a> and
            <a href="https://a.example">again</a> <a href="#x">not</a> <a href="javascript:x()">nor</a>
            <a href=https://c.example><img alt=""></a>
            """, columns: 80)
        #expect(body.text == "here [1], there [2] and again [1] not nor")
        #expect(body.links.map(\.url) == ["https://a.example", "https://b.example"])
        #expect(body.links.map(\.text) == ["here again", "there"])
    }

    @Test func `a link around blocks is numbered once`() {
        #expect(lines("<a href=https://a.example><div>x</div><div>y</div></a>z") == ["x [1]", "y", "z"])
    }

    @Test func `marks follow the elements`() {
        let html = "<h2>T</h2><b>s</b> <i>e</i> <code>c</code> <span style='font-weight: bold'>w</span>"
        let body = renderHTML(html, columns: 40)
        let marks = body.lines.flatMap(\.runs).filter { $0.text != " " }.map(\.role.marks)
        #expect(marks == [.heading, .strong, .emphasis, .code, .strong])
    }

    @Test func `a quote the server split off folds`() {
        let html = MessageHTML(
            html: "<p>New</p>", quotedHTML: "<p>a</p><p>b <a href=https://q.example>l</a></p>",
            afterQuotedHTML: "<p>After</p>", hasRemoteImages: false, remoteMediaTrusted: false)
        let folded = renderHTML(html, columns: 40, showQuotes: false)
        #expect(folded.lines.map(\.text) == ["New", "", "[2 quoted lines]", "", "After"])
        #expect(folded.links.isEmpty)
        let shown = renderHTML(html, columns: 40, showQuotes: true)
        #expect(shown.lines.map(\.text) == ["New", "", "a", "", "b l [1]", "", "After"])
        #expect(shown.lines[2].runs[0].role.quoteLevel == 1)
    }

    @Test func `HTML shows only when there is no text`() {
        let html = MessageHTML(
            html: "h", quotedHTML: nil, afterQuotedHTML: nil, hasRemoteImages: false, remoteMediaTrusted: false)
        #expect(renderBody(detail: "t", html: html, columns: 40, showQuotes: false).text == "t")
        #expect(renderBody(detail: " \n", html: html, columns: 40, showQuotes: false).text == "h")
        #expect(renderBody(detail: "", html: nil, columns: 40, showQuotes: false).lines.isEmpty)
    }
}

extension String {
    fileprivate var replacingTrailingSpaces: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
