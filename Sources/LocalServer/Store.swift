internal import Platform
internal import SQLite

/// The server's database with the few values that are not in it.
///
/// One thread at a time uses it.
final class Store {
    let database: Database
    /// The one origin whose tokens are accepted; set once the port is known.
    var origin = ""
    /// The release of the real server that this one behaves like.
    var tier = ServerTier.main
    /// Whether the feeds sort their sequences as text, which the real server does and which loses rows.
    var ordersAsText = false
    /// The counts of conversations that were asked for, until mail changes.
    var conversationCounts = ConversationCounts()
    var clock = ServerClock()
    var sendCounts = SendCounts()
    var mailSender = MailSender()
    var lifetimes = SignInLifetimes()
    var tries = SignInTries()
    /// Seals what the server hands to browsers and takes back.
    let seal = SignInSecret.random(32)

    /// Opens the file, making the tables when they are missing.
    ///
    /// - Throws: `SQLiteError`.
    init(_ path: String) throws(SQLiteError) {
        database = try Database(path)
        for script in [
            Schema.pragmas, Schema.people, Schema.mail, Schema.drafts, Schema.journals, Schema.signIn,
        ] {
            try database.run(script)
            // The tables are made first; a column that an older file lacks is wanted by the next script's indexes.
            if script == Schema.people { try upgrade() }
        }
    }

    /// The present instant as text; never earlier than the one before.
    func now() -> String { TimeText.text(clock.milliseconds) }

    /// A new id.
    static func id(_ prefix: String) -> String { prefix + "_" + Environment.uuid() }

    /// Runs a statement with text parameters and no rows.
    ///
    /// - Throws: `SQLiteError`.
    func run(_ sql: String, _ parameters: String?...) throws(SQLiteError) { try run(sql, all: parameters) }

    /// Runs a statement with text parameters and no rows.
    ///
    /// - Throws: `SQLiteError`.
    func run(_ sql: String, all parameters: [String?]) throws(SQLiteError) {
        let statement = try database.statement(sql)
        for (index, parameter) in parameters.enumerated() { statement.bind(Int32(index) + 1, parameter) }
        try statement.run()
    }

    /// The first column of the first row as text; `nil` for no row or NULL.
    ///
    /// - Throws: `SQLiteError`.
    func text(_ sql: String, _ parameters: String?...) throws(SQLiteError) -> String? {
        let statement = try database.statement(sql)
        defer { statement.reset() }
        for (index, parameter) in parameters.enumerated() { statement.bind(Int32(index) + 1, parameter) }
        return try statement.step() ? statement.optionalText(0) : nil
    }
}
