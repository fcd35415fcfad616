internal import DisplayText
internal import MailFilter
internal import MailModel
internal import SQLite

/// The messages that a question can be about, as far as an index tells: by mailbox, state and instant.
///
/// All messages of a group are in one mailbox and one state, so most of a filter is decided for a group at once. What
/// is left of it gives bounds in time, and the words that the group's matches must have.
struct SearchPlan {
    /// Messages of one mailbox and state, within bounds of `activity_key`.
    struct Group: Hashable {
        var mailbox: Int64
        var state: MessageState
        var bounds: SearchBounds
    }

    /// Groups of which any message may be a match.
    private(set) var open: [Group] = []
    /// Groups whose matches have words that the index can be asked for.
    private(set) var worded: [Group] = []
    /// What the index is asked for; empty without such groups.
    private(set) var needs = SearchNeeds()
    /// When every match came, where the question tells.
    private(set) var came = SearchBounds.Span()

    /// `mailbox` is the only one that is looked in, if any.
    init(
        _ filter: Filter, mailbox only: MailboxID?, _ clock: FilterClock, in database: Database
    ) throws(SQLiteError) {
        let mailboxes = try MailboxRows.all(in: database)
        var spans: [SearchBounds.Span] = []
        try SearchPlan.eachGroup(in: database) { key, state in
            let mailbox = mailboxes.first { $0.key == key }?.mailbox
            guard only == nil || mailbox?.id == only else { return }
            let rest = filter.rest(mailbox?.address, state)
            if rest == .nothing { return }
            let bounds = SearchBounds(rest, state, clock)
            if bounds.isEmpty { return }
            spans.append(bounds.came)
            let group = Group(mailbox: key, state: state, bounds: bounds)
            if needs.add(rest, isSent: state.isOutbound) { worded.append(group) } else { open.append(group) }
        }
        if let first = spans.first { came = spans.dropFirst().reduce(first) { $0.hull($1) } }
    }

    /// Calls `body` with each mailbox and state that messages have.
    private static func eachGroup(
        in database: Database, _ body: (Int64, MessageState) -> Void
    ) throws(SQLiteError) {
        var last: (mailbox: Int64, state: Int64)?
        while true {
            var next: (Int64, Int64)?
            if let last { next = try group(nextStateSQL, last.mailbox, last.state, in: database) }
            if next == nil { next = try group(nextMailboxSQL, last?.mailbox ?? -1, nil, in: database) }
            guard let next else { return }
            last = next
            body(next.0, MessageState(rawValue: next.1))
        }
    }

    private static func group(
        _ sql: String, _ mailbox: Int64, _ state: Int64?, in database: Database
    ) throws(SQLiteError) -> (Int64, Int64)? {
        let row = try database.statement(sql)
        row.bind(1, mailbox)
        if let state { row.bind(2, state) }
        defer { row.reset() }
        return try row.step() ? (row.int(0), row.int(1)) : nil
    }

    // One step down the index each; a comparison of pairs would pass over all messages of a group.
    static let nextStateSQL = """
        SELECT mailbox_pk, state FROM messages WHERE mailbox_pk = ?1 AND state > ?2 ORDER BY state LIMIT 1
        """
    static let nextMailboxSQL = """
        SELECT mailbox_pk, state FROM messages WHERE mailbox_pk > ?1 ORDER BY mailbox_pk, state LIMIT 1
        """

    /// Messages that came in a span, with their instants, by the index over it.
    static let cameSQL = """
        SELECT pk, activity_key FROM messages WHERE created_at >= ?1 AND created_at < ?2 LIMIT ?3
        """

    /// All messages that came in the question's span, newest first; `nil` without one, or when they are more than
    /// `count`.
    func shortSpan(_ count: Int, in database: Database) throws(SQLiteError) -> [SearchCandidate]? {
        guard came != SearchBounds.Span() else { return nil }
        let row = try database.statement(SearchPlan.cameSQL)
        row.bind(1, came.first)
        row.bind(2, came.end)
        row.bind(3, count + 1)
        defer { row.reset() }
        var found: [SearchCandidate] = []
        while try row.step() { found.append(SearchCandidate(key: row.int(0), activityKey: row.int(1))) }
        return found.count > count ? nil : found.sorted { $0.isNewer(than: $1) }
    }
}

extension Filter {
    /// What nothing fulfils.
    static let nothing = Filter.any([])
    /// What everything fulfils.
    static let everything = Filter.all([])

    /// What a message in a state must still fulfil to be meant.
    ///
    /// `address` is its mailbox's; `nil` for unassigned mail.
    func rest(_ address: String?, _ state: MessageState) -> Filter {
        switch self {
        case .not(let filter):
            let rest = filter.rest(address, state)
            return rest == .nothing ? .everything : rest == .everything ? .nothing : .not(rest)
        case .all(let filters):
            let rests = filters.map { $0.rest(address, state) }.filter { $0 != .everything }
            return rests.contains(.nothing) ? .nothing : rests.count == 1 ? rests[0] : .all(rests)
        case .any(let filters):
            let rests = filters.map { $0.rest(address, state) }.filter { $0 != .nothing }
            return rests.contains(.everything) ? .everything : rests.count == 1 ? rests[0] : .any(rests)
        default:
            return verdict(address, state).map { $0 ? .everything : .nothing } ?? self
        }
    }

    /// What mailbox and state tell of a single term; `nil` when they do not.
    private func verdict(_ address: String?, _ state: MessageState) -> Bool? {
        switch self {
        case .place(.anywhere): true
        case .place(.folder(let folder)): state.isIn(folder: ListCode.number(folder))
        case .mailbox(let words):
            address.map { SearchText.contains(words.text, isWhole: words.isWhole, in: $0) } ?? false
        case .mark(.unread): state.isUnread
        case .mark(.starred): state.isStarred
        case .mark(.sent): state.isOutbound
        case .mark(.draft): state.folder == ListCode.number(.drafts)
        case .mark(.unanswered): state.isOutbound ? false : nil
        case .hasAttachment: state.hasAttachments
        case .words, .time, .not, .all, .any: nil
        }
    }
}
