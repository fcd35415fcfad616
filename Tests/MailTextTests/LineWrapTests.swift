import DisplayText
import MailText
import Testing

/// Where lines end (UAX 14), and the order of what runs from right to left (UAX 9).
@Suite struct LineWrapTests {
    private func lines(_ text: String, columns: Int) -> [String] {
        renderHTML(text, columns: columns).lines.map(\.text)
    }

    @Test(arguments: [
        (
            "日本語の文章は、どこでも改行できますが、「句読点」は行頭に来ません。", 20,
            ["日本語の文章は、どこ", "でも改行できますが、", "「句読点」は行頭に来", "ません。"]
        ),
        ("彼は「はい」と言った", 8, ["彼は「は", "い」と", "言った"]),
        ("東京タワー行き", 8, ["東京タ", "ワー行き"]),
        ("你好，世界！再见", 6, ["你好，", "世界！", "再见"]),
        ("안녕하세요 여러분", 10, ["안녕하세요", "여러분"]),
        ("價錢 $100元 (每月)", 8, ["價錢", "$100元", "(每月)"]),
        ("well-known words", 7, ["well-", "known", "words"]),
        ("range 10-20 kg", 8, ["range", "10-20 kg"]),
        ("use --option x", 9, ["use", "--option", "x"]),
        ("one two&nbsp;three", 9, ["one", "two three"]),
        ("Bonjour !", 8, ["Bonjour", "!"]),
        ("ab<wbr>cdef<wbr>gh", 6, ["abcdef", "gh"]),
        ("see https://a.example/path/to/it", 18, ["see", "https://a.example/", "path/to/it"]),
        ("สวัสดีชาวโลก", 5, ["สวัสดีช", "าวโลก"]),
    ])
    func `a line ends where it may`(text: String, columns: Int, expected: [String]) {
        #expect(lines(text, columns: columns) == expected)
    }

    /// Fails when a line begins with a mark of punctuation or ends with an opening bracket.
    @Test(arguments: 4...40)
    func `no line of Japanese begins with a mark`(columns: Int) {
        let text = "「これは（とても）長い文章です。」と、彼女は言った。そして『本当に？』と聞いた…！"
        let shown = lines(text, columns: columns)
        #expect(shown.joined() == text)
        for line in shown.dropFirst() where columns > 6 { #expect(!"、。」）』？！".contains(line.first ?? "x")) }
        for line in shown.dropLast() where columns > 6 { #expect(!"「（『".contains(line.last ?? "x")) }
        for line in shown { #expect(TextDisplay.width(of: line) <= columns) }
    }

    /// Fails when text from right to left is drawn backwards, or its numbers and words in Latin are.
    @Test func `Hebrew is kept as it is read and drawn as it is written`() {
        let body = renderHTML("<blockquote>שלום (world) 123</blockquote>", columns: 24)
        let line = body.lines[0]
        #expect(line.text == "│ שלום (world) 123")
        #expect(line.isRightToLeft)
        let drawn = line.visualRuns(columns: 24).reduce(into: "") { $0 += $1.text }
        #expect(drawn == "│       123 (world) םולש")
    }

    @Test func `a direction that the author gives holds`() {
        let body = renderHTML("<div dir=rtl>abc שלום</div><div dir=ltr>שלום abc</div>", columns: 20)
        #expect(body.lines.map(\.isRightToLeft) == [true, false])
        let drawn = body.lines[1].visualRuns(columns: 20).reduce(into: "") { $0 += $1.text }
        #expect(drawn == "םולש abc")
    }

    /// Fails when the letters of Arabic stand apart or a link loses its place.
    @Test func `Arabic is drawn joined and links keep their roles`() {
        let body = renderHTML("<a href='https://x.example'>سلام</a> ok", columns: 20)
        let runs = body.lines[0].visualRuns(columns: 20)
        let text = runs.reduce(into: "") { $0 += $1.text }
        #expect(text.unicodeScalars.contains { (0xFE70...0xFEFC).contains($0.value) })
        #expect(runs.first { $0.role.link == 1 && $0.role.marks.isEmpty }?.text.unicodeScalars.count == 4)
        #expect(TextDisplay.width(of: text) == 20)
    }
}
