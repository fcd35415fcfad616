internal import SQLite

/// The steps that made the outbox's tables, in order.
///
/// A released step is never edited: files of every older version exist, and each is brought up by the steps it lacks.
enum OutboxMigrations {
    /// Marks the file as Herald's outbox in its header.
    static let applicationID: Int64 = 0x4872_4F62

    /// The version that all steps make.
    static var version: Int64 { Int64(steps.count) }

    /// Each step's name, and what it does.
    static let steps: [(name: String, sql: String)] = [
        (
            "operations, batches and journal",
            """
            CREATE TABLE meta(
                key TEXT PRIMARY KEY,
                value TEXT NOT NULL
            ) STRICT, WITHOUT ROWID;

            -- What waits for the server, in its order. batch_pk and place find its effect; inverse is the actions that
            -- would take it back; may_have_arrived tells that a request of it was lost, so that the server may have
            -- done it.
            CREATE TABLE operations(
                sequence INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL,
                batch_id TEXT NOT NULL,
                batch_pk INTEGER NOT NULL,
                place INTEGER NOT NULL,
                message_id TEXT NOT NULL,
                mailbox_id TEXT,
                kind TEXT NOT NULL,
                inverse TEXT NOT NULL,
                status TEXT NOT NULL CHECK (status IN ('pending', 'inFlight', 'retrying', 'blocked')),
                block_reason TEXT CHECK ((status = 'blocked') = (block_reason IS NOT NULL)),
                created_at TEXT NOT NULL,
                attempts INTEGER NOT NULL DEFAULT 0,
                refusals INTEGER NOT NULL DEFAULT 0,
                may_have_arrived INTEGER NOT NULL DEFAULT 0,
                next_attempt_at INTEGER,
                last_failure TEXT
            ) STRICT;
            CREATE UNIQUE INDEX operations_id_idx ON operations(id);
            -- Serves the replay of a message's operations, and the look for an earlier one of the same message.
            CREATE INDEX operations_message_idx ON operations(message_id, sequence);

            -- What undo goes back through.
            CREATE TABLE batches(
                pk INTEGER PRIMARY KEY,
                id TEXT NOT NULL,
                name TEXT NOT NULL,
                count INTEGER NOT NULL,
                created_at TEXT NOT NULL,
                is_undone INTEGER NOT NULL DEFAULT 0
            ) STRICT;

            -- What a batch did to each message, and what takes it back; operation_id is NULL when it met an opposite.
            CREATE TABLE effects(
                batch_pk INTEGER NOT NULL,
                place INTEGER NOT NULL,
                message_id TEXT NOT NULL,
                mailbox_id TEXT,
                undo TEXT NOT NULL,
                operation_id TEXT,
                PRIMARY KEY(batch_pk, place)
            ) STRICT, WITHOUT ROWID;

            -- Operations that ended without being done.
            CREATE TABLE journal(
                pk INTEGER PRIMARY KEY AUTOINCREMENT,
                id TEXT NOT NULL,
                batch_id TEXT NOT NULL,
                message_id TEXT NOT NULL,
                mailbox_id TEXT,
                kind TEXT NOT NULL,
                verdict TEXT NOT NULL,
                reason TEXT NOT NULL,
                created_at TEXT NOT NULL,
                ended_at TEXT NOT NULL
            ) STRICT;

            -- Whose operations came or went with the last revisions, so that a cache need not replay all of them.
            CREATE TABLE touched(
                revision INTEGER NOT NULL,
                message_id TEXT NOT NULL,
                PRIMARY KEY(revision, message_id)
            ) STRICT, WITHOUT ROWID;
            """
        )
    ]

    /// Brings a file of a version up to this one, all or nothing.
    ///
    /// Runs inside a transaction.
    static func run(from version: Int64, in database: Database) throws(SQLiteError) {
        for step in steps.dropFirst(Int(version)) { try database.run(step.sql) }
        try database.run("PRAGMA user_version = \(OutboxMigrations.version)")
    }
}
