import MailFilter
import MailModel
import Testing

import TerminalUI
@testable import MailUI

/// The list's filter as a language.
struct FilterTests {
    private static let inbox = ListScope(folder: .inbox)

    private func typing(_ keys: String) -> (state: AppState, effects: [Effect]) {
        var state = Fixture.state(columns: 110, rows: 24, (0..<3).map { Fixture.row("t\($0)") })
        let effects = state.press("/" + keys)
        return (state, effects)
    }

    private func enter(_ state: inout AppState) -> [Effect] { state.update(.input(.plain(.enter))) }

    /// Fails when a filter in the middle of being typed empties the list or cries out.
    @Test func `what is no filter yet leaves the list and says so quietly`() {
        var (state, effects) = typing("is:unread (from:a")
        #expect(state.list.filter == "is:unread" && state.list.fault?.isUnfinished == true)
        #expect(state.notice == nil && !effects.contains(.bell))
        #expect(state.screen.contains("…"))

        (state, effects) = typing("is:new x")
        #expect(state.list.filter == "is" && !effects.contains(.bell))
        #expect(state.filterFault?.column == 4)
    }

    /// Fails when the place of a fault is not pointed at, or what was typed gives way to the sentence about it.
    @Test(arguments: [(80, 24), (40, 12), (200, 50)])
    func `a fault is pointed at below the filter`(_ columns: Int, _ rows: Int) throws {
        var state = Fixture.state(columns: columns, rows: rows, [Fixture.row("t0"), Fixture.row("t1")])
        _ = state.press("/from:ann is:new x")

        let lines = state.screen.split(separator: "\n", omittingEmptySubsequences: false).map { Array($0) }
        let row = try #require(lines.firstIndex { String($0).contains("Filter: from:ann is:new x") })
        let place = try #require(String(lines[row]).firstRange(of: "new x")).lowerBound
        let column = String(lines[row]).distance(from: String(lines[row]).startIndex, to: place)
        #expect(lines[row + 1].count > column && lines[row + 1][column] == "^", "\(state.screen)")
        let words = state.screen.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.lowercased().contains("expected unread, read, starred, sent, draft or unanswered"), "\(words)")
    }

    /// Fails when rows of the filter before pass for what a wrong one found, or keys act on them.
    @Test func `a wrong filter shows no rows`() {
        var (state, _) = typing("is:new x")
        #expect(!state.screen.contains("Subject") && state.screen.contains("This is no filter"))
        let selected = state.list.selected
        #expect(state.update(.input(.plain(.down))) == [.bell])
        #expect(state.list.selected == selected)

        _ = state.press("\u{15}")
        for _ in 0..<8 { _ = state.update(.input(.plain(.backspace))) }
        #expect(state.filterFault == nil)
    }

    /// Fails when a person cannot see how much of the mail was searched.
    @Test func `how many texts were searched stands beside the hits`() {
        var (state, _) = typing("boats")
        func find(_ rows: [ConversationRow]) {
            _ = state.update(
                .conversationsLoaded(Self.inbox, generation: state.list.generation, rows: rows, hasMore: false))
        }
        find([Fixture.row("t0")])
        _ = state.update(.searchCovered(SearchCoverage(messages: 68_544, bodies: 3_120, waiting: 0)))
        #expect(state.screen.contains("1 of 1 · bodies 3,120 of 68,544"), "\(state.screen)")
        _ = enter(&state)
        #expect(state.screen.contains("bodies 3,120 of 68,544 · 1 of 1"), "\(state.screen)")
        find([])
        #expect(state.screen.contains("Searched were: bodies 3,120 of 68,544."), "\(state.screen)")

        _ = state.update(.searchCovered(SearchCoverage(messages: 5, bodies: 5, waiting: 0)))
        #expect(!state.screen.contains("bodies"))
        _ = state.update(.input(.plain(.escape)))
        _ = state.press("/is:unread")
        _ = state.update(.searchCovered(SearchCoverage(messages: 5, bodies: 1, waiting: 0)))
        #expect(!state.screen.contains("bodies"))
    }

    /// Fails when Enter passes over that the server cannot be asked.
    @Test func `offline, Enter says that the server was not asked`() {
        var (state, _) = typing("boats")
        _ = state.update(.offline(true))
        #expect(enter(&state) == [])
        #expect(state.notice?.hasPrefix("Offline") == true)
    }

    /// Fails when Enter takes a wrong filter, or loses what was typed.
    @Test func `Enter on a wrong filter tells what is wrong and stays`() {
        var (state, _) = typing("is:new x")
        #expect(enter(&state) == [.bell])
        #expect(state.prompt?.text == "is:new x" && state.filterFault != nil)

        (state, _) = typing("(boats")
        #expect(state.filterFault == nil && enter(&state) == [.bell])
        #expect(state.filterFault != nil && state.screen.contains("expected a closing parenthesis"))
        _ = state.press(")")
        #expect(state.filterFault == nil)
    }

    /// Fails when what is wrong hides what was typed, or is cut, at any width.
    @Test(arguments: [110, 80, 40, 24])
    func `what is wrong stands beside what was typed`(columns: Int) {
        let typed = "from:ann is:new older:30d"
        var state = Fixture.state(columns: columns, rows: 24, (0..<3).map { Fixture.row("t\($0)") })
        _ = state.press("/" + typed)
        let sentence = "xpected unread, read, starred, sent, draft or unanswered"
        #expect(state.list.fault?.message.contains(sentence) == true)
        for _ in 0..<2 {
            let screen = state.screen.split(separator: "\n").map(String.init)
            let all = screen.joined(separator: " ").split(separator: " ").joined(separator: " ")
            #expect(all.contains(sentence), "\(state.screen)")
            #expect(screen.contains { $0.contains(columns >= 40 ? typed : "older:30d") }, "\(state.screen)")
            #expect(!state.screen.contains("Enter keep"))
            _ = enter(&state)
        }
    }

    /// Fails when the server is asked as one types, or not asked at Enter.
    @Test func `Enter asks the server as well`() {
        var (state, effects) = typing("boats")
        #expect(!effects.contains { if case .searchServer = $0 { true } else { false } })
        #expect(enter(&state) == [.searchServer(Self.inbox, filter: "boats")])
        #expect(state.prompt == nil)
    }

    /// Fails when the server's hits move the selection, appear twice or are not told apart.
    @Test func `the server's hits join the list in its order`() {
        var (state, _) = typing("boats")
        _ = enter(&state)
        let rows = (0..<3).map { Fixture.row("t\($0)") }
        _ = state.update(
            .conversationsLoaded(Self.inbox, generation: state.list.generation, rows: rows, hasMore: false))
        _ = state.press("j")
        let selected = state.list.selected
        var found = Fixture.row("server")
        found.shown.receivedAt = Timestamp("9990-01-01T00:00:00.000Z")

        _ = state.update(.serverSearched(Self.inbox, filter: "boats", rows: [found, rows[0]], unknown: 2))

        #expect(state.list.rows.map(\.threadID.rawValue) == ["server", "t0", "t1", "t2"])
        #expect(state.list.selected == selected)
        #expect(state.isFromServer(0) && !state.isFromServer(1))
        #expect(state.notice == "The server found 1 more, marked +; 2 more are not fetched yet.")
        // They stay when the list is read again.
        _ = state.update(
            .conversationsLoaded(Self.inbox, generation: state.list.generation, rows: rows, hasMore: false))
        #expect(state.list.rows.count == 4)
    }

    /// Fails when drafts are filtered by other rules than mail.
    @Test func `drafts are filtered by the same language`() {
        var state = AppState(size: Size(columns: 100, rows: 20), accountLabel: "a", scope: ListScope(folder: .drafts))
        _ = state.update(.draftsLoaded(["Annual report", "Boats"].map { draft($0) }))
        _ = state.press("/subject:rep -boats")
        #expect(state.shownDrafts.map(\.subject) == ["Annual report"])
        #expect(enter(&state) == [])
        _ = state.update(.input(.plain(.escape)))
        #expect(state.shownDrafts.count == 2)
    }

    private func draft(_ subject: String) -> Draft {
        Draft(
            id: DraftID(subject), mailboxID: nil, replyToMessageID: nil, forwardOfMessageID: nil, from: "", to: [],
            cc: [], bcc: [], subject: subject, text: "", html: "", version: 1,
            updatedAt: Timestamp("2025-01-01T00:00:00.000Z"), attachments: [])
    }

    /// Fails when what was found is not shown where it is.
    @Test func `hits are marked in the list`() {
        var (state, _) = typing("Subj")
        let rows = [Fixture.row("t1")]
        _ = state.update(
            .conversationsLoaded(Self.inbox, generation: state.list.generation, rows: rows, hasMore: false))
        let grid = state.draw()
        let marked = (0..<grid.size.rows - 1).flatMap { row in
            (0..<grid.size.columns).filter { grid[row, $0].style.underline && grid[row, $0].style.bold }.map {
                grid[row, $0].text
            }
        }
        #expect(marked.joined().contains("Subject"))
    }

    /// Fails when a saved search cannot be gone to like a folder, or leaving it keeps its filter.
    @Test func `a saved search is a place of the sidebar`() {
        var state = Fixture.state(columns: 110, rows: 24, [Fixture.row("t")])
        state.savedSearches = [SavedSearch(name: "Waiting", filter: "is:unanswered  in:anywhere")]
        #expect(state.screen.contains("    Waiting"))

        for _ in 0..<Folder.allCases.count - 1 { _ = state.press("J") }
        let effects = state.press("J")
        guard case .loadConversations(Self.inbox, "is:unanswered in:anywhere", _, _)? = effects.last else {
            Issue.record("\(effects)")
            return
        }
        #expect(effects.count == 1 && state.screen.contains("› Waiting"))
        #expect(!state.screen.contains("› Inbox"))

        _ = state.press("gi")
        #expect(state.list.filter == "" && state.scope == Self.inbox && state.screen.contains("› Inbox"))
    }

    /// Fails when a saved search cannot be gone to by its name, or another account's can.
    @Test func `a saved search is gone to by its name`() {
        var state = Fixture.state(columns: 110, rows: 24, [Fixture.row("t")])
        state.savedSearches = [
            SavedSearch(name: "Waiting for us", filter: "is:unanswered"),
            SavedSearch(name: "Sent late", filter: "is:sent", account: state.accountLabel),
            SavedSearch(name: "Other", filter: "is:draft", account: "another"),
        ]
        func filter(_ effects: [Effect]) -> String? {
            if case .loadConversations(_, let filter, _, _)? = effects.last { filter } else { nil }
        }
        #expect(filter(state.run("go waiting  for US")) == "is:unanswered")
        #expect(filter(state.run("go sent l")) == "is:sent")
        #expect(state.run("go sent") != [] && state.scope.folder == .sent && state.list.filter == "")
        _ = state.run("go se")
        #expect(state.notice == "“se” is more than one folder or saved search. There are sent, Sent late.")
        _ = state.run("go other")
        #expect(state.notice?.contains("is no folder or saved search") == true)
        #expect(!state.screen.contains("Other") && state.screen.contains("Sent late"))

        #expect(state.completions(of: "go w").map(\.text) == ["go Waiting for us"])
        let item = state.paletteItems("waiting us").first
        #expect(item?.title == "go to Waiting for us" && item?.invocation?.argument == "Waiting for us")
    }

    /// Fails when acting on what a filter found elsewhere would act on the list's own messages.
    @Test func `an action on a hit of another folder is about that message`() throws {
        var (state, _) = typing("in:anywhere boats")
        _ = enter(&state)
        _ = state.update(
            .conversationsLoaded(
                Self.inbox, generation: state.list.generation, rows: [Fixture.row("t")], hasMore: false))

        let orders = state.update(.input(.character("e"))).compactMap { effect in
            if case .triage(let order) = effect { order.request.targets } else { nil }
        }

        #expect(orders == [.messages([MessageID("m-t")])])
    }
}
