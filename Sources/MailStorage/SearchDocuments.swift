internal import MailModel
internal import SQLite

/// Rows of `search_docs` and `search_bodies`, and the index over them.
///
/// A document's number orders like the second its message is listed by, so that an index read backwards gives the
/// newest first.
enum SearchDocuments {
    /// Documents of messages that are gone, taken out at a time.
    static let goneMax = 200
    /// Numbers of one second, as long as they last.
    private static let perSecond: Int64 = 16

    static let workSQL = """
        SELECT q.message_pk, q.turn, m.activity_key, m.from_address, m.to_json, m.subject, m.snippet,
            b.message_pk, b.text_body, h.message_pk, h.html, h.quoted_html, h.after_quoted_html,
            m.direction = 'outbound'
        FROM search_queue q JOIN messages m ON m.pk = q.message_pk
        LEFT JOIN bodies b ON b.message_pk = q.message_pk LEFT JOIN htmls h ON h.message_pk = q.message_pk
        ORDER BY q.message_pk LIMIT ?1
        """

    static func work(messagesMax: Int, bytesMax: Int, in database: Database) throws(SQLiteError) -> [SearchWork] {
        let row = try database.statement(workSQL)
        row.bind(1, messagesMax)
        defer { row.reset() }
        var work: [SearchWork] = []
        var bytes = 0
        while bytes < bytesMax, try row.step() {
            let body = row.isNull(7) && row.isNull(9) ? nil : SearchWork.Body(text: row.text(8), html: html(row))
            bytes += (body?.text.utf8.count ?? 0) + (body?.html?.html.utf8.count ?? 0)
            work.append(
                SearchWork(
                    key: row.int(0), turn: row.int(1), activityKey: row.int(2), isSent: row.bool(13), from: row.text(3),
                    to: Column.decodeStrings(row.text(4)), subject: row.text(5), snippet: row.text(6), body: body))
        }
        return work
    }

    private static func html(_ row: Statement) -> MessageHTML? {
        guard !row.isNull(9) else { return nil }
        return MessageHTML(
            html: row.text(10), quotedHTML: row.optionalText(11), afterQuotedHTML: row.optionalText(12),
            hasRemoteImages: false, remoteMediaTrusted: false)
    }

    /// Takes a message off the queue, unless it changed since its words were read.
    static func take(_ words: SearchWords, in database: Database) throws(SQLiteError) -> Bool {
        let statement = try database.statement("DELETE FROM search_queue WHERE message_pk = ?1 AND turn = ?2")
        statement.bind(1, words.key)
        statement.bind(2, words.turn)
        try statement.run()
        return database.changes > 0
    }

    static let documentSQL = "SELECT docid FROM search_docs WHERE message_pk = ?1"

    static func document(of key: Int64, in database: Database) throws(SQLiteError) -> Int64? {
        let row = try database.statement(documentSQL)
        row.bind(1, key)
        defer { row.reset() }
        return try row.step() ? row.int(0) : nil
    }

    static let goneSQL = "SELECT docid FROM search_docs WHERE message_pk < 0 LIMIT ?1"

    /// Documents whose message is gone.
    static func gone(limit: Int, in database: Database) throws(SQLiteError) -> [Int64] {
        let row = try database.statement(goneSQL)
        row.bind(1, limit)
        defer { row.reset() }
        var documents: [Int64] = []
        while try row.step() { documents.append(row.int(0)) }
        return documents
    }

    static let removalSQL = """
        INSERT INTO search_index(search_index, rowid, people, subject, snippet, body)
        SELECT 'delete', docid, people, subject, snippet, body FROM search_words WHERE docid = ?1
        """

    static func remove(_ document: Int64, in database: Database) throws(SQLiteError) {
        // The index finds what to take out by the words, so they go last.
        for sql in [
            removalSQL, "DELETE FROM search_docs WHERE docid = ?1", "DELETE FROM search_bodies WHERE docid = ?1",
        ] {
            let statement = try database.statement(sql)
            statement.bind(1, document)
            try statement.run()
        }
    }

    static func insert(_ words: SearchWords, in database: Database) throws(SQLiteError) {
        let document = try freeNumber(words.activityKey, in: database)
        let row = try database.statement(
            """
            INSERT INTO search_docs(docid, message_pk, is_sent, from_words, to_words, subject_words, snippet_words)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """)
        row.bind(1, document)
        row.bind(2, words.key)
        row.bind(3, words.isSent ? 1 : 0)
        row.bind(4, words.from)
        row.bind(5, words.to)
        row.bind(6, words.subject)
        row.bind(7, words.snippet)
        try row.run()
        if let body = words.body {
            let row = try database.statement("INSERT INTO search_bodies(docid, words) VALUES (?1, ?2)")
            row.bind(1, document)
            row.bind(2, body)
            try row.run()
        }
        let index = try database.statement(insertionSQL)
        index.bind(1, document)
        try index.run()
    }

    static let insertionSQL = """
        INSERT INTO search_index(rowid, people, subject, snippet, body)
        SELECT docid, people, subject, snippet, body FROM search_words WHERE docid = ?1
        """

    /// The least number of a message's document, by its instant.
    static func firstNumber(_ activityKey: Int64) -> Int64 { max(0, activityKey) / 1_000 * perSecond + 1 }

    /// A number that is greater than those of all documents up to an instant.
    static func endNumber(_ activityKey: Int64, in database: Database) throws(SQLiteError) -> Int64 {
        guard activityKey < .max else { return .max }
        return firstNumber(activityKey) + max(perSecond, try Meta.number(reachKey, database) ?? 0)
    }

    /// Under which it is kept how far numbers lie at most from their second's first one.
    private static let reachKey = "search_reach"

    /// A number that is free, near the message's second.
    ///
    /// Where a second has more messages than numbers, those of later seconds are taken, any of a range that doubles.
    private static func freeNumber(_ activityKey: Int64, in database: Database) throws(SQLiteError) -> Int64 {
        let first = firstNumber(activityKey)
        var reach = perSecond
        while true {
            let number = first + Int64.random(in: 0..<reach)
            let row = try database.statement("SELECT 1 FROM search_docs WHERE docid = ?1")
            row.bind(1, number)
            defer { row.reset() }
            if try !row.step() {
                if reach > max(perSecond, try Meta.number(reachKey, database) ?? 0) {
                    try Meta.set(reachKey, String(reach), database)
                }
                return number
            }
            reach = min(reach * 2, 1 << 40)
        }
    }
}
