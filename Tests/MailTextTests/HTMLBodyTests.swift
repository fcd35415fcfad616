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
        ("<ul><li>a<li>b<ul><li>c</ul></ul>x", ["• a", "• b", "  ◦ c", "", "x"]),
        ("<ol start=9><li>a<li>b</ol>", ["9. a", "10. b"]),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>c", ["│ a", "│", "│ │ b", "", "c"]),
        ("<pre>a\n  b\n\nc</pre>", ["a", "  b", "", "c"]),
        ("a<hr>b", ["a", "", "────────────────────────────────────────", "", "b"]),
        ("<ol type=I start=3><li>a<li value=9>b</ol>", ["III. a", "IX. b"]),
        ("<ol type=a reversed><li>a<li>b</ol>", ["b. a", "a. b"]),
        ("<ul style='list-style-type: none'><li>a<li>b</ul>", ["a", "b"]),
        ("<ul><li style='display:inline'>a<li style='display:inline'>b</ul>", ["a  b"]),
        ("<table><tr><td>a<td>b</tr><tr><td>c<td>d</tr></table>", ["a  b", "c  d"]),
        (
            "<table width=100%><tr><td>Total<td align=right>5 €</tr></table>x",
            ["Total                                5 €", "x"]
        ),
        (
            "<table><tr><td>•<td>One long sentence that wraps at last</tr></table>",
            ["• One long sentence that wraps at last"]
        ),
        ("<p style='margin:0'>a</p><p style='margin:0'>b</p>", ["a", "b"]),
        ("<table><tr><td style='padding:10px'>a</tr><tr><td style='padding:10px'>b</tr></table>", ["a", "", "b"]),
        ("<table><tr><td>a</tr><tr><td height=20></tr><tr><td>b</tr></table>", ["a", "", "b"]),
        (
            "<div>a</div><div style='border-top:1px solid #ccc'></div><div>b</div>",
            ["a", "", "────────────────────────────────────────", "", "b"]
        ),
        ("<div style='border-left:2px solid red;padding-left:9px'>a</div>", ["│ a"]),
        ("<div style='white-space:pre-wrap'>a\n  b</div>", ["a", "  b"]),
        ("a<wbr>b x<sup>2</sup> H<sub>2</sub>O 1<sup>st</sup> <del>$9</del> $5", ["ab x² H₂O 1st ~~$9~~ $5"]),
        ("Java<sup>TM</sup> Net<sup><small>sm</small></sup>", ["Java™ Net℠"]),
        ("<span style='display:block'>a</span>b", ["a", "b"]),
        ("<table><tr><td><p>a</p><p>c</p></td><td><div>b</div></td></tr></table>", ["a", "", "c", "", "b"]),
        ("<img alt='A  cat' src=x> <img src=y alt=''><img width=1 alt=z>", ["[image: A cat]"]),
        ("<div style='Display: none'>pre</div><div style='max-height:0px;x:y'>pre</div>a<p hidden>b</p>", ["a"]),
        ("<p style='font-size:1px'>pre</p><p style='font-size:0'><span style='font-size:14px'>a</span></p>", ["a"]),
        ("<div style='font-size:0'><p style='font-size:1rem'>a</p><p style='font-size:2em'>b</p></div>", ["a"]),
        // Without a doctype a table has a size of its own.
        ("<td style='font-size:0'>a<table><tr><td>★</td><td>★</td></tr></table></td>", ["★  ★"]),
        ("<table style='font-size:0'><tr><td>a</td></tr></table>b", ["b"]),
        // Signs of a font that only the sender has.
        ("<p>Reply \u{E8CA}\u{F10FF}all \u{F8FF}</p><p>\u{E011}</p>end", ["Reply all", "", "end"]),
        ("<p style='mso-hide:all'>a</p><p style='opacity:0'>a</p><p style='visibility:hidden'>a</p>", []),
        ("<div style='color:#fff;font-size:6px'>pre</div><p style='color:#fff;background-color:#000'>a</p>", ["a"]),
        ("<td style='max-width:0'>a</td>&nbsp;&#8199;&#847;&zwnj;&nbsp;<p>b", ["a", "", "b"]),
        ("<img alt='A cat' src=x><p>A cat sits</p>", ["A cat sits"]),
        ("<img alt=image001.png src=x><img alt=spacer>x", ["x"]),
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
            <a href=https://c.example><img alt="" width=1></a> <a href=https://d.example/><img alt="D"></a>
            <a href=https://e.example><img src=x></a>
            """, columns: 80)
        #expect(body.text.hasBlanks == "here [1], there [2] and again [1] not nor D [3] [image] [4]")
        #expect(
            body.links.map(\.url) == [
                "https://a.example", "https://b.example", "https://d.example/", "https://e.example",
            ])
        #expect(body.links.map(\.text) == ["here again", "there", "D", "image"])
    }

    /// Fails when a picture is shown for a link that has words elsewhere, or runs into its neighbour.
    @Test func `pictures that are links stand apart and give way to words`() {
        let html = """
            <a href=https://a.example><img src=x></a><a href=https://b.example><img alt=B></a>\
            <a href=https://c.example><img alt=C></a>, <a href=https://a.example>Words</a>
            """
        let body = renderHTML(html, columns: 60)
        #expect(body.lines.map(\.text) == ["B [1] C [2], Words [3]"])
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

    /// Fails when a colour that says something is lost, or decoration is taken for it.
    @Test(
        arguments: [
            ("<span style='color:#c00000'>due</span>", TextRole.Marks.warning),
            ("<font color=red>due</font>", .warning),
            ("<p style='color:rgb(0, 160, 60)'>paid</p>", .approval), ("<span style='color:#1155cc'>blue</span>", []),
            ("<span style='color:#333'>grey</span>", []), ("<a href=https://x.example style='color:red'>brand</a>", []),
            ("<h1 style='color:#d00'>title</h1>", .heading), ("<mark>pen</mark>", .highlighted),
            ("<u>line</u>", .underlined),
            ("<p style='font-size:28px'>Large</p>", .strong), ("<del>old</del>", .deleted),
        ] as [(String, TextRole.Marks)])
    func `a colour is kept for what it says`(html: String, marks: TextRole.Marks) {
        let body = renderHTML(html, columns: 40)
        #expect(body.lines[0].runs[0].role.marks == marks)
    }

    @Test func `a quote the server split off folds`() {
        let html = MessageHTML(
            html: "<p>New</p>", quotedHTML: "<p>a</p><p>b <a href=https://q.example>l</a></p>",
            afterQuotedHTML: "<p>After</p>", hasRemoteImages: false, remoteMediaTrusted: false)
        let folded = renderHTML(html, columns: 40, showQuotes: false)
        #expect(folded.lines.map(\.text) == ["New", "", "[2 quoted lines]", "", "[1 line below the quote]"])
        #expect(folded.links.isEmpty)
        let shown = renderHTML(html, columns: 40, showQuotes: true)
        #expect(shown.lines.map(\.text) == ["New", "", "│ a", "│ ", "│ b l [1]", "", "After"])
        #expect(shown.lines[2].runs[0].role.quoteLevel == 1)
    }

    /// Fails when the only words of a message hide behind a fold.
    @Test(
        arguments: [
            ("", "<p>All of it</p>", nil, ["All of it"]),
            ("", "<p>Quote</p>", "<p>Answer</p>", ["[1 quoted line]", "", "Answer"]),
            (
                "<p>On 3 May 2026, Ann wrote:</p>", "<p>Quote</p>", "<p>Answer</p>",
                ["On 3 May 2026, Ann wrote:", "", "[1 quoted line]", "", "Answer"]
            ),
        ] as [(String, String, String?, [String])])
    func `what the writer says is never folded`(html: String, quoted: String, after: String?, expected: [String]) {
        let parts = MessageHTML(
            html: html, quotedHTML: quoted, afterQuotedHTML: after, hasRemoteImages: false, remoteMediaTrusted: false)
        #expect(renderHTML(parts, columns: 40, showQuotes: false).lines.map(\.text) == expected)
    }

    @Test func `HTML shows only when there is no text`() {
        let html = MessageHTML(
            html: "h", quotedHTML: nil, afterQuotedHTML: nil, hasRemoteImages: false, remoteMediaTrusted: false)
        #expect(renderBody(detail: "t", html: html, columns: 40, showQuotes: false).text == "t")
        #expect(renderBody(detail: " \n", html: html, columns: 40, showQuotes: false).text == "h")
        #expect(renderBody(detail: "", html: nil, columns: 40, showQuotes: false).lines.isEmpty)
        let notice = "Your mail reader does not support HTML mail."
        #expect(renderBody(detail: notice, html: html, columns: 40, showQuotes: false).text == "h")
        #expect(renderBody(detail: notice, html: nil, columns: 80, showQuotes: false).text == notice)
        let addresses = "Sale! <https://x.example/\(String(repeating: "a", count: 90))>"
        #expect(renderBody(detail: addresses, html: html, columns: 40, showQuotes: false).text == "h")
    }
}

extension String {
    /// Blanks that do not break count as blanks, and a line end as one.
    fileprivate var hasBlanks: String { split { $0 == "\n" || $0 == " " }.joined(separator: " ") }

    fileprivate var replacingTrailingSpaces: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
