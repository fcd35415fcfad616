import DisplayText
import MailModel
import MailUI
import TerminalUI
import Testing

/// Choosing, opening and copying the links of a message.
struct LinkPromptTests {
    private static let html = """
        <p>Log in at <a href="https://evil.example/a">https://www.paypal.com/</a>, read
        <a href="https://news.example/one">our news</a>, write to <a href="mailto:info@example.org">us</a> or call
        <a href="tel:+1234">us</a>, in <a href="https://m\u{FC}nchen.example/">Munich</a>.</p>
        """

    private static func reading(_ html: String = html, columns: Int = 100, rows: Int = 30) -> AppState {
        var message = Fixture.message("a", text: "")
        message.detail?.htmlAvailable = true
        message.html = MessageHTML(
            html: html, quotedHTML: nil, afterQuotedHTML: nil, hasRemoteImages: false, remoteMediaTrusted: false)
        var state = Fixture.state(columns: columns, rows: rows, [Fixture.row("a"), Fixture.row("b")])
        _ = state.update(.input(.plain(.enter)))
        _ = state.update(.conversationLoaded(ThreadID("a"), [message]))
        return state
    }

    /// Fails when a link is opened that the person has not seen the target of.
    @Test func `the target is shown before a link is opened`() {
        var state = Self.reading()
        #expect(state.press("o") == [])
        #expect(state.screen.contains("5 links in this message"))
        #expect(state.update(.input(.plain(.enter))) == [.bell])
        #expect(state.press("2") == [])
        #expect(state.screen.contains("https://news.example/one"))
        #expect(state.screen.contains("Open link: 2"))
        #expect(state.update(.input(.plain(.enter))) == [.openAddress("https://news.example/one")])
        #expect(!state.screen.contains("Open link"))
    }

    /// Fails when the sentence about a link that is not what it seems is missing where it is opened.
    @Test(arguments: [(40, 12), (80, 24), (200, 50)])
    func `a link that is not what it seems is told of`(columns: Int, rows: Int) {
        var state = Self.reading(columns: columns, rows: rows)
        _ = state.press("o1")
        let words = state.screen.split { "\n│ ".contains($0) }.joined(separator: " ")
        #expect(words.contains("the link goes to “evil.example”"), "\(state.screen)")
        #expect(words.contains("https://evil.example/a"))
    }

    /// Fails when a foreign name is shown in one form only.
    @Test func `a foreign name is shown both ways`() {
        var state = Self.reading()
        _ = state.press("o5")
        #expect(state.screen.contains("https://xn--mnchen-3ya.example/"))
        #expect(state.screen.contains("m\u{FC}nchen.example"))
    }

    @Test func `numbers, neighbours and Esc work, and other numbers do not`() {
        var state = Self.reading()
        _ = state.press("o")
        #expect(state.press("9") == [.bell])
        #expect(state.screen.contains("There is no link 9"))
        _ = state.update(.input(.plain(.tab)))
        #expect(state.screen.contains("Open link: 1"))
        _ = state.update(.input(.key(.tab, .shift)))
        #expect(state.screen.contains("Open link: 5"))
        _ = state.update(.input(.plain(.backspace)))
        #expect(state.screen.contains("5 links in this message"))
        _ = state.update(.input(.plain(.escape)))
        #expect(!state.screen.contains("Open link"))
        #expect(state.screen.contains("our news [2]"))
    }

    /// Fails when pasted text acts, or a link is opened by it.
    @Test func `paste does nothing`() {
        var state = Self.reading()
        _ = state.press("o2")
        #expect(state.update(.input(.paste("1\r\n"))) == [])
        #expect(state.screen.contains("Open link: 2"))
    }

    @Test func `a link is copied whole`() {
        var state = Self.reading()
        _ = state.press("O2")
        #expect(state.screen.contains("Copy link: 2"))
        #expect(state.update(.input(.plain(.enter))) == [.copy("https://news.example/one")])
        _ = state.press("o3")
        #expect(state.press("y") == [.copy("mailto:info@example.org")])
    }

    /// Fails when a telephone number is given to a browser.
    @Test func `what is no page and no mail address is refused with a sentence`() {
        var state = Self.reading()
        _ = state.press("o4")
        #expect(state.update(.input(.plain(.enter))) == [.bell])
        #expect(state.screen.contains("Herald opens web and mail addresses only"))
        #expect(state.press("y") == [.copy("tel:+1234")])
    }

    @Test func `without links the keys say so`() {
        var state = Self.reading("<p>Nothing here.</p>")
        #expect(state.press("o") == [.bell])
        #expect(state.screen.contains("There is no link in this message."))
    }

    /// Fails when the chosen link is hidden behind the panel or outside the window.
    @Test(arguments: [(40, 12), (80, 24), (60, 8)])
    func `the chosen link is in sight`(columns: Int, rows: Int) {
        let html = (1...60).map { "<p>Item \($0): <a href=\"https://news.example/\($0)\">word\($0)x</a></p>" }.joined()
        var state = Self.reading(html, columns: columns, rows: rows)
        _ = state.press("o")
        for number in 1...60 {
            _ = state.update(.input(.plain(.tab)))
            let lines = state.screen.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.contains { $0.contains("Item \(number): word\(number)x") }, "\(state.screen)")
        }
    }

    /// Fails when an address that is longer than the panel hides the text, or its end is not shown.
    @Test func `a long address is cut in its middle`() {
        let address = "https://news.example/" + String(repeating: "a", count: 3_000) + "end"
        var state = Self.reading("<a href=\"\(address)\">long</a>", columns: 80, rows: 24)
        _ = state.press("o")
        #expect(state.screen.contains("more lines"))
        let joined = state.screen.split(separator: "\n").map { $0.drop { $0 != "│" }.filter { !"│ ".contains($0) } }
        #expect(joined.joined().contains("aaend"))
        #expect(state.update(.input(.plain(.enter))) == [.openAddress(address)])
    }

    /// Fails when the terminal could open a link that is not what it seems, or text that is no link.
    @Test func `only honest links are links of the terminal`() {
        let grid = Self.reading().draw()
        let linked = Set(grid.cells.compactMap { grid.links[$0.link] })
        #expect(
            linked == ["https://news.example/one", "mailto:info@example.org", "https://xn--mnchen-3ya.example/"])
    }
}
