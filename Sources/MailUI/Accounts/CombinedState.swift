internal import MailModel

/// A conversation together with the account it is in, since ids are only unique there.
struct AccountThread: Sendable, Hashable {
    let account: String
    let thread: ThreadID
}

/// A line of the inbox of all accounts.
struct CombinedRow: Sendable, Hashable {
    let account: String
    let row: ConversationRow

    var id: AccountThread { AccountThread(account: account, thread: row.threadID) }
}

/// The inbox of all accounts.
struct CombinedState: Sendable, Hashable {
    /// Whether it is on the screen; while a conversation opened from it is read, it waits behind.
    var isShown = true
    /// What each account has told, newest first.
    var loaded: [String: Loaded] = [:]
    var rows: [CombinedRow] = []
    var selected: AccountThread?
    var offset = 0
    /// How many rows each account is asked for.
    var limit = ListState.step
    /// The number of the question asked last; answers to older ones are dropped.
    var generation = 0

    /// The beginning of one account's inbox.
    struct Loaded: Sendable, Hashable {
        var rows: [ConversationRow]
        var hasMore: Bool
    }

    /// Whether there are rows behind those shown.
    var hasMore: Bool { loaded.values.contains(where: \.hasMore) }

    var selectedIndex: Int? { selected.flatMap { id in rows.firstIndex { $0.id == id } } }

    /// Forgets accounts that are no longer there.
    mutating func keep(_ labels: Set<String>) {
        loaded = loaded.filter { labels.contains($0.key) }
        merge()
    }

    /// Puts the accounts' rows together, newest first, and keeps the selection on its conversation.
    ///
    /// An account that has more than was asked for may have older rows that belong between those of others, so
    /// nothing older than its last row is shown until that is asked for.
    mutating func merge() {
        let before = selectedIndex
        let known = loaded.flatMap { account, part in part.rows.map { CombinedRow(account: account, row: $0) } }
        let limits = loaded.values.filter(\.hasMore).compactMap { $0.rows.last?.shown.activityAt }
        let oldest = limits.max()
        rows = known.filter { row in oldest.map { row.row.shown.activityAt >= $0 } ?? true }
        rows.sort { left, right in
            let (first, second) = (left.row.shown.activityAt, right.row.shown.activityAt)
            if first != second { return first > second }
            if left.account != right.account { return left.account < right.account }
            return left.row.shown.id.rawValue > right.row.shown.id.rawValue
        }
        guard selectedIndex == nil else { return }
        selected = rows.isEmpty ? nil : rows[min(before ?? 0, rows.count - 1)].id
    }
}
