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
        ),
        ("drafts, their files and sends", OutboxMigrations.drafts),
        ("who watches over sends, and what tells their copies", OutboxMigrations.sends),
        ("preconditions and failures", OutboxMigrations.conditions),
        ("what was typed after a send, and drafts that went before it", OutboxMigrations.afterwards),
    ]

    private static let conditions = """
        -- A filter that the server's message must fit right before; NULL where there is none.
        ALTER TABLE operations ADD COLUMN precondition TEXT;

        -- The last requests that failed, for those who watch.
        CREATE TABLE failures(
            pk INTEGER PRIMARY KEY AUTOINCREMENT,
            operation_id TEXT NOT NULL,
            code TEXT NOT NULL
        ) STRICT;
        """

    private static let afterwards = """
        -- posted_revision is that of the draft which the last request sent; NULL before. may_be_elsewhere tells that the
        -- draft was gone before a request was made, so that another device may have sent it.
        ALTER TABLE sends ADD COLUMN posted_revision INTEGER;
        ALTER TABLE sends ADD COLUMN may_be_elsewhere INTEGER NOT NULL DEFAULT 0;
        -- Beside these, up to a thousand are remembered that were sent.
        CREATE INDEX sends_open_idx ON sends(id) WHERE status <> 'sent';
        """

    private static let drafts = """
        -- What is being written. recipients, cc and bcc are as typed; ancestor is the content of server_version, as JSON,
        -- which the server told at confirmed_at. The sent columns are a save without an answer, theirs a newer version.
        CREATE TABLE drafts(
            id TEXT PRIMARY KEY,
            origin TEXT NOT NULL CHECK (origin IN ('new', 'reply', 'forward')),
            original_id TEXT CHECK ((origin = 'new') = (original_id IS NULL)),
            with_files INTEGER NOT NULL DEFAULT 1,
            mailbox_id TEXT,
            sender TEXT NOT NULL,
            recipients TEXT NOT NULL,
            cc TEXT NOT NULL,
            bcc TEXT NOT NULL,
            subject TEXT NOT NULL,
            text TEXT NOT NULL,
            html TEXT NOT NULL,
            revision INTEGER NOT NULL,
            saved_revision INTEGER NOT NULL DEFAULT 0,
            server_id TEXT,
            server_version INTEGER,
            ancestor TEXT,
            confirmed_at INTEGER,
            sent_revision INTEGER,
            sent_content TEXT,
            sent_at INTEGER,
            theirs_version INTEGER,
            theirs TEXT,
            state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'inFlight', 'retrying', 'blocked')),
            block_reason TEXT CHECK ((state = 'blocked') = (block_reason IS NOT NULL)),
            conflict_mode TEXT NOT NULL DEFAULT 'auto',
            copy_of TEXT,
            is_discarded INTEGER NOT NULL DEFAULT 0,
            attempts INTEGER NOT NULL DEFAULT 0,
            next_attempt_at INTEGER,
            last_failure TEXT,
            created_at TEXT NOT NULL,
            updated_at TEXT NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX drafts_server_idx ON drafts(server_id) WHERE server_id IS NOT NULL;

        -- The files of drafts; sha256 names the copy beside the outbox and is NULL for one that only the server has.
        CREATE TABLE draft_files(
            id TEXT PRIMARY KEY,
            draft_id TEXT NOT NULL,
            place INTEGER NOT NULL,
            filename TEXT NOT NULL,
            content_type TEXT NOT NULL,
            size_bytes INTEGER NOT NULL,
            sha256 TEXT,
            attachment_id TEXT,
            state TEXT NOT NULL DEFAULT 'waiting'
                CHECK (state IN ('waiting', 'inFlight', 'retrying', 'refused', 'done')),
            attempts INTEGER NOT NULL DEFAULT 0,
            next_attempt_at INTEGER,
            last_failure TEXT,
            done_at INTEGER,
            is_removed INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE INDEX draft_files_draft_idx ON draft_files(draft_id, place);

        -- What is to be sent, and what became of it. content is what was sent, as JSON, from the first request on.
        CREATE TABLE sends(
            id TEXT PRIMARY KEY,
            draft_id TEXT NOT NULL,
            revision INTEGER NOT NULL,
            status TEXT NOT NULL
                CHECK (status IN ('queued', 'inFlight', 'unknown', 'held', 'refused', 'sent')),
            reason TEXT CHECK ((status IN ('held', 'refused')) = (reason IS NOT NULL)),
            not_before INTEGER NOT NULL,
            seen_id TEXT,
            content TEXT,
            posted_at INTEGER,
            sent_id TEXT CHECK ((status = 'sent') = (sent_id IS NOT NULL)),
            attempts INTEGER NOT NULL DEFAULT 0,
            next_attempt_at INTEGER,
            last_failure TEXT,
            created_at TEXT NOT NULL,
            ended_at TEXT
        ) STRICT;
        CREATE INDEX sends_draft_idx ON sends(draft_id);
        CREATE INDEX sends_status_idx ON sends(status, not_before);

        -- Tells caches that drafts changed, whoever changed them.
        INSERT INTO meta(key, value) VALUES ('drafts_revision', '1');
        """
        + ["drafts", "draft_files", "sends"].map { table in
            ["INSERT", "UPDATE", "DELETE"].map { event in
                """

                CREATE TRIGGER \(table)_\(event.lowercased()) AFTER \(event) ON \(table)
                BEGIN UPDATE meta SET value = value + 1 WHERE key = 'drafts_revision'; END;
                """
            }.joined()
        }.joined()

    private static let sends = """
        -- minder is the running program that may still take it back; draft_server_id and sent_after are the server's
        -- draft and time that it was queued and sent with; may_have_arrived tells that the server may have sent it.
        ALTER TABLE sends ADD COLUMN minder TEXT;
        ALTER TABLE sends ADD COLUMN draft_server_id TEXT;
        ALTER TABLE sends ADD COLUMN sent_after TEXT;
        ALTER TABLE sends ADD COLUMN may_have_arrived INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE sends ADD COLUMN probes INTEGER NOT NULL DEFAULT 0;
        -- No draft is sent twice at a time.
        CREATE UNIQUE INDEX sends_going_idx ON sends(draft_id) WHERE status NOT IN ('sent', 'refused');
        CREATE INDEX sends_sent_idx ON sends(sent_id) WHERE sent_id IS NOT NULL;

        -- Drafts of the server whose files belong to sent mail: deleting one would destroy them (contract §6.21).
        CREATE TABLE kept_drafts(
            server_id TEXT PRIMARY KEY
        ) STRICT, WITHOUT ROWID;
        """

    /// Brings a file of a version up to this one, all or nothing.
    ///
    /// Runs inside a transaction.
    static func run(from version: Int64, in database: Database) throws(SQLiteError) {
        for step in steps.dropFirst(Int(version)) { try database.run(step.sql) }
        try database.run("PRAGMA user_version = \(OutboxMigrations.version)")
    }
}
