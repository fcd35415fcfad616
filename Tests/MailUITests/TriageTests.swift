import MailModel
import TerminalUI
import Testing

@testable import MailUI

/// Acting on mail: keys in, orders out, and what the screen shows at once.
struct TriageTests {
    static let support = MailboxID("support")
    static let archive = MailboxID("closed")

    /// A list of conversations named by letters, all of the mailbox that may be changed unless said otherwise.
    static func state(
        _ names: [String], folder: Folder = .inbox, unread: Int = 0, columns: Int = 80, rows: Int = 24,
        change: (inout ConversationRow) -> Void = { _ in }
    ) -> AppState {
        let conversations = names.enumerated().map { place, name in
            var row = Fixture.row(name, second: 1_000 - place, subject: "About \(name)", unread: unread)
            row.shown.mailboxID = support
            row.shown.folder = folder == .starred ? "inbox" : folder.rawValue
            change(&row)
            return row
        }
        var state = AppState(
            size: Size(columns: columns, rows: rows), accountLabel: "example", scope: ListScope(folder: folder))
        _ = state.update(.started)
        let boxes = [(support, AccessLevel.agent), (archive, .read)].map { id, level in
            MailboxCounts(
                mailbox: Mailbox(
                    id: id, address: "\(id.rawValue)@example.org", displayName: "", isActive: true, accessLevel: level),
                unread: [.inbox: 20], total: [.inbox: 40])
        }
        _ = state.update(
            .countsLoaded([MailboxCounts(mailbox: nil, unread: [.inbox: 40], total: [.inbox: 80])] + boxes))
        _ = state.update(
            .conversationsLoaded(
                ListScope(folder: folder), generation: 0, rows: conversations, hasMore: false, horizon: 77))
        return state
    }

    static func orders(_ effects: [Effect]) -> [TriageOrder] {
        effects.compactMap { if case .triage(let order) = $0 { order } else { nil } }
    }

    static func shown(_ state: AppState) -> [String] { state.list.rows.map(\.threadID.rawValue) }

    private static func conversations(_ names: String..., in scope: ListScope) -> TriageRequest.Targets {
        .conversations(names.map { ThreadID($0) }, in: scope, horizon: 77)
    }

    private static func messages(_ names: String...) -> TriageRequest.Targets {
        .messages(names.map { MessageID("m-" + $0) })
    }

    /// Fails when a key acts on more than the row, on less, or does not lead back where its first way led to.
    @Test(arguments: [
        ("e", Folder.inbox, TriageAction.archive), ("a", .inbox, .archive), ("d", .inbox, .trash),
        ("#", .inbox, .trash),
        ("e", .archived, .unarchive), ("d", .archived, .trash), ("e", .trash, .archive), ("d", .trash, .restore),
        ("e", .sent, .archive), ("e", .catchall, .archive), ("d", .starred, .trash),
    ])
    func `a key acts by the folder shown`(_ key: String, _ folder: Folder, _ action: TriageAction) {
        var state = Self.state(["a", "b", "c"], folder: folder) { $0.isStarred = folder == .starred }

        let effects = state.press("j" + key)

        let scope = ListScope(folder: folder)
        #expect(
            Self.orders(effects) == [
                TriageOrder(
                    number: 1, request: TriageRequest(action: action, targets: Self.conversations("b", in: scope)))
            ])
        #expect(Self.shown(state) == (folder == .starred ? ["a", "b", "c"] : ["a", "c"]))
        #expect(state.selectedThread == ThreadID(folder == .starred ? "b" : "c"))
    }

    /// Fails when a row that was acted on, its weight or a count stays on the screen until the cache answers.
    @Test func `the row and what it counts go in the same frame`() {
        var state = Self.state(["a", "b"], unread: 3)
        #expect(state.screen.contains("40"))

        _ = state.press("e")

        #expect(Self.shown(state) == ["b"])
        #expect(state.counts.map { $0.unread[.inbox] } == [37, 17, 20])
        #expect(state.screen.contains("Archived “About a”; u undoes it."))
        #expect(!state.screen.contains("a@example.org"))
    }

    @Test func `reading and stars change the row where it is`() {
        var state = Self.state(["a"], unread: 3)

        let read = Self.orders(state.press("U"))
        #expect(read.map(\.request.targets) == [Self.conversations("a", in: ListScope(folder: .inbox))])
        #expect(state.list.rows[0].shownUnread == 0 && state.counts[0].unread[.inbox] == 37)
        let unread = Self.orders(state.press("U"))
        #expect(unread.map(\.request) == [TriageRequest(action: .unread, targets: Self.messages("a"))])
        #expect(state.list.rows[0].shownUnread == 1 && state.counts[1].unread[.inbox] == 18)
        let starred = Self.orders(state.press("s"))
        #expect(starred.map(\.request) == [TriageRequest(action: .star, targets: Self.messages("a"))])
        #expect(state.screen.contains("●★"))
        let plain = Self.orders(state.press("*"))
        #expect(plain.map(\.request.targets) == [Self.conversations("a", in: ListScope(folder: .starred))])
        #expect(!state.list.rows[0].isStarred)
    }

    /// Fails when an answer of before the action brings the row back, or one that tells of news hides the news.
    @Test func `an answer of before does not undo what is shown`() {
        var state = Self.state(["a", "b"], unread: 1)
        let before = state.list.rows
        _ = state.press("e")

        _ = state.update(
            .conversationsLoaded(
                state.scope, generation: state.list.generation, rows: before, hasMore: false, horizon: 77))
        #expect(Self.shown(state) == ["b"])
        _ = state.update(.countsLoaded([MailboxCounts(mailbox: nil, unread: [.inbox: 40], total: [:])]))
        #expect(state.counts[0].unread[.inbox] == 39)

        var news = before
        news[0].shown.id = MessageID("m-reply")
        _ = state.update(
            .conversationsLoaded(
                state.scope, generation: state.list.generation, rows: news, hasMore: false, horizon: 80))
        #expect(Self.shown(state) == ["a", "b"])
    }

    private static func settle(_ effects: [Effect]) -> SettleQuestion? {
        for case .settle(let question) in effects { return question }
        return nil
    }

    /// Fails when what the cache answers once the outbox has the order is not what is shown from then on.
    @Test func `the cache's answer takes the place of what was foreseen`() throws {
        var state = Self.state(["a", "b"])
        let before = state.list.rows
        _ = state.press("e")
        let receipt = BatchReceipt(batch: BatchID("1"), operations: [OperationID("1")])

        let question = try #require(Self.settle(state.update(.triageQueued(1, receipt))))
        #expect(question.number == 1 && question.limit == 200 && question.generation == 1)
        // An answer under way is of before.
        _ = state.update(.conversationsLoaded(state.scope, generation: 0, rows: before, hasMore: false))
        #expect(Self.shown(state) == ["b"])
        let more = state.update(
            .settled(
                SettleAnswer(
                    question: question, counts: state.counts, rows: before, hasMore: false, horizon: 90, messages: [])))

        #expect(Self.settle(more) == nil)
        #expect(Self.shown(state) == ["a", "b"] && state.triage.pending.isEmpty && state.list.horizon == 90)
    }

    @Test func `many orders are settled together`() throws {
        var state = Self.state((0..<6).map { "t\($0)" })
        _ = state.press("eee")
        let receipt = BatchReceipt(batch: BatchID("1"), operations: [OperationID("1")])
        let first = try #require(Self.settle(state.update(.triageQueued(1, receipt))))
        #expect(Self.settle(state.update(.triageQueued(2, receipt))) == nil)
        #expect(Self.settle(state.update(.triageQueued(3, receipt))) == nil)

        let rows = (1..<6).map { Fixture.row("t\($0)") }
        let effects = state.update(
            .settled(
                SettleAnswer(
                    question: first, counts: state.counts, rows: rows, hasMore: false, horizon: 78, messages: [])))

        #expect(Self.settle(effects)?.number == 3)
        #expect(state.triage.pending.map(\.number) == [2, 3])
    }

    /// Fails when what could not be queued stays away, or goes without a word.
    @Test func `what could not be queued comes back with the reason`() throws {
        var state = Self.state(["a", "b"])
        let before = state.list.rows
        _ = state.press("d")

        let effects = state.update(.triageFailed(1, "The disk is full."))
        let question = try #require(Self.settle(effects))
        _ = state.update(
            .settled(
                SettleAnswer(
                    question: question, counts: state.counts, rows: before, hasMore: false, horizon: 77, messages: [])))

        #expect(effects.contains(.bell) && Self.shown(state) == ["a", "b"])
        #expect(state.screen.contains("The disk is full."))
    }

    /// Fails when something that cannot be done is tried, or the reason is not told.
    @Test(arguments: [
        ("e", Folder.drafts, "This is a draft, not mail; it cannot be marked or moved."),
        ("I", .inbox, "There is nothing unread here."), ("X", .inbox, "Nothing is selected."),
        ("U", .sent, "Only mail that was received can be unread."), ("x", .drafts, "Drafts cannot be selected."),
    ])
    func `what cannot be done is told`(_ key: String, _ folder: Folder, _ reason: String) {
        var state = Self.state(["a"], folder: folder) {
            $0.shown.direction = folder == .sent ? .outbound : .inbound
            $0.shown.readAt = Timestamp(millisecondsSinceEpoch: 1)
        }
        if folder == .drafts { _ = state.update(.draftsLoaded([])) }

        #expect(state.press(key) == [.bell])
        #expect(state.screen.contains(reason), "\(state.screen)")
    }

    @Test func `an empty list has nothing to act on, and being offline is no reason`() {
        var empty = Self.state([])
        #expect(empty.press("e") == [.bell])
        #expect(empty.screen.contains("There is no conversation here."))
        var offline = Self.state(["a"])
        _ = offline.update(.offline(true))
        #expect(Self.orders(offline.press("e")).count == 1)
    }

    /// Fails when mail that may only be read is moved or starred, or cannot even be marked as read.
    @Test func `read access is enough for reading only`() {
        var state = Self.state(["a"], unread: 1) { $0.shown.mailboxID = Self.archive }
        // The hints offer what can be done.
        let hints = state.screen.split(separator: "\n").last ?? ""
        #expect(!hints.contains("archive") && !hints.contains("trash") && hints.contains("Enter open"), "\(hints)")

        #expect(state.press("e") == [.bell])
        #expect(state.screen.contains("You may read the mail of closed@example.org, but not change it."))
        #expect(state.press("s") == [.bell])
        let item = state.menuItem(.archive)
        #expect(item?.reason?.contains("closed@example.org") == true)
        #expect(Self.orders(state.press("U")).count == 1)
    }
}
