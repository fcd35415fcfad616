internal import MailFilter
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
    /// The number of the question each account was asked last; answers to older ones are dropped.
    var generations: [String: Int] = [:]
    /// The conversations that the next action is for.
    var selection = Selection<AccountThread>()
    /// The filter as it is typed; empty without one.
    var filter = ""
    /// What the filter means; `nil` without one.
    var parsed: Filter?
    /// What the servers found by the filter.
    var search = CombinedSearch()
    /// Why what is typed is no filter yet, so that the one before it stays.
    var fault: FilterError?
    /// Words whose rows are to be selected once all are there.
    var seek: String?
    /// The accounts whose part of one undo is still to be told, and how many messages it was so far.
    var undoing: Set<String> = []
    var undone = 0
    /// The conversation that undo brings back, to be selected when it is there, unless the cursor is elsewhere than it
    /// was at the undo.
    var returning: AccountThread?
    var undoneFrom: AccountThread?

    /// The beginning of one account's inbox.
    struct Loaded: Sendable, Hashable {
        var rows: [ConversationRow]
        var hasMore: Bool
        /// Messages up to here are those that the rows show.
        var horizon: Int64 = 0
        /// The question that this answers.
        var generation = 0
    }

    /// Whether every account has answered the question asked last.
    var isLoaded: Bool { generations.allSatisfy { loaded[$0.key]?.generation == $0.value } }

    /// The selected conversations, in the order of the list.
    var selectedRows: [CombinedRow] { selection.isEmpty ? [] : rows.filter { selection.contains($0.id) } }

    /// Whether there are rows behind those shown.
    var hasMore: Bool { loaded.values.contains(where: \.hasMore) }

    var selectedIndex: Int? { selected.flatMap { id in rows.firstIndex { $0.id == id } } }

    /// Forgets accounts that are no longer there.
    mutating func keep(_ labels: Set<String>) {
        loaded = loaded.filter { labels.contains($0.key) }
        generations = generations.filter { labels.contains($0.key) }
        for label in Set(search.rows.keys).union(search.asked).subtracting(labels) { search.forget(label) }
        merge()
    }

    /// Adds what an account has undone to what the others have; answers all of it.
    mutating func noteUndone(_ count: Int, of account: String) -> Int {
        guard undoing.remove(account) != nil else { return count }
        undone += count
        return undone
    }

    /// Shows what was done to the rows of an account, which its cache may not know yet.
    mutating func apply(_ pending: PendingTriage, of account: String) {
        let inbox = ListScope(folder: .inbox)
        if let rows = search.rows[account] { search.rows[account] = pending.applied(to: rows, in: inbox) }
        guard let rows = loaded[account]?.rows else { return }
        loaded[account]?.rows = pending.applied(to: rows, in: inbox)
        merge()
    }

    /// The line some lines away from the selection; `nil` when there is none.
    func neighbour(by distance: Int) -> AccountThread? {
        guard let index = selectedIndex else { return nil }
        let target = max(0, min(rows.count - 1, index + distance))
        return target == index ? nil : rows[target].id
    }

    /// The next or the previous unread conversation, around the ends; `nil` when no other is unread.
    func unread(isForward: Bool) -> AccountThread? {
        let start = selectedIndex ?? -1
        let unread = rows.indices.filter { rows[$0].row.shownUnread > 0 && $0 != start }
        let next = isForward ? unread.first { $0 > start } ?? unread.first : unread.last { $0 < start } ?? unread.last
        return next.map { rows[$0].id }
    }

    /// Follows the cursor with the range.
    mutating func extendRange() {
        guard isShown, selection.isRanging, let selectedIndex else { return }
        selection.extend(to: selectedIndex, in: rows.map(\.id))
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
        let shown = Set(rows.map(\.id))
        let found = search.rows.flatMap { account, part in part.map { CombinedRow(account: account, row: $0) } }
            .filter { !shown.contains($0.id) }
        search.marked = Set(found.map(\.id))
        rows += found
        rows.sort { left, right in
            let (first, second) = (left.row.shown.activityAt, right.row.shown.activityAt)
            if first != second { return first > second }
            if left.account != right.account { return left.account < right.account }
            return left.row.shown.id.rawValue > right.row.shown.id.rawValue
        }
        selection.keep(Set(rows.map(\.id)))
        guard selectedIndex == nil else { return }
        selected = rows.isEmpty ? nil : rows[min(before ?? 0, rows.count - 1)].id
    }
}
