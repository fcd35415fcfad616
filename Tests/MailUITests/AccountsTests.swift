import DisplayText
import MailModel
import TerminalUI
import Testing

@testable import MailUI

/// Several accounts on one screen.
struct AccountsTests {
    static let inbox = ListScope(folder: .inbox)
    static let entries = [
        AccountEntry(label: "home", name: "home", color: .cyan),
        AccountEntry(label: "work", name: "work", color: .green),
    ]

    static func counts(unread: Int) -> [MailboxCounts] {
        [MailboxCounts(mailbox: nil, unread: [.inbox: unread], total: [.inbox: unread])]
    }

    /// Two accounts whose servers use the same ids; the first is shown.
    static func state(columns: Int = 80, rows: Int = 24) -> AppState {
        var state = AppState(size: Size(columns: columns, rows: rows), accountLabel: "home")
        state.canAddAccounts = true
        _ = state.update(.accounts(entries, shown: "home"))
        _ = state.update(.started)
        for (label, subject) in [("home", "From home"), ("work", "From work")] {
            _ = state.update(.of(label, .countsLoaded(counts(unread: label == "home" ? 2 : 5))))
            _ = state.update(
                .of(
                    label,
                    .conversationsLoaded(
                        inbox, generation: 0, rows: [Fixture.row("a", subject: subject, unread: 1)], hasMore: false)))
        }
        return state
    }

    /// Fails when an answer for one account changes what is shown of another.
    @Test func `two servers that reuse ids never mix`() {
        var state = Self.state()
        #expect(state.screen.contains("From home"))
        #expect(!state.screen.contains("From work"))
        _ = state.update(.input(.plain(.enter)))
        _ = state.update(.of("work", .conversationLoaded(ThreadID("a"), [Fixture.message("a", text: "Work's text.")])))
        #expect(!state.screen.contains("Work's text."))
        _ = state.update(.of("home", .conversationLoaded(ThreadID("a"), [Fixture.message("a", text: "Home's text.")])))
        #expect(state.screen.contains("Home's text."))

        let effects = state.press("gA")
        #expect(effects.first == .accountShown("work"))
        #expect(state.accountLabel == "work")
        #expect(state.screen.contains("From work"))
        #expect(!state.screen.contains("Home's text."))
        _ = state.update(.input(.plain(.enter)))
        _ = state.update(.of("home", .conversationLoaded(ThreadID("a"), [Fixture.message("a", text: "Home again.")])))
        #expect(!state.screen.contains("Home again."))
        _ = state.update(.input(.key(.character("1"), .alt)))
        #expect(state.accountLabel == "home")
        #expect(state.screen.contains("Home again."), "\(state.screen)")
    }

    /// Fails when a failure, a notice or an offline sign of an account shows on another.
    @Test func `one account's failure touches no other`() {
        var state = Self.state(columns: 160, rows: 30)
        _ = state.update(.syncedAt(secondsSinceEpoch: 0))
        let before = state
        _ = state.update(.of("work", .syncStarted))
        _ = state.update(.of("work", .offline(true)))
        _ = state.update(.of("work", .syncFailed("The server cannot be reached.")))
        #expect(state.syncText == before.syncText)
        #expect(state.notice == nil)
        #expect(state.scope == before.scope && state.list == before.list && state.reader == before.reader)
        // The sidebar has a sign, which is not a colour only.
        #expect(state.screen.contains("2 work"))
        #expect(state.screen.contains(" ~ 5"), "\(state.screen)")
        _ = state.press("gA")
        #expect(state.syncText.contains("offline"))
    }

    /// Fails when trouble of an account cannot be seen where there is no sidebar.
    @Test func `a narrow window tells of the other accounts' trouble`() {
        var state = Self.state(columns: 60, rows: 12)
        _ = state.update(.of("work", .offline(true)))
        _ = state.update(.of("work", .syncFailed("No.")))
        #expect(state.screen.contains("work offline"), "\(state.screen)")
    }

    /// Fails when an account that is signed out looks like one that is well, or like all others.
    @Test(arguments: ScreenTests.sizes) func `a sign-in that has ended is told with what to do`(columns: Int, rows: Int)
    {
        var state = Self.state(columns: columns, rows: rows)
        _ = state.update(.of("home", .signInEnded(true)))
        _ = state.update(.of("home", .syncFailed("The server no longer accepts this sign-in.")))
        #expect(state.screen.contains("signed out"), "\(state.screen)")
        #expect(state.syncText.contains(":sign-in"))
        let line = ":sign-in".map { InputEvent.character($0) } + [.plain(.enter)]
        let effects = line.flatMap { state.update(.input($0)) }
        #expect(effects.contains(.beginSignIn(SignInRequest(address: "", account: "home", attempt: 1))))
        _ = state.update(.signIn(.done("home"), attempt: 1))
        _ = state.update(.of("home", .syncFinished))
        #expect(!state.screen.contains("signed out"))
        #expect(state.screen.contains("From home"))
    }

    /// Fails when the warning comes too early or stays away.
    @Test func `from the sixth day on the status line says that a sign-in is due`() {
        var state = Self.state(columns: 160, rows: 24)
        let signedIn: Int64 = 1_700_000_000
        _ = state.update(.signedInAt(seconds: signedIn))
        let table: [(Int64, Bool)] = [(0, false), (6 * 86_400 - 1, false), (6 * 86_400, true), (9 * 86_400, true)]
        for (age, isDue) in table {
            _ = state.update(.clock(secondsSinceEpoch: signedIn + age, utcOffsetSeconds: 0))
            #expect(state.screen.contains(":sign-in renews it") == isDue, "\(age)")
        }
        #expect(!state.screen.contains("home: sign-in"))
        _ = state.press("gA")
        #expect(!state.screen.contains(":sign-in renews it"))
        #expect(state.screen.contains("home: sign-in 9 days old"), "\(state.screen)")
        _ = state.press("gI")
        #expect(state.screen.contains("home: sign-in 9 days old"), "\(state.screen)")
        _ = state.update(.of("home", .signInEnded(true)))
        #expect(!state.screen.contains("days old"), "\(state.screen)")
    }

    /// Fails when a change of a hidden account reads its lists again and again, or its counts never.
    @Test func `a hidden account follows its counts only`() {
        var state = Self.state()
        #expect(state.update(.of("work", .storeChanged(.everything))) == [.of("work", .loadCounts)])
        _ = state.update(.of("work", .countsLoaded(Self.counts(unread: 7))))
        #expect(state.screen.contains("2 work"))
        #expect(state.screen.contains(" 7 "))
        let effects = state.press("gA")
        #expect(effects.contains { if case .loadConversations = $0 { true } else { false } })
    }

    /// Fails when keys typed for one account act in another, or a half-typed line goes along.
    @Test func `what was typed stays where it was typed`() {
        var state = Self.state()
        _ = state.press("/x")
        _ = state.update(.of("work", .syncFailed("No.")))
        #expect(state.prompt != nil)
        _ = state.update(.input(.plain(.escape)))
        _ = state.press("5")
        _ = state.update(.input(.key(.character("2"), .alt)))
        #expect(state.accountLabel == "work" && state.prompt == nil && state.count == nil)
    }

    @Test func `an account is found by a part of its name`() {
        var state = Self.state()
        _ = state.press(":account wor")
        #expect(state.screen.contains("5 unread"), "\(state.screen)")
        _ = state.update(.input(.plain(.enter)))
        #expect(state.accountLabel == "work")
        _ = state.press(":account attic")
        _ = state.update(.input(.plain(.enter)))
        #expect(state.screen.contains("No account here is called “attic”."))
    }

    /// Fails when an account that is gone stays on the screen.
    @Test func `accounts come and go`() {
        var state = Self.state()
        let third = AccountEntry(label: "zoo", name: "zoo", color: .magenta)
        _ = state.update(.accounts([Self.entries[1], third], shown: "work"))
        #expect(state.accountLabel == "work")
        #expect(!state.screen.contains("home"))
        #expect(state.screen.contains("2 zoo"))
        _ = state.update(.accountForgotten("work"))
        #expect(!state.screen.contains("From work"))
    }

    /// Fails when accounts are told apart by colour alone, or a screen is wider than it is.
    @Test(arguments: ScreenTests.sizes) func `the combined inbox names each row's account`(columns: Int, rows: Int) {
        var state = Self.state(columns: columns, rows: rows)
        let effects = state.press("gI")
        #expect(
            effects == ["home", "work"].map { .of($0, .loadCombined(limit: 200, generation: 1)) })
        for (label, second) in [("home", 100), ("work", 200)] {
            _ = state.update(
                .of(
                    label,
                    .combinedLoaded([Fixture.row("a", second: second, subject: label)], hasMore: false, generation: 1)))
        }
        let lines = state.screen.split(separator: "\n")
        let work = lines.firstIndex { $0.contains("Snippet") && $0.contains(columns < 60 ? "2 " : "work") }
        let home = lines.lastIndex { $0.contains("Snippet") && $0.contains(columns < 60 ? "1 " : "home") }
        #expect(work != nil && home != nil && (work ?? 0) < (home ?? 0), "\(state.screen)")
        let grid = state.draw()
        for row in 0..<rows { #expect(TextDisplay.width(of: grid.rowText(row)) == columns) }
    }
}

/// The inbox of all accounts.
struct CombinedTests {
    private static func state(_ rows: [String: [Int]], hasMore: Set<String> = []) -> AppState {
        var state = AccountsTests.state(columns: 120, rows: 30)
        _ = state.press("gI")
        for (label, seconds) in rows.sorted(by: { $0.key < $1.key }) {
            let rows = seconds.map { Fixture.row("t\($0)", second: $0, subject: "\(label) \($0)", unread: $0 % 2) }
            _ = state.update(
                .of(label, .combinedLoaded(rows, hasMore: hasMore.contains(label), generation: 1)))
        }
        return state
    }

    /// Fails when rows of two accounts are not in one order, or the same id stands for both.
    @Test func `rows are merged newest first`() {
        let state = Self.state(["home": [40, 20], "work": [40, 30]])
        #expect(state.combined?.rows.map(\.account) == ["home", "work", "work", "home"])
        #expect(Set(state.combined?.rows.map(\.id) ?? []).count == 4)
        #expect(state.combined?.selected == AccountThread(account: "home", thread: ThreadID("t40")))
    }

    /// Fails when an older row is shown before a newer one that was not read yet.
    @Test func `nothing older than what was read of each account is shown`() {
        let state = Self.state(["home": [40, 30], "work": [35, 10]], hasMore: ["home"])
        #expect(state.combined?.rows.map { $0.row.shown.subject } == ["home 40", "work 35", "home 30"])
        #expect(state.combined?.hasMore == true)
    }

    /// Fails when the pane beside the list tells of another conversation than the one selected.
    @Test func `a wide window tells of the conversation selected`() {
        var state = Self.state(["home": [40], "work": [35]])
        _ = state.update(.resized(Size(columns: 200, rows: 30)))
        #expect(state.screen.contains("Subject: home 40"), "\(state.screen)")
        _ = state.press("j")
        #expect(state.screen.contains("Subject: work 35") && !state.screen.contains("Subject: home 40"))
    }

    /// Fails when a conversation opens in an account that has the same id.
    @Test func `opening one goes to its account and back`() {
        var state = Self.state(["home": [40], "work": [40, 30]])
        _ = state.press("j")
        let effects = state.update(.input(.plain(.enter)))
        #expect(effects.first == .accountShown("work"))
        #expect(effects.last == .loadConversation(ThreadID("t40")))
        #expect(state.accountLabel == "work" && state.openThread == ThreadID("t40"))
        _ = state.press("q")
        #expect(state.isCombinedShown && state.openThread == nil)
        #expect(state.combined?.selected == AccountThread(account: "work", thread: ThreadID("t40")))
        _ = state.press("q")
        #expect(!state.isCombinedShown && state.accountLabel == "work")
    }

    /// Fails when new mail of an account does not come, or an answer to an older question does.
    @Test func `a commit of any account is read again`() {
        var state = Self.state(["home": [40], "work": [30]])
        let effects = state.update(.of("home", .storeChanged(.everything)))
        #expect(effects.contains(.of("home", .loadCombined(limit: 200, generation: 1))))
        let new = [Fixture.row("new", second: 90, subject: "new"), Fixture.row("t40", second: 40)]
        _ = state.update(.of("home", .combinedLoaded(new, hasMore: false, generation: 0)))
        #expect(state.combined?.rows.count == 2)
        _ = state.update(.of("home", .combinedLoaded(new, hasMore: false, generation: 1)))
        #expect(state.combined?.rows.map(\.row.threadID.rawValue) == ["new", "t40", "t30"])
        #expect(state.combined?.selected?.thread == ThreadID("t40"))
    }

    @Test func `next unread, refresh and the end of the list work`() {
        var state = Self.state(["home": [40, 20], "work": [35, 31]])
        _ = state.update(.input(.plain(.tab)))
        #expect(state.combined?.selected?.thread == ThreadID("t35"))
        #expect(state.press("$") == [.of("home", .syncNow), .of("work", .syncNow)])
        _ = state.press("G")
        #expect(state.combined?.selected?.thread == ThreadID("t20"))
        #expect(state.press("gs").contains { if case .loadConversations = $0 { true } else { false } })
        #expect(!state.isCombinedShown)
    }

    @Test func `with one account there is none`() {
        var state = Fixture.state(columns: 80, rows: 24, [])
        #expect(state.press("gI") == [.bell])
        #expect(state.press("gA") == [.bell])
        #expect(state.screen.contains("There is one account."))
    }

    /// Fails when any key at any size traps, or an effect of one account is asked of another.
    @Test func `random keys over accounts never trap`() {
        var seed: UInt64 = 7
        func next(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }
        let keys =
            Array("jkgGIAhlqJKnp/zis$d? :1xVeduoBTU~").map { InputEvent.character($0) }
            + "0123".map { InputEvent.key(.character($0), .alt) }
            + [.plain(.enter), .plain(.tab), .plain(.escape), .plain(.pageDown)]
        let rows = (0..<40).map { Fixture.row("t\($0)", second: $0, unread: $0 % 3) }
        var state = AccountsTests.state()
        for _ in 0..<800 {
            var shown = state.accountLabel
            for effect in state.update(.input(keys[next(keys.count)])) {
                var (label, inner) = (shown, effect)
                if case .accountShown(let new) = effect { shown = new }
                if case .of(let other, let effect) = effect { (label, inner) = (other, effect) }
                switch inner {
                case .loadConversations(let scope, _, _, let generation):
                    _ = state.update(
                        .of(label, .conversationsLoaded(scope, generation: generation, rows: rows, hasMore: true)))
                case .loadCombined(_, _, let generation):
                    _ = state.update(
                        .of(label, .combinedLoaded(Array(rows.reversed()), hasMore: true, generation: generation)))
                case .loadConversation(let thread):
                    _ = state.update(.of(label, .conversationLoaded(thread, [Fixture.message("a", text: "One")])))
                default: break
                }
            }
            if next(8) == 0 {
                let sizes = [(1, 1), (20, 5), (40, 12), (80, 24), (120, 30), (200, 50)]
                let size = sizes[next(sizes.count)]
                _ = state.update(.resized(Size(columns: size.0, rows: size.1)))
            }
            if next(3) == 0 { #expect(state.draw().size == state.size) }
        }
    }
}
