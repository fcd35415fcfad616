internal import MailModel
internal import SQLite

/// Whether rows may differ from the server's though nothing told so: values of `meta`.
///
/// A doubt ends with a listing of everything that began after it.
enum Doubts {
    private static let key = "doubt"
    private static let noted = "noted"
    /// An audit that began after the doubt is under way.
    private static let audited = "audited"
    private static let unconfirmed = "listing_unconfirmed"
    /// When the listing of everything began that last came to its end.
    private static let listedAt = "listed_at"
    /// When the one under way began.
    private static let beganAt = "listing_began_at"

    /// Notes that something may have changed without a word.
    static func note(in database: Database) throws(SQLiteError) { try Meta.set(key, noted, database) }

    static func isNoted(in database: Database) throws(SQLiteError) -> Bool { try Meta.value(key, database) != nil }

    /// Notes that a listing of everything begins.
    static func listingBegins(isAudit: Bool, at milliseconds: Int64? = nil, in database: Database) throws(SQLiteError) {
        try Meta.set(beganAt, milliseconds.map { String($0) }, database)
        // An audit takes long and may be dropped, so its end decides.
        if isAudit, try !isNoted(in: database) { return }
        try Meta.set(key, isAudit ? audited : nil, database)
        if !isAudit { try Meta.set(unconfirmed, nil, database) }
    }

    /// Notes that a listing of everything came to its end.
    static func listingEnds(in database: Database) throws(SQLiteError) {
        if try Meta.value(key, database) == audited { try Meta.set(key, nil, database) }
        try Meta.set(listedAt, try Meta.value(beganAt, database), database)
        try Meta.set(beganAt, nil, database)
    }

    /// When the last complete listing of everything began.
    static func listed(in database: Database) throws(SQLiteError) -> Int64? { try Meta.number(listedAt, database) }

    /// Notes that a page of a listing was read.
    static func pageRead(in database: Database) throws(SQLiteError) { try Meta.set(unconfirmed, "1", database) }

    /// Notes that a page of a listing of everything was read, the first of which tells when it began.
    static func pageRead(isAudit: Bool, at milliseconds: Int64, in database: Database) throws(SQLiteError) {
        if !isAudit { try pageRead(in: database) }
        if try Meta.value(beganAt, database) == nil { try Meta.set(beganAt, String(milliseconds), database) }
    }

    static func isUnconfirmed(in database: Database) throws(SQLiteError) -> Bool {
        try Meta.value(unconfirmed, database) != nil
    }

    /// Notes that the mailbox list was read after the pages, so that what left sight meanwhile is known.
    static func confirm(in database: Database) throws(SQLiteError) { try Meta.set(unconfirmed, nil, database) }
}

extension MailStore {
    /// Notes that the pages of a listing cannot be confirmed, since the pass that read them was cut off.
    ///
    /// - Throws: `StoreError`.
    package func noteInterruptedListing() throws {
        try commit { database in
            try Doubts.confirm(in: database)
            try Doubts.note(in: database)
        }
    }

    /// Notes that the mailbox list was read after the pages of listings.
    ///
    /// - Throws: `StoreError`.
    package func confirmListings() throws { try commit { try Doubts.confirm(in: $0) } }
}
