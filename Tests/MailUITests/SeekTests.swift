import MailModel
import MailUI
import TerminalUI
import Testing

/// Going where the rows are not loaded yet, and what the status lines say.
struct SeekTests {
    private static let inbox = ListScope(folder: .inbox)

    private static func rows(_ range: Range<Int>, unread: Set<Int> = []) -> [ConversationRow] {
        range.map { Fixture.row("t\($0)", second: 1_000 - $0, unread: unread.contains($0) ? 1 : 0) }
    }

    private static func state(_ rows: [ConversationRow], hasMore: Bool) -> AppState {
        var state = Fixture.state(columns: 80, rows: 24, [])
        _ = state.update(.conversationsLoaded(inbox, generation: 0, rows: rows, hasMore: hasMore))
        return state
    }

    /// Fails when the end of a long list is the end of what happens to be loaded.
    @Test func `G goes to the end of the list and not of the rows loaded`() {
        var state = Self.state(Self.rows(0..<200), hasMore: true)
        #expect(state.press("G") == [.loadConversations(Self.inbox, filter: "", limit: 10_000, generation: 1)])
        _ = state.update(.conversationsLoaded(Self.inbox, generation: 1, rows: Self.rows(0..<900), hasMore: false))
        #expect(state.selectedThread == ThreadID("t899"))
        #expect(state.screen.contains("900 of 900"))
    }

    /// Fails when an answer that comes late takes the selection from where the person went meanwhile.
    @Test func `going elsewhere calls a jump off`() {
        var state = Self.state(Self.rows(0..<200), hasMore: true)
        _ = state.press("Ggs")
        _ = state.update(.input(.key(.character("c"), .control)))
        _ = state.press("gs")
        #expect(state.scope.folder == .starred)
        _ = state.update(.conversationsLoaded(Self.inbox, generation: 1, rows: Self.rows(0..<900), hasMore: false))
        #expect(state.selectedThread == nil)
    }

    /// Fails when unread mail below the rows loaded is passed over.
    @Test func `next unread goes on below the rows loaded`() {
        var state = Self.state(Self.rows(0..<200), hasMore: true)
        _ = state.update(.countsLoaded([MailboxCounts(mailbox: nil, unread: [.inbox: 1], total: [:])]))
        #expect(state.update(.input(.plain(.tab))).contains { if case .loadConversations = $0 { true } else { false } })
        let all = Self.rows(0..<900, unread: [700])
        _ = state.update(.conversationsLoaded(Self.inbox, generation: 1, rows: all, hasMore: false))
        #expect(state.selectedThread == ThreadID("t700"))
    }

    /// Fails when next unread stops at the end of a folder, or does not go on reading.
    @Test func `next unread goes on in the next folder and opens what it finds`() {
        var state = Self.state(Self.rows(0..<3), hasMore: false)
        _ = state.update(.countsLoaded([MailboxCounts(mailbox: nil, unread: [.catchall: 1, .sent: 4], total: [:])]))
        _ = state.update(.input(.plain(.enter)))
        let catchall = ListScope(folder: .catchall)
        #expect(
            state.update(.input(.plain(.tab))) == [
                .loadConversations(catchall, filter: "", limit: 200, generation: 1)
            ])
        #expect(state.scope == catchall)
        let rows = [Fixture.row("x"), Fixture.row("y", unread: 1)]
        let effects = state.update(.conversationsLoaded(catchall, generation: 1, rows: rows, hasMore: false))
        #expect(effects == [.loadConversation(ThreadID("y"))])
        #expect(state.openThread == ThreadID("y"))
    }

    /// Fails when nothing unread is answered with silence or with a jump.
    @Test func `without unread mail next unread says so`() {
        var state = Self.state(Self.rows(0..<3), hasMore: false)
        #expect(state.update(.input(.plain(.tab))) == [.bell])
        #expect(state.screen.contains("No other conversation is unread"))
    }

    /// Fails when a narrow window cuts the age, or a failure hides how old the mail is.
    @Test func `the status line says state and age at every width`() {
        var state = Fixture.state(columns: 40, rows: 12, [Fixture.row("a")])
        _ = state.update(.clock(secondsSinceEpoch: 1_000_000, utcOffsetSeconds: 0))
        _ = state.update(.syncFinished)
        #expect(state.screen.contains("synced 0 s ago"))
        _ = state.update(.clock(secondsSinceEpoch: 1_000_300, utcOffsetSeconds: 0))
        _ = state.update(.syncFailed("The server cannot be reached."))
        _ = state.update(.resized(Size(columns: 80, rows: 24)))
        #expect(state.screen.contains("sync failed, synced 5 min ago: The server cannot be reached."))
        _ = state.update(.offline(true))
        #expect(state.screen.contains("offline, synced 5 min ago"))
        _ = state.update(.syncStarted)
        _ = state.update(.syncedAt(secondsSinceEpoch: 1_000_240))
        #expect(state.screen.contains("offline, synced 60 s ago") || state.screen.contains("offline, synced 1 min ago"))
        _ = state.update(.syncedAt(secondsSinceEpoch: nil))
        #expect(state.screen.contains("offline, synced"))
    }

    /// Fails when an empty cache after a failure looks like an empty mailbox.
    @Test func `a failed first pass is not an empty inbox`() {
        var state = Fixture.state(columns: 40, rows: 12, [])
        _ = state.update(.syncFailed("The server cannot be reached."))
        #expect(state.screen.contains("No mail has been fetched yet."))
        _ = state.update(.syncStarted)
        #expect(state.screen.contains("being fetched"))
        _ = state.update(.syncFinished)
        #expect(state.screen.contains("Nothing here."))
    }

    /// Fails when a hint or a sentence of help is cut, or help has no place among the hints.
    @Test(arguments: [30, 40, 60, 80]) func `hints and help are never cut`(columns: Int) {
        var state = Fixture.state(columns: columns, rows: 12, [Fixture.row("a")])
        #expect(state.draw().rowText(11).contains("? help"))
        #expect(!state.draw().rowText(11).contains("…"))
        _ = state.press("?")
        var seen = ""
        for _ in 0..<40 {
            #expect(!state.draw().rowText(0).contains("…"))
            seen += state.screen
            _ = state.press(" ")
        }
        #expect(seen.contains("conversation"))
    }

    /// Fails when a list changes under the person without a word.
    @Test func `a mailbox that vanishes says so`() {
        let mailbox = Mailbox(
            id: MailboxID("x"), address: "x@example.org", displayName: "", isActive: true, accessLevel: .manager)
        let all = MailboxCounts(mailbox: nil, unread: [:], total: [:])
        var state = Fixture.state(columns: 80, rows: 24, [Fixture.row("a")])
        _ = state.update(.countsLoaded([all, MailboxCounts(mailbox: mailbox, unread: [:], total: [:])]))
        _ = state.press("M")
        #expect(state.scope.mailboxID == MailboxID("x"))
        _ = state.update(.countsLoaded([all]))
        #expect(state.scope.mailboxID == nil)
        #expect(state.screen.contains("no longer there"))
    }

    /// Fails when the length of a long list is that of the rows loaded.
    @Test func `the status line counts the whole list`() {
        var state = Self.state(Self.rows(0..<200), hasMore: true)
        #expect(state.screen.contains("1 of 200+"))
        _ = state.update(.countsLoaded([MailboxCounts(mailbox: nil, unread: [:], total: [.inbox: 4_580])]))
        #expect(state.screen.contains("1 of 4,580"))
    }

    /// Fails when the person cannot see how many conversations a filter leaves while typing it.
    @Test func `the prompt counts what it finds`() {
        var state = Self.state(Self.rows(0..<3), hasMore: false)
        _ = state.press("/x")
        _ = state.update(.conversationsLoaded(Self.inbox, generation: 1, rows: Self.rows(0..<2), hasMore: false))
        #expect(state.screen.contains("1 of 2"))
    }
}
