internal import MailModel
internal import SQLite

/// The threads that a commit touches: finds or makes their rows, follows what happens to their messages, and at last
/// writes the difference it makes to lists and counts.
///
/// A thread is read once, before its first change; everything after that is known from the changes.
struct ThreadDerivation {
    private struct Touched {
        let pk: Int64
        /// The lists before the commit.
        let before: [ListEntry]
        var members: ThreadMembers
    }

    private struct Delta {
        var unread: Int64 = 0
        var total: Int64 = 0
    }

    private let database: Database
    private let lookup: KeyLookup
    private let memberStatement: Statement
    private var touched: [Touched] = []
    private var places: [ThreadID: Int] = [:]
    private var placesOfKeys: [Int64: Int] = [:]
    private var deltas: [Int64: Delta] = [:]
    private var texts = RowTexts()

    init(database: Database) throws(SQLiteError) {
        self.database = database
        lookup = try KeyLookup(table: "threads", in: database)
        memberStatement = try database.statement(ThreadMembers.sql)
    }

    /// Finds the rows of threads whose messages are about to change, makes the missing ones, and reads the others.
    mutating func prepare(_ ids: [ThreadID]) throws(SQLiteError) {
        var unknown: [ThreadID] = []
        var hashes: [Int64] = []
        for id in ids where places[id] == nil {
            unknown.append(id)
            hashes.append(SortKey.hash(id))
        }
        if unknown.isEmpty { return }
        let keys: [ThreadID: Int64] = try lookup.keys(ofHashes: hashes)
        for (id, hash) in zip(unknown, hashes) where places[id] == nil {
            places[id] = if let key = keys[id] { try touch(key) } else { try make(id, hash) }
        }
    }

    private mutating func make(_ id: ThreadID, _ hash: Int64) throws(SQLiteError) -> Int {
        let insertion = try database.statement("INSERT INTO threads(id, id_hash) VALUES (?1, ?2)")
        texts.add(1, id.rawValue)
        insertion.bind(2, hash)
        try insertion.run(&texts)
        return note(Touched(pk: database.lastInsertedRowID, before: [], members: ThreadMembers()))
    }

    private mutating func note(_ thread: Touched) -> Int {
        placesOfKeys[thread.pk] = touched.count
        touched.append(thread)
        return touched.count - 1
    }

    /// Reads a thread as it is and answers its place here.
    ///
    /// Must come before a change to any of its messages.
    mutating func touch(_ key: Int64) throws(SQLiteError) -> Int {
        if let place = placesOfKeys[key] { return place }
        let members = try ThreadMembers.load(key, by: memberStatement)
        return note(Touched(pk: key, before: try members.entries(in: database), members: members))
    }

    /// The place of a prepared thread; `nil` for another.
    func place(of id: ThreadID) -> Int? { places[id] }

    /// The key of the thread at a place.
    func key(at place: Int) -> Int64 { touched[place].pk }

    /// Notes a message that was written.
    mutating func add(_ member: ThreadMember, at place: Int) { touched[place].members.add(member) }

    /// Notes a message that went away.
    mutating func remove(_ message: Int64, at place: Int) { touched[place].members.remove(message) }

    /// Brings lists and counts up to date.
    mutating func finish() throws(SQLiteError) {
        var after: [[ListEntry]] = []
        after.reserveCapacity(touched.count)
        for thread in touched { after.append(try thread.members.entries(in: database)) }
        // What goes makes room first: a message that changed threads takes the same place in a list for the new one.
        for (thread, entries) in zip(touched, after) {
            if thread.members.all.isEmpty { try delete(thread.pk) }
            for old in thread.before {
                let new = entries.first { $0.code == old.code }
                count(old.code, (new?.unread ?? 0) - old.unread, new == nil ? -1 : 0)
                if !ThreadDerivation.isSamePlace(old, new) { try remove(old) }
            }
        }
        let insertion = try database.statement(
            "INSERT INTO listings(list, shown_key, shown_pk, thread_pk) VALUES (?1, ?2, ?3, ?4)")
        for (thread, entries) in zip(touched, after) {
            for new in entries {
                let old = thread.before.first { $0.code == new.code }
                if old == nil { count(new.code, new.unread, 1) }
                if ThreadDerivation.isSamePlace(new, old) { continue }
                insertion.bind(1, new.code)
                insertion.bind(2, new.shown.key)
                insertion.bind(3, new.shown.pk)
                insertion.bind(4, thread.pk)
                try insertion.run()
            }
        }
        try writeCounts()
    }

    private func delete(_ thread: Int64) throws(SQLiteError) {
        let statement = try database.statement("DELETE FROM threads WHERE pk = ?1")
        statement.bind(1, thread)
        try statement.run()
    }

    private static func isSamePlace(_ entry: ListEntry, _ other: ListEntry?) -> Bool {
        entry.shown.pk == other?.shown.pk && entry.shown.key == other?.shown.key
    }

    private func remove(_ entry: ListEntry) throws(SQLiteError) {
        let statement = try database.statement(
            "DELETE FROM listings WHERE list = ?1 AND shown_key = ?2 AND shown_pk = ?3")
        statement.bind(1, entry.code)
        statement.bind(2, entry.shown.key)
        statement.bind(3, entry.shown.pk)
        try statement.run()
    }

    private mutating func count(_ code: Int64, _ unread: Int64, _ total: Int64) {
        if unread == 0, total == 0 { return }
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
            if delta.total >= 0 { continue }
            // An empty list has no row, as in a cache in which it was never anything else.
            let cleaning = try database.statement("DELETE FROM counts WHERE list = ?1 AND unread = 0 AND total = 0")
            cleaning.bind(1, code)
            try cleaning.run()
        }
    }
}
