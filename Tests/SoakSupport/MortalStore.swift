package import MailModel
package import MailStorage
internal import MailSync
internal import Synchronization

/// A store that stops for ever at a chosen call, as if its process had been killed there.
package final class MortalStore: SyncStore {
    private struct State {
        var calls = 0
        var diesAt: Int?
        var isAfter = false
        var isDead = false
    }

    package let store: MailStore
    private let state = Mutex(State())

    private let note: @Sendable (String) -> Void

    /// `note` is told of each call.
    package init(_ store: MailStore, note: @escaping @Sendable (String) -> Void) {
        self.store = store
        self.note = note
    }

    /// Has the store die at its n-th call from now, before it does anything or after it did all.
    package func plan(diesAt: Int, isAfter: Bool) {
        state.withLock { $0 = State(calls: 0, diesAt: diesAt, isAfter: isAfter) }
    }

    private func perform<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable (MailStore) async throws -> Value
    ) throws -> Value {
        let isDue = state.withLock { state in
            state.calls += 1
            return state.calls == state.diesAt
        }
        if isDue { state.withLock { $0.isDead = !$0.isAfter } }
        guard !state.withLock({ $0.isDead }) else { throw Killed() }
        note("  " + name)
        let store = store
        let value = try waiting { try await body(store) }
        if isDue {
            state.withLock { $0.isDead = true }
            throw Killed()
        }
        return value
    }

    package func syncState() async throws -> SyncState { try perform("syncState") { try await $0.syncState() } }
    package func passBegins() async throws { try perform("passBegins") { try await $0.passBegins() } }
    package func passEnds(at milliseconds: Int64) async throws {
        try perform("passEnds") { try await $0.passEnds(at: milliseconds) }
    }
    package func knownAccess() async throws -> KnownAccess {
        try perform("knownAccess") { try await $0.knownAccess() }
    }
    package func messagesEstimate() async throws -> Int {
        try perform("messagesEstimate") { try await $0.messagesEstimate() }
    }
    package func messageCount() async throws -> Int { try perform("messageCount") { try await $0.messageCount() } }
    package func recordFeatures(readAt: Int64?) async throws {
        try perform("recordFeatures") { try await $0.recordFeatures(readAt: readAt) }
    }
    package func replaceMailboxes(
        _ mailboxes: [Mailbox], unassigned: UnassignedVerdict
    ) async throws -> (counts: CommitCounts, gained: [MailboxID]) {
        try perform("replaceMailboxes, unassigned: \(unassigned)") {
            try await $0.replaceMailboxes(mailboxes, unassigned: unassigned)
        }
    }
    package func recordEvents(offered: Bool) async throws {
        try perform("recordEvents") { try await $0.recordEvents(offered: offered) }
    }
    package func beginBootstrap(cursor: String, seesUnassigned: Bool, at milliseconds: Int64?) async throws {
        try perform("beginBootstrap") {
            try await $0.beginBootstrap(cursor: cursor, seesUnassigned: seesUnassigned, at: milliseconds)
        }
    }
    package func finishBootstrap() async throws -> CommitCounts {
        try perform("finishBootstrap") { try await $0.finishBootstrap() }
    }
    package func beginListing(_ mailbox: MailboxID) async throws {
        try perform("beginListing") { try await $0.beginListing(mailbox) }
    }
    package func abandonListing(_ mailbox: MailboxID) async throws {
        try perform("abandonListing") { try await $0.abandonListing(mailbox) }
    }
    package func commitPages(_ pages: [ListingPage]) async throws -> CommitCounts {
        try perform("commitPages") { try await $0.commitPages(pages) }
    }
    package func commitChanges(
        _ changes: [MessageChange], cursor: String, trust: FeedTrust
    ) async throws -> CommitCounts {
        try perform("commitChanges\(trust == .complete ? "" : ", \(trust)")") {
            try await $0.commitChanges(changes, cursor: cursor, trust: trust)
        }
    }
    package func beginRelisting(_ purpose: RelistingPurpose) async throws {
        try perform("beginRelisting") { try await $0.beginRelisting(purpose) }
    }
    package func commitRelisting(
        _ messages: [MessageSummary], next: String?, at milliseconds: Int64
    ) async throws -> CommitCounts {
        try perform("commitRelisting") { try await $0.commitRelisting(messages, next: next, at: milliseconds) }
    }
    package func finishRelisting(after key: Int64, limit: Int) async throws -> RelistingEnd {
        try perform("finishRelisting") { try await $0.finishRelisting(after: key, limit: limit) }
    }
    package func unmetSamples(limit: Int) async throws -> [MessageID] {
        try perform("unmetSamples") { try await $0.unmetSamples(limit: limit) }
    }
    package func dropRelisting() async throws { try perform("dropRelisting") { try await $0.dropRelisting() } }
    package func purgeUnassigned() async throws -> CommitCounts {
        try perform("purgeUnassigned") { try await $0.purgeUnassigned() }
    }
    package func noteInterruptedListing() async throws {
        try perform("noteInterruptedListing") { try await $0.noteInterruptedListing() }
    }
    package func confirmListings() async throws {
        try perform("confirmListings") { try await $0.confirmListings() }
    }
    package func replaceDrafts(_ drafts: [Draft]) async throws -> CommitCounts {
        try perform("replaceDrafts") { try await $0.replaceDrafts(drafts) }
    }
    package func commitDetails(_ details: [MessageDetail]) async throws {
        try perform("commitDetails") { try await $0.commitDetails(details) }
    }
    package func commitHTML(_ html: MessageHTML?, for id: MessageID) async throws {
        try perform("commitHTML") { try await $0.commitHTML(html, for: id) }
    }
    package func bodilessThreads(since: Timestamp?, threadsMax: Int, messagesMax: Int) async throws -> [BodilessThread]
    {
        try perform("bodilessThreads") {
            try await $0.bodilessThreads(since: since, threadsMax: threadsMax, messagesMax: messagesMax)
        }
    }
    package func recordRefused(_ ids: [MessageID]) async throws {
        try perform("recordRefused") { try await $0.recordRefused(ids) }
    }

    package func retryRefused() async throws {
        try perform("retryRefused") { try await $0.retryRefused() }
    }

    package func recordUnavailable(_ ids: [MessageID]) async throws {
        try perform("recordUnavailable") { try await $0.recordUnavailable(ids) }
    }
}
