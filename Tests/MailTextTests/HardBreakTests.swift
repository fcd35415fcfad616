import DisplayText
import MailText
import Testing

/// Text that a program broke at 72 columns, in a narrower window.
@Suite struct HardBreakTests {
    private static let paragraph = """
        ActiveBuddy technology is proven in the marketplace by the smash success
        of SmarterChild, the showcase interactive agent launched in June and now
        visited by over eight million consumers in its first year.
        """

    private func lines(_ text: String, columns: Int) -> [String] {
        renderText(text, columns: columns, showQuotes: true).lines.map(\.text)
    }

    /// Fails when a broken paragraph becomes a comb of full and very short lines.
    @Test(arguments: [30, 40, 57, 66]) func `a broken paragraph fills a narrower window`(columns: Int) {
        let shown = lines(Self.paragraph, columns: columns)
        let words = Self.paragraph.split { $0 == " " || $0 == "\n" }
        #expect(shown.flatMap { $0.split(separator: " ") } == words)
        for (line, next) in zip(shown, shown.dropFirst()) {
            let first = next.prefix { $0 != " " }
            #expect(TextDisplay.width(of: line) + 1 + TextDisplay.width(of: first) > columns)
        }
    }

    /// Fails when text that fits is touched.
    @Test func `a paragraph that fits keeps its lines`() {
        #expect(lines(Self.paragraph, columns: 72) == Self.paragraph.split(separator: "\n").map(String.init))
    }

    /// Fails when the words of a quotation lose their level, or run into another one.
    @Test func `a broken quotation stays a quotation`() {
        let source = Self.paragraph.split(separator: "\n")
        let shown = lines(source.map { "> \($0)" }.joined(separator: "\n") + "\n>> deeper", columns: 40)
        #expect(shown.allSatisfy { $0.hasPrefix("│ ") })
        #expect(shown.count == 7 && shown.last == "│ │ deeper")
    }

    private static let long = "The first of these lines is much wider than the window it is shown in"

    /// Fails when a break that the writer made is taken away.
    @Test(arguments: [
        "- an item of a list that follows", "* an item", "2. the second item", "b) the second", "Subject: a field",
        "    indented", "", "| a table |", "name    value   note", "--", "#include",
    ])
    func `what the writer broke stays broken`(next: String) {
        let alone = lines(Self.long, columns: 40)
        #expect(Array(lines(Self.long + "\n" + next + "\n" + Self.long, columns: 40).prefix(alone.count)) == alone)
    }

    /// Fails when a line that ends early, as in an address or a poem, is joined with the next one.
    @Test func `a short line ends where it ends`() {
        let text = "Yours,\nAnna Berg\nLong Street 5\n\(Self.long)"
        #expect(lines(text, columns: 40).prefix(3) == ["Yours,", "Anna Berg", "Long Street 5"])
    }

    /// Fails when a signature is laid out like a paragraph.
    @Test func `a signature keeps its lines`() {
        #expect(lines("-- \n\(Self.long)\nand so on", columns: 40).last == "and so on")
    }

    /// Fails when a list of links repeats what the text shows, or lacks what it does not.
    @Test func `only addresses that are not shown are listed`() {
        let text = "https://a.example/x and http://b.example and https://c.example/\(String(repeating: "y", count: 60))"
        let body = renderText(text, columns: 40, showQuotes: false)
        #expect(body.links.map(\.number) == [1, 2, 3])
        #expect(body.hiddenLinks.map(\.number) == [3])
        let html = renderHTML("<a href='https://a.example'>here</a>", columns: 40)
        #expect(html.hiddenLinks.map(\.url) == ["https://a.example"])
    }
}
