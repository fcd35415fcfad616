import MailModel
import MailUI
import TerminalUI
import Testing

/// Keys that come before the rows they are about.
struct TypeAheadTests {
    private static let inbox = ListScope(folder: .inbox)

    private static func rows(_ range: Range<Int>) -> [ConversationRow] {
        range.map { Fixture.row("t\($0)", second: 100_000 - $0) }
    }

    /// Answers the questions about lists as a cache of so many conversations would, the last one last.
    private static func answer(_ effects: [Effect], of total: Int, in state: inout AppState) -> [Effect] {
        var rest: [Effect] = []
        var waiting = effects
        while !waiting.isEmpty {
            guard case .loadConversations(let scope, let filter, let limit, let generation) = waiting.removeFirst()
            else { continue }
            let found = filter.isEmpty ? rows(0..<total) : [Fixture.row("hit")]
            let more = state.update(
                .conversationsLoaded(
                    scope, generation: generation, rows: Array(found.prefix(limit)), hasMore: found.count > limit))
            waiting += more
            rest += more
        }
        return rest
    }

    private static func type(_ events: [InputEvent], into state: inout AppState) -> [Effect] {
        events.flatMap { state.update(.input($0)) }
    }

    /// Fails when Enter opens a row that the filter hides.
    @Test func `a key typed right after a filter acts on what it shows`() {
        var state = Fixture.state(columns: 80, rows: 24, Self.rows(0..<5))
        let keys: [InputEvent] = "/hit".map { .character($0) } + [.plain(.enter), .plain(.enter)]
        let effects = Self.type(keys, into: &state)
        #expect(state.openThread == nil)
        _ = Self.answer(effects, of: 5, in: &state)
        #expect(state.openThread == ThreadID("hit"))
    }

    /// Fails when keys typed before the first rows are lost.
    @Test func `keys typed before the first list act on it`() {
        var state = AppState(size: Size(columns: 80, rows: 24), accountLabel: "example")
        let effects = state.update(.started) + Self.type([.character("G"), .plain(.enter)], into: &state)
        _ = Self.answer(effects, of: 900, in: &state)
        #expect(state.openThread == ThreadID("t899"))
    }

    /// Fails when a burst of movements ends where the loaded rows end.
    @Test(arguments: [("j", 250), ("j", 450)])
    func `a burst of movements goes on below the rows loaded`(_ key: Character, _ times: Int) {
        var state = AppState(size: Size(columns: 80, rows: 24), accountLabel: "example")
        _ = Self.answer(state.update(.started), of: 900, in: &state)
        let effects = Self.type(Array(repeating: .character(key), count: times), into: &state)
        _ = Self.answer(effects, of: 900, in: &state)
        #expect(state.selectedThread == ThreadID("t\(times)"))
    }

    /// Fails when pages stop at the end of the rows loaded.
    @Test func `a burst of pages goes on below the rows loaded`() {
        var state = AppState(size: Size(columns: 80, rows: 24), accountLabel: "example")
        _ = Self.answer(state.update(.started), of: 2_000, in: &state)
        var slow = state
        for _ in 0..<30 {
            _ = Self.answer(slow.update(.input(.plain(.pageDown))), of: 2_000, in: &slow)
        }
        let effects = Self.type(Array(repeating: .plain(.pageDown), count: 30), into: &state)
        _ = Self.answer(effects, of: 2_000, in: &state)
        #expect(state.selectedThread == slow.selectedThread)
        #expect(state.selectedThread != ThreadID("t199"))
    }

    /// Fails when going from one conversation to the next stops where the loaded rows do.
    @Test func `the reader goes on below the rows loaded`() {
        var state = AppState(size: Size(columns: 80, rows: 24), accountLabel: "example")
        _ = Self.answer(state.update(.started), of: 900, in: &state)
        _ = Self.type([.plain(.enter)], into: &state)
        let effects = Self.type(Array(repeating: .character("n"), count: 230), into: &state)
        _ = Self.answer(effects, of: 900, in: &state)
        #expect(state.openThread == ThreadID("t230"))
    }

    /// Fails when a filter without hits loses the place.
    @Test func `leaving a filter without hits goes back to the row`() {
        var state = Fixture.state(columns: 140, rows: 24, Self.rows(0..<5))
        _ = state.press("jjj/")
        _ = state.press("zzz")
        _ = state.update(.conversationsLoaded(Self.inbox, generation: 3, rows: [], hasMore: false))
        #expect(state.screen.contains("Nothing here fits"))
        let effects = state.update(.input(.plain(.escape)))
        _ = Self.answer(effects, of: 5, in: &state)
        #expect(state.selectedThread == ThreadID("t3"))
    }

    /// Fails when keys that wait for rows cannot be called off.
    @Test func `an interrupt drops what waits`() {
        var state = AppState(size: Size(columns: 80, rows: 24), accountLabel: "example")
        _ = Self.answer(state.update(.started), of: 900, in: &state)
        let effects = Self.type([.character("G"), .plain(.enter)], into: &state)
        _ = Self.type([.key(.character("c"), .control)], into: &state)
        _ = Self.answer(effects, of: 900, in: &state)
        #expect(state.openThread == nil)
    }

    /// Fails when a key that leaves from everywhere has to be pressed a third time where a line is typed.
    @Test(arguments: [":", "/"]) func `an interrupt pressed twice leaves also from a prompt`(_ prompt: Character) {
        var state = Fixture.state(columns: 80, rows: 24, Self.rows(0..<5))
        let interrupt = InputEvent.key(.character("c"), .control)
        _ = Self.type([.character(prompt), .character("x")], into: &state)
        #expect(!Self.type([interrupt], into: &state).contains(.quit))
        #expect(Self.type([interrupt], into: &state).contains(.quit))
        _ = Self.type([.character(prompt), interrupt, .character("j")], into: &state)
        #expect(!Self.type([interrupt], into: &state).contains(.quit))
    }

    /// Fails when a failure too long for the status line can be read nowhere, or outlives its pass.
    @Test func `a failure is told whole until the next pass`() {
        var state = Fixture.state(columns: 60, rows: 24, Self.rows(0..<5))
        let end = "the last words of a sentence"
        _ = state.update(.syncFailed("The server says something that is far too long for one line, up to \(end)."))
        let text = state.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("sentence."))
        _ = state.update(.syncFinished)
        #expect(!state.screen.contains("sentence."))
    }
}
