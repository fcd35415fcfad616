import DisplayText
import MailText
import Testing

@Suite struct PlainTextTests {
    private func lines(_ text: String, columns: Int = 40, showQuotes: Bool = false) -> [String] {
        renderText(text, columns: columns, showQuotes: showQuotes).lines.map(\.text)
    }

    @Test(arguments: [
        ("one two three four", 10, ["one two", "three four"]),
        ("abcdefghijklmnop", 10, ["abcdefghij", "klmnop"]),
        ("a\n\n\n\nb\n\n", 20, ["a", "", "b"]),
        ("    indented words here", 14, ["    indented", "words here"]),
        ("日本語日本語", 5, ["日本", "語日", "本語"]),
        ("a\tb", 20, ["a       b"]),
        ("", 20, []),
    ])
    func `lines wrap between words`(text: String, columns: Int, expected: [String]) {
        #expect(lines(text, columns: columns) == expected)
    }

    @Test func `a long quote folds to one dim line`() {
        let quoted = (1...12).map { "> line \($0)" }.joined(separator: "\n")
        let body = renderText("Hi\n\nThey wrote:\n\(quoted)\nBye", columns: 40, showQuotes: false)
        #expect(body.lines.map(\.text) == ["Hi", "", "They wrote:", "[12 quoted lines]", "Bye"])
        #expect(body.lines[3].runs[0].role.marks == .dim)
    }

    @Test func `a short quote and a shown quote keep their levels`() {
        #expect(lines("> one\n>> two\n> > three") == ["│ one", "│ │ two", "│ │ three"])
        let quoted = Array(repeating: "> x", count: 9).joined(separator: "\n")
        let body = renderText(quoted, columns: 40, showQuotes: true)
        #expect(body.lines.count == 9)
        #expect(body.lines.allSatisfy { $0.runs.allSatisfy { $0.role.quoteLevel == 1 } })
    }

    @Test func `everything behind the signature mark is signature`() {
        let body = renderText("Hello\n-- \nAnna\nTel. 1", columns: 40, showQuotes: false)
        #expect(body.lines.map { $0.runs[0].role.marks == .signature } == [false, true, true, true])
    }

    @Test(arguments: [
        ("see https://a.example/x.", "https://a.example/x", "see https://a.example/x [1]."),
        ("(www.a.example/q_(b))", "http://www.a.example/q_(b)", "(www.a.example/q_(b) [1])"),
        ("<https://a.example>", "https://a.example", "<https://a.example [1]>"),
        ("write to Ann.O@mail.example, now", "mailto:Ann.O@mail.example", "write to Ann.O@mail.example [1], now"),
        ("mailto:x@y.example", "mailto:x@y.example", "mailto:x@y.example [1]"),
        ("HTTPS://A.example/…", "HTTPS://A.example/", "HTTPS://A.example/ [1]…"),
    ])
    func `an address becomes a numbered link`(text: String, url: String, shown: String) {
        let body = renderText(text, columns: 60, showQuotes: false)
        #expect(body.links.map(\.url) == [url])
        #expect(body.text == shown)
    }

    @Test(arguments: ["a@b", "@", "http://", "xhttp", "a @ b.example", "www."])
    func `what only looks like an address stays text`(text: String) {
        let body = renderText(text, columns: 60, showQuotes: false)
        #expect(body.links.isEmpty)
        #expect(body.text == text)
    }

    @Test func `a repeated address has one number and a long one is cut`() {
        let long = "https://a.example/" + String(repeating: "x", count: 300)
        let body = renderText("\(long)\n\(long)", columns: 30, showQuotes: false)
        #expect(body.links.map(\.url) == [long])
        #expect(body.lines.allSatisfy { TextDisplay.width(of: $0.text) <= 30 })
        #expect(body.text.contains("…"))
    }

    @Test func `links stop at 999`() {
        let text = (1...1_200).map { "https://a.example/\($0)" }.joined(separator: " ")
        #expect(renderText(text, columns: 80, showQuotes: false).links.count == 999)
    }
}
