internal import MailModel
internal import SQLite

/// Rows of `arrivals`: unread mail that the change feed brought, until one process has told of it.
///
/// The row is written by the commit that brings the message and taken by one transaction, so that of several processes
/// exactly one tells. They are part of the cache: what a rebuilt one holds came by a bootstrap, which is no news.
/// Taken rows stay a while, so that mail that leaves sight and comes back is not told of again.
enum Arrivals {
    /// Rows that are kept; of more the oldest go, told or not.
    static let rowsMax: Int64 = 5_000
    /// How much later than a newer message the server may show an older one: it writes several side by side.
    static let disorderMilliseconds: Int64 = 600_000
    /// A time of the server's this far ahead of ours is no time to go by.
    static let aheadMilliseconds: Int64 = 86_400_000

    /// Mail that the server stored before this came into sight otherwise than by arriving.
    private static let floor = "arrivals_floor"
    /// When the server stored the newest message that was met since the last pass ended well.
    private static let newest = "arrivals_newest"

    static let untoldSQL = "SELECT EXISTS (SELECT 1 FROM arrivals WHERE state < 3)"

    /// Whether new mail is news: not while everything is listed for the first time or again.
    static func areExpected(in database: Database) throws(SQLiteError) -> Bool {
        guard try Meta.value("bootstrapped", database) == "1" else { return false }
        return try Meta.value("bootstrapping", database) == nil
    }

    static func floor(in database: Database) throws(SQLiteError) -> Timestamp? {
        try Meta.value(floor, database).map { Timestamp($0) }
    }

    /// Notes when the server stored a message that was not here before.
    static func met(_ created: Timestamp, in database: Database) throws(SQLiteError) {
        if let known = try Meta.value(newest, database), Timestamp(known) >= created { return }
        try Meta.set(newest, created.text, database)
    }

    /// Whether a pass that ends has anything to write.
    static func areOlder(in database: Database) throws(SQLiteError) -> Bool {
        if try Meta.value(newest, database) != nil { return true }
        return try database.scalar(untoldSQL) == 1
    }

    /// Raises the floor to what was met, and ages what nobody was told of.
    static func age(at milliseconds: Int64, in database: Database) throws(SQLiteError) {
        try database.run("UPDATE arrivals SET state = state + 1 WHERE state < 3")
        guard let met = try Meta.value(newest, database) else { return }
        try Meta.set(newest, nil, database)
        guard let seconds = Timestamp(met).secondsSinceEpoch else { return }
        let (latest, isEndless) = milliseconds.addingReportingOverflow(aheadMilliseconds)
        guard isEndless || seconds * 1_000 <= latest else { return }
        let raised = Timestamp(millisecondsSinceEpoch: seconds * 1_000 - disorderMilliseconds)
        if try floor(in: database).map({ $0 < raised }) ?? true { try Meta.set(floor, raised.text, database) }
    }

    /// Takes all that nobody was told of: the messages that are still here and unread, oldest first.
    static func take(in database: Database) throws(SQLiteError) -> [Arrival] {
        let row = try database.statement("SELECT message_id FROM arrivals WHERE state < 3 ORDER BY pk")
        var ids: [MessageID] = []
        while try row.step() { ids.append(MessageID(row.text(0))) }
        row.reset()
        let mailboxes = Dictionary(
            try MailboxRows.all(in: database).map { ($0.mailbox.id, $0.mailbox.address) }, uniquingKeysWith: { $1 })
        var arrivals: [Arrival] = []
        for id in ids {
            guard let key = try KeyLookup.key(of: id, in: database),
                let message = try StoredMessage(key, in: database)?.summary, message.countsAsUnread
            else { continue }
            arrivals.append(Arrival(message: message, mailboxAddress: message.mailboxID.flatMap { mailboxes[$0] }))
        }
        try database.run("UPDATE arrivals SET state = 3 WHERE state < 3")
        return arrivals
    }

    /// Has messages told by the next who asks; a second time nobody tries again.
    static func giveBack(_ ids: [MessageID], in database: Database) throws(SQLiteError) {
        let statement = try database.statement(
            "UPDATE arrivals SET state = iif(failures = 0, 0, 3), failures = failures + 1 WHERE message_id = ?1")
        for id in ids {
            statement.bind(1, id.rawValue)
            try statement.run()
        }
    }
}

/// Notes new mail of one commit.
struct ArrivalNotes {
    private let database: Database
    private let floor: Timestamp?
    private let insertion: Statement
    private var hasNoted = false

    init(in database: Database) throws(SQLiteError) {
        self.database = database
        floor = try Arrivals.floor(in: database)
        insertion = try database.statement("INSERT OR IGNORE INTO arrivals(message_id) VALUES (?1) RETURNING pk")
    }

    /// Notes a message that was not here before, if it is unread and has just come; answers whether it did.
    ///
    /// `receivedAt` is its sender's word; when the server stored it tells whether it is new (contract §3.1).
    mutating func note(_ message: MessageSummary) throws(SQLiteError) -> Bool {
        guard message.countsAsUnread, floor.map({ message.createdAt > $0 }) ?? true else { return false }
        insertion.bind(1, message.id.rawValue)
        defer { insertion.reset() }
        // A message that left and came back is there already.
        guard try insertion.step() else { return false }
        hasNoted = true
        return true
    }

    /// Drops the oldest rows when there are too many.
    func finish() throws(SQLiteError) {
        guard hasNoted, let last = try database.scalar("SELECT max(pk) FROM arrivals") else { return }
        let old = try database.statement("DELETE FROM arrivals WHERE pk <= ?1")
        old.bind(1, last - Arrivals.rowsMax)
        try old.run()
    }
}
