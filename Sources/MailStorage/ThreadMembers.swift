internal import MailModel
internal import SQLite

/// A message as far as its conversation is derived from it.
struct ThreadMember: Hashable {
    var pk: Int64
    var key: Int64
    var mailbox: Int64
    var state: MessageState
}

/// A conversation's row in one list.
struct ListEntry: Hashable {
    var code: Int64
    /// The thread's newest message of that list.
    var shown: ThreadMember
    /// The unread messages of that list.
    var unread: Int64
}

/// All messages of one thread, and what lists show of them.
///
/// Membership is the server's (contract §3.7): one single message must be in the list's mailbox and folder;
/// aggregates count every message of the thread.
struct ThreadMembers {
    private(set) var all: [ThreadMember] = []

    /// The thread's messages, from the index alone.
    static func load(_ thread: Int64, in database: Database) throws(SQLiteError) -> ThreadMembers {
        try load(thread, by: database.statement(sql))
    }

    /// The same by the compiled statement.
    static func load(_ thread: Int64, by row: Statement) throws(SQLiteError) -> ThreadMembers {
        row.bind(1, thread)
        defer { row.reset() }
        var members = ThreadMembers()
        while try row.step() {
            members.all.append(
                ThreadMember(
                    pk: row.int(0), key: row.int(1), mailbox: row.int(2), state: MessageState(rawValue: row.int(3))))
        }
        return members
    }

    static let sql =
        "SELECT pk, activity_key, mailbox_pk, state FROM messages WHERE thread_pk = ?1 ORDER BY activity_key"

    static let tieSQL = """
        SELECT (l.activity_at, l.id) > (r.activity_at, r.id) FROM messages l, messages r
        WHERE l.pk = ?1 AND r.pk = ?2
        """

    mutating func add(_ member: ThreadMember) { all.append(member) }

    mutating func remove(_ pk: Int64) { all.removeAll { $0.pk == pk } }

    /// The message the server's list shows; `nil` for a thread without messages.
    func newest(in database: Database) throws(SQLiteError) -> ThreadMember? {
        guard var newest = all.first else { return nil }
        for member in all.dropFirst() where try ThreadMembers.isNewer(member, newest, database) { newest = member }
        return newest
    }

    /// The lists the thread is in, each once.
    func entries(in database: Database) throws(SQLiteError) -> [ListEntry] {
        var entries: [ListEntry] = []
        for member in all {
            if member.state.folder != 0, member.state.folder != ListCode.starred {
                try ThreadMembers.add(member, member.state.folder, to: &entries, database)
            }
            if member.state.isStarred { try ThreadMembers.add(member, ListCode.starred, to: &entries, database) }
        }
        return entries
    }

    private static func add(
        _ member: ThreadMember, _ folder: Int64, to entries: inout [ListEntry], _ database: Database
    ) throws(SQLiteError) {
        try add(member, code: folder, to: &entries, database)
        if member.mailbox != 0 { try add(member, code: member.mailbox * 16 + folder, to: &entries, database) }
    }

    private static func add(
        _ member: ThreadMember, code: Int64, to entries: inout [ListEntry], _ database: Database
    ) throws(SQLiteError) {
        let unread: Int64 = member.state.isUnread ? 1 : 0
        guard let place = entries.firstIndex(where: { $0.code == code }) else {
            return entries.append(ListEntry(code: code, shown: member, unread: unread))
        }
        entries[place].unread += unread
        if try isNewer(member, entries[place].shown, database) { entries[place].shown = member }
    }

    /// Whether a message comes before another in a list: by instant, then by identifier (contract §3.4).
    private static func isNewer(
        _ left: ThreadMember, _ right: ThreadMember, _ database: Database
    ) throws(SQLiteError) -> Bool {
        if left.key != right.key { return left.key > right.key }
        let row = try database.statement(tieSQL)
        row.bind(1, left.pk)
        row.bind(2, right.pk)
        defer { row.reset() }
        return try row.step() && row.bool(0)
    }
}
