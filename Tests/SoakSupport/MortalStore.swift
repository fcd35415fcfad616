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
    package func recordFeatures(readAt: Int64?) async throws {
        try perform("recordFeatures") { try await $0.recordFeatures(readAt: readAt) }
    }
    package func replaceMailboxes(_ mailboxes: [Mailbox]) async throws -> (counts: CommitCounts, gained: [MailboxID]) {
        try perform("replaceMailboxes") { try await $0.replaceMailboxes(mailboxes) }
    }
    package func beginBootstrap(cursor: String) async throws {
        try perform("beginBootstrap") { try await $0.beginBootstrap(cursor: cursor) }
    }
    package func beginListing(_ mailbox: MailboxID) async throws {
        try perform("beginListing") { try await $0.beginListing(mailbox) }
    }
    package func commitPages(_ pages: [ListingPage]) async throws -> CommitCounts {
        try perform("commitPages") { try await $0.commitPages(pages) }
    }
    package func finishBootstrap() async throws -> CommitCounts {
        try perform("finishBootstrap") { try await $0.finishBootstrap() }
    }
    package func commitChanges(_ changes: [MessageChange], cursor: String) async throws -> CommitCounts {
        try perform("commitChanges") { try await $0.commitChanges(changes, cursor: cursor) }
    }
    package func replaceDrafts(_ drafts: [Draft]) async throws -> CommitCounts {
        try perform("replaceDrafts") { try await $0.replaceDrafts(drafts) }
    }
    package func reconcile(_ listings: [Listing], seen: [MessageSummary]) async throws -> CommitCounts {
        try perform("reconcile") { try await $0.reconcile(listings, seen: seen) }
    }
    package func recordPass(_ record: PassRecord) async throws {
        try perform("recordPass") { try await $0.recordPass(record) }
    }
    package func commitDetails(_ details: [MessageDetail]) async throws {
        try perform("commitDetails") { try await $0.commitDetails(details) }
    }
    package func commitHTML(_ html: MessageHTML, for id: MessageID) async throws {
        try perform("commitHTML") { try await $0.commitHTML(html, for: id) }
    }
}
