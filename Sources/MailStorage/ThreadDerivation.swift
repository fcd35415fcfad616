internal import MailModel
internal import SQLite

/// Derives conversations from messages: one pass over the threads that a commit touched.
///
/// Membership is the server's (contract §3.7): one single message must be in the list's mailbox and folder;
/// aggregates count every message of the thread.
struct ThreadDerivation {
    private struct Member {
        var pk: Int64
        var id: String
        var mailbox: Int64
        var folder: Folder?
        var isInbound: Bool
        var isUnread: Bool
        var isStarred: Bool
        var hasAttachments: Bool
        var activityAt: String
    }

    private struct Entry: Equatable {
        var shown: Int64
        var shownAt: String
        var unread: Int64
        var newestAt: String
        var newestID: String
    }

    private struct Delta {
        var unread: Int64 = 0
        var total: Int64 = 0
    }

    let database: Database
    private var deltas: [Int64: Delta] = [:]

    init(database: Database) {
        self.database = database
    }

    /// Brings the rows derived from the given threads up to date.
    static func update(_ threads: Set<Int64>, in database: Database) throws(SQLiteError) {
        var derivation = ThreadDerivation(database: database)
        for thread in threads { try derivation.update(thread) }
        try derivation.writeCounts()
    }

    private mutating func update(_ thread: Int64) throws(SQLiteError) {
        let members = try members(of: thread)
        guard let newest = members.last else {
            try replace([:], of: thread)
            let statement = try database.statement("DELETE FROM threads WHERE pk = ?1")
            statement.bind(1, thread)
            return try statement.run()
        }
        try writeAggregates(members, newest: newest, of: thread)
        try replace(entries(members, newest: newest), of: thread)
    }

    /// The messages of a thread, oldest first; the last is what the server's list shows.
    private func members(of thread: Int64) throws(SQLiteError) -> [Member] {
        let row = try database.statement(
            """
            SELECT pk, id, mailbox_pk, folder, direction = 'inbound', read_at IS NULL, starred_at IS NOT NULL,
                has_attachments, activity_at
            FROM messages WHERE thread_pk = ?1 ORDER BY activity_at, id
            """)
        row.bind(1, thread)
        defer { row.reset() }
        var members: [Member] = []
        while try row.step() {
            members.append(
                Member(
                    pk: row.int(0), id: row.text(1), mailbox: row.int(2), folder: Folder(rawValue: row.text(3)),
                    isInbound: row.bool(4), isUnread: row.bool(4) && row.bool(5), isStarred: row.bool(6),
                    hasAttachments: row.bool(7), activityAt: row.text(8)))
        }
        return members
    }

    private func writeAggregates(_ members: [Member], newest: Member, of thread: Int64) throws(SQLiteError) {
        let statement = try database.statement(
            """
            UPDATE threads SET newest_pk = ?2, message_count = ?3, unread_count = ?4, is_starred = ?5,
                has_attachments = ?6
            WHERE pk = ?1
            """)
        statement.bind(1, thread)
        statement.bind(2, newest.pk)
        statement.bind(3, members.count)
        statement.bind(4, members.count { $0.isUnread })
        statement.bind(5, members.contains { $0.isStarred })
        statement.bind(6, members.contains { $0.hasAttachments })
        try statement.run()
    }

    /// The lists a thread is in, each with the newest message it shows.
    private func entries(_ members: [Member], newest: Member) -> [Int64: Entry] {
        var entries: [Int64: Entry] = [:]
        func add(_ member: Member, _ folder: Folder, isUnread: Bool) {
            for mailbox in member.mailbox == 0 ? [0] : [0, member.mailbox] {
                let code = ListCode.code(mailbox: mailbox, folder: folder)
                let unread = (entries[code]?.unread ?? 0) + (isUnread ? 1 : 0)
                entries[code] = Entry(
                    shown: member.pk, shownAt: member.activityAt, unread: unread, newestAt: newest.activityAt,
                    newestID: newest.id)
            }
        }
        for member in members {
            if let folder = member.folder { add(member, folder, isUnread: member.isUnread) }
            if member.isStarred { add(member, .starred, isUnread: member.isUnread) }
        }
        return entries
    }

    /// Writes the difference between a thread's lists as stored and as they should be.
    private mutating func replace(_ wanted: [Int64: Entry], of thread: Int64) throws(SQLiteError) {
        let stored = try storedEntries(of: thread)
        for (code, entry) in wanted where stored[code] != entry {
            try write(entry, code: code, thread: thread)
            count(code, entry.unread - (stored[code]?.unread ?? 0), stored[code] == nil ? 1 : 0)
        }
        for (code, entry) in stored where wanted[code] == nil {
            let statement = try database.statement("DELETE FROM listings WHERE thread_pk = ?1 AND list = ?2")
            statement.bind(1, thread)
            statement.bind(2, code)
            try statement.run()
            count(code, -entry.unread, -1)
        }
    }

    private func storedEntries(of thread: Int64) throws(SQLiteError) -> [Int64: Entry] {
        let row = try database.statement(
            """
            SELECT list, shown_pk, shown_at, shown_unread, newest_at, newest_id FROM listings WHERE thread_pk = ?1
            """)
        row.bind(1, thread)
        defer { row.reset() }
        var entries: [Int64: Entry] = [:]
        while try row.step() {
            entries[row.int(0)] = Entry(
                shown: row.int(1), shownAt: row.text(2), unread: row.int(3), newestAt: row.text(4),
                newestID: row.text(5))
        }
        return entries
    }

    private func write(_ entry: Entry, code: Int64, thread: Int64) throws(SQLiteError) {
        let statement = try database.statement(
            """
            INSERT INTO listings(thread_pk, list, shown_pk, shown_at, shown_unread, newest_at, newest_id)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            ON CONFLICT(thread_pk, list) DO UPDATE SET shown_pk = ?3, shown_at = ?4, shown_unread = ?5,
                newest_at = ?6, newest_id = ?7
            """)
        statement.bind(1, thread)
        statement.bind(2, code)
        statement.bind(3, entry.shown)
        statement.bind(4, entry.shownAt)
        statement.bind(5, entry.unread)
        statement.bind(6, entry.newestAt)
        statement.bind(7, entry.newestID)
        try statement.run()
    }

    private mutating func count(_ code: Int64, _ unread: Int64, _ total: Int64) {
        deltas[code, default: Delta()].unread += unread
        deltas[code, default: Delta()].total += total
    }

    private func writeCounts() throws(SQLiteError) {
        for (code, delta) in deltas where delta.unread != 0 || delta.total != 0 {
            let statement = try database.statement(
                """
                INSERT INTO counts(list, unread, total) VALUES (?1, ?2, ?3)
                ON CONFLICT(list) DO UPDATE SET unread = unread + ?2, total = total + ?3
                """)
            statement.bind(1, code)
            statement.bind(2, delta.unread)
            statement.bind(3, delta.total)
            try statement.run()
        }
    }
}
