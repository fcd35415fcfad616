import DisplayText
import MailModel
import MailUI
import TerminalUI
import Testing

/// Keys in, screens and effects out.
struct ScreenTests {
    static let sizes = [(80, 24), (40, 12), (200, 50)]

    @Test(arguments: sizes) func `columns stay where they are with wide and combining text`(columns: Int, rows: Int) {
        let names = ["plain", "漢字漢字漢字漢字", "e\u{301}e\u{301}e\u{301}"]
        let state = Fixture.state(columns: columns, rows: rows, names.map { Fixture.row($0, unread: 1) })
        let grid = state.draw()
        for row in 0..<rows { #expect(TextDisplay.width(of: grid.rowText(row)) == columns) }
        let places = (0..<rows).flatMap { row in (0..<columns).filter { grid[row, $0].text == "●" } }
        #expect(places.count == 3 && Set(places).count == 1)
    }

    @Test func `the cursor sits on the selected row`() {
        var state = Fixture.state(columns: 40, rows: 12, [Fixture.row("a"), Fixture.row("b")])
        _ = state.press("j")
        #expect(state.selectedThread == ThreadID("b"))
        #expect(state.draw().cursor == Position(row: 2, column: 0))
    }

    @Test func `an update never moves the selection to another conversation`() {
        var state = Fixture.state(columns: 80, rows: 24, ["a", "b", "c"].map { Fixture.row($0) })
        _ = state.press("j")
        let inbox = ListScope(folder: .inbox)
        let grown = ["new", "a", "b", "c"].map { Fixture.row($0) }
        _ = state.update(.conversationsLoaded(inbox, generation: 0, rows: grown, hasMore: false))
        #expect(state.selectedThread == ThreadID("b"))
        let shrunk = ["new", "a", "c"].map { Fixture.row($0) }
        _ = state.update(.conversationsLoaded(inbox, generation: 0, rows: shrunk, hasMore: false))
        #expect(state.selectedThread == ThreadID("c"))
    }

    @Test func `an answer to an older question is dropped`() {
        var state = Fixture.state(columns: 80, rows: 24, [Fixture.row("a")])
        let effects = state.press("/x")
        #expect(
            effects == [
                .loadConversations(ListScope(folder: .inbox), filter: "x", limit: 200, generation: 1)
            ])
        _ = state.update(.conversationsLoaded(ListScope(folder: .inbox), generation: 0, rows: [], hasMore: false))
        #expect(state.selectedThread == ThreadID("a"))
    }

    @Test(arguments: sizes) func `an opened conversation shows its text`(columns: Int, rows: Int) {
        var state = Fixture.state(columns: columns, rows: rows, [Fixture.row("a")])
        #expect(state.update(.input(.plain(.enter))) == [.loadConversation(ThreadID("a"))])
        let bare = ConversationMessage(summary: Fixture.summary("a", second: 1), detail: nil, html: nil)
        #expect(state.update(.conversationLoaded(ThreadID("a"), [bare])) == [.fetchBodies(ThreadID("a"))])
        _ = state.update(.conversationLoaded(ThreadID("a"), [Fixture.message("a", text: "Hello there.")]))
        _ = state.press(" ")
        #expect(state.screen.contains("Hello there."))
        _ = state.press("q")
        #expect(state.openThread == nil)
    }

    @Test func `a prefix shows what may follow`() {
        var state = Fixture.state(columns: 80, rows: 24, [])
        _ = state.press("g")
        #expect(state.screen.contains("gi inbox"))
        #expect(
            state.press("t") == [
                .loadConversations(ListScope(folder: .sent), filter: "", limit: 200, generation: 1)
            ])
    }

    @Test func `random keys at any size never trap`() {
        var seed: UInt64 = 42
        func next(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }
        let keys =
            Array("jkgGhlqJKnpz/\\MTisdtaxcmoRM[]? -x漢\u{301}::059").map { InputEvent.character($0) }
            + "kpnwuayebf ".map { InputEvent.key(.character($0), .control) }
            + "bfdx".map { InputEvent.key(.character($0), .alt) }
            + [
                .plain(.enter), .plain(.tab), .plain(.escape), .plain(.pageDown), .plain(.backspace), .paste("a\nb"),
                .key(.tab, .shift), .plain(.up), .plain(.down), .plain(.left), .plain(.delete), .plain(.home),
            ]
        let sizes = [(1, 1), (20, 5), (29, 7), (30, 6), (40, 12), (80, 24), (110, 13), (200, 50), (0, 0)]
        let rows = (0..<60).map { Fixture.row("t\($0)", second: $0, unread: $0 % 3) }
        var state = Fixture.state(columns: 80, rows: 24, rows)
        for _ in 0..<3_000 {
            let effects = state.update(.input(keys[next(keys.count)]))
            for case .loadConversations(let scope, _, _, let generation) in effects {
                let shown = Array(rows[next(30)..<(30 + next(30))])
                _ = state.update(.conversationsLoaded(scope, generation: generation, rows: shown, hasMore: true))
            }
            for case .loadConversation(let thread) in effects {
                _ = state.update(.conversationLoaded(thread, [Fixture.message("a", text: "One\n\n> two\n漢字")]))
            }
            if next(10) == 0 {
                let size = sizes[next(sizes.count)]
                _ = state.update(.resized(Size(columns: size.0, rows: size.1)))
            }
            if next(4) == 0 { #expect(state.draw().size == state.size) }
        }
    }
}
