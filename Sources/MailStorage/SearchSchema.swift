/// The part of the cache's schema that searches use.
///
/// The words of messages are kept in the form of `SearchText`, newest last, and indexed by FTS5. What a commit changes
/// is noted by triggers in the same transaction; the index follows in idle time, see `MailStore+Search.swift`.
enum SearchSchema {
    static let statements = """
        -- docid orders like activity_key, see SearchDocuments; message_pk is negative once the message is gone.
        CREATE TABLE search_docs(
            docid INTEGER PRIMARY KEY,
            message_pk INTEGER NOT NULL,
            is_sent INTEGER NOT NULL,
            from_words TEXT NOT NULL,
            to_words TEXT NOT NULL,
            subject_words TEXT NOT NULL,
            snippet_words TEXT NOT NULL
        ) STRICT;
        -- Finds the words of a message, and with negative keys those of messages that are gone.
        CREATE UNIQUE INDEX search_docs_message_idx ON search_docs(message_pk);

        -- The words of the texts that are here.
        CREATE TABLE search_bodies(
            docid INTEGER PRIMARY KEY,
            words TEXT NOT NULL
        ) STRICT;

        -- What the index is made of. A mark before each word of people says whose it is, see SearchMark.
        CREATE VIEW search_words AS
            SELECT d.docid, \(marked("d.from_words", .sender)) || char(10) || \(marked("d.to_words", .recipient)) AS people,
                d.subject_words AS subject, d.snippet_words AS snippet, coalesce(b.words, '') AS body
            FROM search_docs d LEFT JOIN search_bodies b ON b.docid = d.docid;

        -- Without places: words in a row are checked in search_docs. A beginning of more letters than those of prefix
        -- has every list of places collected that it fits before the first is told.
        CREATE VIRTUAL TABLE search_index USING fts5(
            people, subject, snippet, body, content = search_words, content_rowid = docid,
            tokenize = ascii, detail = column, columnsize = 0, prefix = '1 2 3 4 5 6'
        );

        -- Messages whose words are to be read again; turn differs with each change.
        CREATE TABLE search_queue(
            message_pk INTEGER PRIMARY KEY,
            turn INTEGER NOT NULL
        ) STRICT;

        CREATE TRIGGER search_message_inserted AFTER INSERT ON messages BEGIN
            \(enqueue("new.pk"));
        END;
        CREATE TRIGGER search_message_updated
        AFTER UPDATE OF subject, snippet, from_address, to_json, activity_key, direction ON messages
        WHEN old.subject <> new.subject OR old.snippet <> new.snippet OR old.from_address <> new.from_address
            OR old.to_json <> new.to_json OR old.activity_key <> new.activity_key OR old.direction <> new.direction
        BEGIN
            \(enqueue("new.pk"));
        END;
        CREATE TRIGGER search_message_deleted AFTER DELETE ON messages BEGIN
            DELETE FROM search_queue WHERE message_pk = old.pk;
            UPDATE search_docs SET message_pk = -docid WHERE message_pk = old.pk;
        END;
        \(bodyTriggers("bodies"))
        \(bodyTriggers("htmls"))
        """

    /// Words with their mark before each.
    private static func marked(_ words: String, _ part: SearchMark.Part) -> String {
        "replace(rtrim(\(words)), ' ', char(32, \(SearchMark(part, isSent: false).scalar.value) + d.is_sent))"
    }

    private static func enqueue(_ key: String) -> String {
        """
        INSERT INTO search_queue(message_pk, turn) VALUES (\(key), random())
                ON CONFLICT(message_pk) DO UPDATE SET turn = excluded.turn
        """
    }

    /// A text that comes, changes or goes has its message read again, unless that goes as well.
    private static func bodyTriggers(_ table: String) -> String {
        [("INSERT", "new"), ("UPDATE", "new"), ("DELETE", "old")].map { event, row in
            """
            CREATE TRIGGER search_\(table)_\(event.lowercased()) AFTER \(event) ON \(table)
            WHEN EXISTS (SELECT 1 FROM messages WHERE pk = \(row).message_pk) BEGIN
                \(enqueue("\(row).message_pk"));
            END;
            """
        }.joined(separator: "\n")
    }
}
