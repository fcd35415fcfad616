import DisplayText
import MailModel
import TerminalUI
import Testing

@testable import MailUI

/// The servers' part in a filter of the inbox of all accounts.
struct CombinedSearchTests {
    private static let inbox = ListScope(folder: .inbox)

    /// The inbox of both accounts with a filter typed and kept, and what Enter did.
    private static func filtered(_ prepare: (inout AppState) -> Void = { _ in }) -> (AppState, [Effect]) {
        var state = AccountsTests.state(columns: 100)
        prepare(&state)
        _ = state.press("gI/boats")
        load(&state, "home", ["a"])
        load(&state, "work", ["b"])
        let effects = state.update(.input(.plain(.enter)))
        return (state, effects)
    }

    private static func load(_ state: inout AppState, _ label: String, _ names: [String]) {
        let generation = state.combined?.generations[label] ?? 0
        let rows = names.enumerated().map { Fixture.row($1, second: 1_000 - $0) }
        _ = state.update(.of(label, .combinedLoaded(rows, hasMore: false, generation: generation)))
    }

    private static func answer(
        _ state: inout AppState, _ label: String, _ names: [String], filter: String = "boats", unknown: Int = 0
    ) {
        let rows = names.map { Fixture.row($0, second: 500) }
        _ = state.update(.of(label, .serverSearched(inbox, filter: filter, rows: rows, unknown: unknown)))
    }

    private static func shown(_ state: AppState) -> [String] {
        state.combined?.rows.map { "\($0.account) \($0.row.threadID.rawValue)" } ?? []
    }

    /// Fails when Enter searches less in the inbox of all accounts than in one account.
    @Test func `Enter asks every server, and what they find joins the list`() {
        var (state, effects) = Self.filtered()
        #expect(
            effects
                == ["home", "work"].map { .of($0, .searchServer(Self.inbox, filter: "boats")) })
        Self.answer(&state, "work", ["b", "c"], unknown: 1)
        #expect(state.notice == nil)
        // The answer to an older filter, or one that was not asked for, is not this one's.
        Self.answer(&state, "home", ["x"], filter: "boa")
        Self.answer(&state, "work", ["y"])
        Self.answer(&state, "home", ["a", "b"])

        #expect(Self.shown(state) == ["home a", "work b", "home b", "work c"])
        #expect(state.combined?.search.marked.count == 2)
        #expect(state.notice == "The servers found 2 more, marked +; 1 more are not fetched yet.")
        #expect(state.screen.split(separator: "\n").count { $0.contains("+") } == 3, "\(state.screen)")
        // They stay when a cache is read again, and are no longer marked once it has them.
        Self.load(&state, "work", ["b", "c"])
        #expect(Self.shown(state).count == 4)
        #expect(state.combined?.search.marked == [AccountThread(account: "home", thread: ThreadID("b"))])
        // Another filter is another question.
        _ = state.press("/ x")
        #expect(state.combined?.search == CombinedSearch())
    }

    /// Fails when an account whose server is not asked passes for one that has nothing.
    @Test func `who was not asked is named`() {
        var (state, effects) = Self.filtered { _ = $0.update(.of("work", .offline(true))) }
        #expect(effects == [.of("home", .searchServer(Self.inbox, filter: "boats"))])
        Self.answer(&state, "home", [])
        #expect(state.notice == "The servers found nothing more. Not asked: work.")

        (state, effects) = Self.filtered()
        Self.answer(&state, "home", ["c"])
        _ = state.update(.of("work", .serverSearchFailed(Self.inbox, filter: "boats", "No.")))
        #expect(state.notice == "The servers found 1 more, marked +. Not asked: work.")

        (state, effects) = Self.filtered()
        for label in ["work", "home"] {
            _ = state.update(.of(label, .serverSearchFailed(Self.inbox, filter: "boats", "No.")))
        }
        #expect(state.notice == "No server was asked: No.")

        (state, effects) = Self.filtered { state in
            for label in ["home", "work"] { _ = state.update(.of(label, .offline(true))) }
        }
        #expect(effects == [])
        #expect(state.notice == "Offline: only mail that is here was searched, and no server was asked.")
    }

    /// Fails when what only a server found cannot be acted on, or an account that is gone leaves its finds behind.
    @Test func `what was found is acted on, and goes with its account`() {
        var (state, _) = Self.filtered()
        Self.answer(&state, "home", ["c"])
        Self.answer(&state, "work", ["d"])
        #expect(Self.shown(state).suffix(2).contains("home c"))
        _ = state.press("G")
        let last = state.combined?.selected
        _ = state.press("e")
        #expect(state.combined?.rows.contains { $0.id == last } == false)
        #expect(Self.shown(state).count == 3)
        _ = state.update(.accounts([AccountsTests.entries[0]], shown: "home"))
        #expect(!Self.shown(state).contains { $0.hasPrefix("work") })
    }
}
