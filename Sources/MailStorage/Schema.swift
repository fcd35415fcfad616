/// The cache's whole schema.
///
/// It has no migrations: another version is set aside and rebuilt.
enum Schema {
    /// Marks the file as Herald's cache in its header.
    static let applicationID: Int64 = 0x4872_6C64
    static let version: Int64 = 6

    static let statements = """
        CREATE TABLE meta(
            key TEXT PRIMARY KEY,
            value TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        -- listing: 0 never listed, 1 listed, 2 covered by the running bootstrap.
        CREATE TABLE mailboxes(
            pk INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            address TEXT NOT NULL,
            display_name TEXT NOT NULL,
            is_active INTEGER NOT NULL,
            access_level TEXT,
            position INTEGER NOT NULL,
            listing INTEGER NOT NULL DEFAULT 0
        ) STRICT;

        -- Identifiers are found by id_hash, a hash of the text, whose index is a third of one of the texts.
        CREATE TABLE threads(
            pk INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            id_hash INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX threads_id_idx ON threads(id_hash);

        -- mailbox_pk 0 is unassigned mail; generation is the bootstrap that last saw the row; activity_key orders
        -- like activity_at; state is what conversations are made of, see MessageState; body_state is 0 without its
        -- text, 1 without its HTML, 2 whole, 3 not to be had.
        CREATE TABLE messages(
            pk INTEGER PRIMARY KEY,
            id TEXT NOT NULL,
            id_hash INTEGER NOT NULL,
            thread_pk INTEGER NOT NULL,
            mailbox_pk INTEGER NOT NULL,
            activity_key INTEGER NOT NULL,
            state INTEGER NOT NULL,
            generation INTEGER NOT NULL,
            has_attachments INTEGER NOT NULL,
            direction TEXT NOT NULL,
            folder TEXT NOT NULL,
            from_address TEXT NOT NULL,
            to_json TEXT NOT NULL,
            subject TEXT NOT NULL,
            snippet TEXT NOT NULL,
            received_at TEXT,
            sent_at TEXT,
            read_at TEXT,
            starred_at TEXT,
            created_at TEXT NOT NULL,
            body_state INTEGER NOT NULL DEFAULT 0,
            activity_at TEXT NOT NULL AS (coalesce(received_at, sent_at, created_at)) VIRTUAL
        ) STRICT;
        CREATE INDEX messages_id_idx ON messages(id_hash);
        -- Holds all that a conversation's row is derived from, so that its messages are not read for it.
        CREATE INDEX messages_thread_idx ON messages(thread_pk, activity_key, mailbox_pk, state);
        -- Serves the list of a folder's messages, newest first.
        CREATE INDEX messages_folder_idx ON messages(folder, activity_key DESC);
        -- Serve searches: messages of one mailbox and state, newest first, and those that came in a span of time.
        CREATE INDEX messages_group_idx ON messages(mailbox_pk, state, activity_key);
        CREATE INDEX messages_created_idx ON messages(created_at);

        -- Serves the look, in every pass, for the newest unassigned message.
        CREATE INDEX messages_unassigned_idx ON messages(mailbox_pk) WHERE mailbox_pk = 0;
        -- Serves the search for bodies to fetch ahead, newest first.
        -- Bodies to be tried again.
        CREATE INDEX messages_refused_idx ON messages(mailbox_pk) WHERE body_state = 4;
        -- Serves the count of texts that are here.
        CREATE INDEX messages_unavailable_idx ON messages(mailbox_pk) WHERE body_state = 3;
        CREATE INDEX messages_bodiless_idx ON messages(activity_key, thread_pk, body_state) WHERE body_state < 2;

        -- One row for each list a thread is in, in the order of the screen; shown is the thread's newest message of
        -- that list. list = mailbox pk * 16 + folder, mailbox 0 being all.
        CREATE TABLE listings(
            list INTEGER NOT NULL,
            shown_key INTEGER NOT NULL,
            shown_pk INTEGER NOT NULL,
            thread_pk INTEGER NOT NULL,
            PRIMARY KEY(list, shown_key DESC, shown_pk DESC)
        ) STRICT, WITHOUT ROWID;

        -- unread counts messages, total counts conversations.
        CREATE TABLE counts(
            list INTEGER PRIMARY KEY,
            unread INTEGER NOT NULL,
            total INTEGER NOT NULL
        ) STRICT;

        -- What the server says of messages that are shown with what waits in the outbox; see ServerRows.
        CREATE TABLE server_rows(
            message_pk INTEGER PRIMARY KEY,
            folder TEXT NOT NULL,
            read_at TEXT,
            starred_at TEXT
        ) STRICT;

        -- What the server answered to actions, until a pass that began after it has ended; see Echoes.
        CREATE TABLE echoes(
            message_id TEXT PRIMARY KEY,
            folder TEXT NOT NULL,
            read_at TEXT,
            starred_at TEXT,
            is_old INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;

        -- Messages that went away while operations waited for them, until the outbox has ended those.
        CREATE TABLE lost_messages(
            message_id TEXT PRIMARY KEY,
            reason TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE bodies(
            message_pk INTEGER PRIMARY KEY,
            cc_json TEXT NOT NULL,
            bcc_json TEXT NOT NULL,
            delivered_to TEXT,
            text_body TEXT NOT NULL,
            html_available INTEGER NOT NULL,
            internet_message_id TEXT,
            in_reply_to TEXT,
            references_json TEXT NOT NULL,
            attachments_json TEXT NOT NULL
        ) STRICT;

        CREATE TABLE htmls(
            message_pk INTEGER PRIMARY KEY,
            html TEXT NOT NULL,
            quoted_html TEXT,
            after_quoted_html TEXT,
            has_remote_images INTEGER NOT NULL,
            remote_media_trusted INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE drafts(
            id TEXT PRIMARY KEY,
            mailbox_id TEXT,
            reply_to_message_id TEXT,
            forward_of_message_id TEXT,
            from_address TEXT NOT NULL,
            to_json TEXT NOT NULL,
            cc_json TEXT NOT NULL,
            bcc_json TEXT NOT NULL,
            subject TEXT NOT NULL,
            text TEXT NOT NULL,
            html TEXT NOT NULL,
            version INTEGER NOT NULL,
            updated_at TEXT NOT NULL,
            attachments_json TEXT NOT NULL
        ) STRICT;
        -- Serves the list of drafts, newest first.
        CREATE INDEX drafts_updated_at_idx ON drafts(updated_at, id);

        -- Drafts of the outbox as they are shown, in place of the server's that have the same server_id; mark_json is
        -- NULL for one that only hides.
        CREATE TABLE local_drafts(
            local_id TEXT PRIMARY KEY,
            server_id TEXT,
            mark_json TEXT,
            id TEXT NOT NULL,
            mailbox_id TEXT,
            reply_to_message_id TEXT,
            forward_of_message_id TEXT,
            from_address TEXT NOT NULL,
            to_json TEXT NOT NULL,
            cc_json TEXT NOT NULL,
            bcc_json TEXT NOT NULL,
            subject TEXT NOT NULL,
            text TEXT NOT NULL,
            html TEXT NOT NULL,
            version INTEGER NOT NULL,
            updated_at TEXT NOT NULL,
            attachments_json TEXT NOT NULL
        ) STRICT;
        -- Serves the look for the server's drafts that are not shown.
        CREATE INDEX local_drafts_server_idx ON local_drafts(server_id);

        -- What the last commits changed, for all who show the cache; NULL names mean too many to tell.
        CREATE TABLE commits(
            revision INTEGER PRIMARY KEY,
            is_bootstrap INTEGER NOT NULL,
            touches_mailboxes INTEGER NOT NULL,
            touches_drafts INTEGER NOT NULL,
            inserted_json TEXT,
            updated_json TEXT,
            deleted_json TEXT,
            bodies_json TEXT,
            threads_json TEXT,
            news_json TEXT
        ) STRICT;

        -- Unread mail that the change feed brought, for who tells people of it; see Arrivals. state: how
        -- many passes have ended since, and 3 for told or not to be told; failures counts tries to tell.
        CREATE TABLE arrivals(
            pk INTEGER PRIMARY KEY,
            message_id TEXT NOT NULL UNIQUE,
            state INTEGER NOT NULL DEFAULT 0,
            failures INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        -- Serves the look, after each pass, for mail that nobody was told of.
        CREATE INDEX arrivals_untold_idx ON arrivals(state) WHERE state < 3;

        -- Listings that are not complete, in the order they are walked.
        CREATE TABLE pending_listings(
            position INTEGER PRIMARY KEY,
            kind TEXT NOT NULL CHECK (kind IN ('folder', 'mailbox')),
            target TEXT NOT NULL,
            next TEXT
        ) STRICT;

        -- What the running re-listing has met, and what changed since it began; the rest is gone at its end.
        CREATE TABLE relisting_seen(
            message_pk INTEGER PRIMARY KEY
        ) STRICT;

        """
}
