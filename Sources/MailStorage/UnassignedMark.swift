internal import MailModel
internal import SQLite

/// Whether all unassigned mail was listed: one such message says only that the account is an owner by now.
///
/// A complete listing of everything counts when unassigned mail was in sight before it began.
enum UnassignedMark {
    private static let key = "unassigned"
    private static let listing = "listing"
    private static let listed = "listed"

    /// Whether it was listed, or a listing that does so goes on by itself; an audit may take a week and does not count.
    static func isListed(in database: Database) throws(SQLiteError) -> Bool {
        let mark = try Meta.value(key, database)
        guard mark == listing else { return mark == listed }
        if try Meta.value("bootstrapping", database) == "1" { return true }
        return try Relistings.current(in: database)?.purpose == .repair
    }

    /// Notes that a bootstrap begins.
    static func bootstrapBegins(isSeen: Bool, in database: Database) throws(SQLiteError) {
        try Meta.set(key, isSeen ? listing : nil, database)
    }

    /// Notes that a re-listing begins; what is known to be listed stays so.
    static func relistingBegins(isSeen: Bool, in database: Database) throws(SQLiteError) {
        if try Meta.value(key, database) == listed { return }
        let hasSome = try database.scalar("SELECT 1 FROM messages WHERE mailbox_pk = 0 LIMIT 1") != nil
        try Meta.set(key, isSeen || hasSome ? listing : nil, database)
    }

    /// Notes that a listing of everything came to its end.
    static func listingEnds(in database: Database) throws(SQLiteError) {
        if try Meta.value(key, database) == listing { try Meta.set(key, listed, database) }
    }

    /// Notes that the account no longer sees unassigned mail.
    static func clear(in database: Database) throws(SQLiteError) { try Meta.set(key, nil, database) }
}
