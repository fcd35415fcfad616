/// The tables of the server's file.
enum Schema {
    static let pragmas = """
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = OFF;
        PRAGMA foreign_keys = ON;
        PRAGMA temp_store = MEMORY;
        PRAGMA cache_size = -65536;
        PRAGMA mmap_size = 1073741824;
        """

    static let people = """
        CREATE TABLE IF NOT EXISTS users(id TEXT PRIMARY KEY, role TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS tokens(
            token TEXT PRIMARY KEY, userId TEXT NOT NULL REFERENCES users(id), scopes INTEGER NOT NULL);
        -- Those who may not enter: banned, or with a temporary password.
        CREATE TABLE IF NOT EXISTS suspensions(
            userId TEXT PRIMARY KEY REFERENCES users(id) ON DELETE CASCADE, reason TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS mailboxes(
            id TEXT PRIMARY KEY, address TEXT NOT NULL UNIQUE, displayName TEXT NOT NULL,
            isActive INTEGER NOT NULL DEFAULT 1, createdAt TEXT NOT NULL, updatedAt TEXT NOT NULL);
        CREATE TABLE IF NOT EXISTS addresses(
            id TEXT PRIMARY KEY, mailboxId TEXT NOT NULL REFERENCES mailboxes(id) ON DELETE CASCADE,
            domainId TEXT NOT NULL, address TEXT NOT NULL UNIQUE, displayName TEXT NOT NULL,
            receiveEnabled INTEGER NOT NULL DEFAULT 1, sendEnabled INTEGER NOT NULL DEFAULT 1,
            isPrimary INTEGER NOT NULL DEFAULT 1);
        CREATE INDEX IF NOT EXISTS addressesByMailbox ON addresses(mailboxId);
        CREATE TABLE IF NOT EXISTS grants(
            mailboxId TEXT NOT NULL REFERENCES mailboxes(id) ON DELETE CASCADE,
            userId TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE, level TEXT NOT NULL,
            PRIMARY KEY(userId, mailboxId));
        -- The domains that are not ready for sending.
        CREATE TABLE IF NOT EXISTS closedDomains(id TEXT PRIMARY KEY) WITHOUT ROWID;
        """

    static let mail = """
        CREATE TABLE IF NOT EXISTS messages(
            rowId INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, threadId TEXT NOT NULL,
            mailboxId TEXT REFERENCES mailboxes(id) ON DELETE SET NULL, isUnassigned INTEGER NOT NULL DEFAULT 0,
            direction TEXT NOT NULL, folder TEXT NOT NULL, fromAddress TEXT NOT NULL, toJSON TEXT NOT NULL,
            subject TEXT NOT NULL, snippet TEXT NOT NULL, receivedAt TEXT, sentAt TEXT, readAt TEXT,
            starredAt TEXT, hasAttachments INTEGER NOT NULL, createdAt TEXT NOT NULL, activityAt TEXT NOT NULL,
            archivedAt TEXT, trashedAt TEXT, ccJSON TEXT NOT NULL, bccJSON TEXT NOT NULL, deliveredTo TEXT,
            htmlAvailable INTEGER NOT NULL, messageIdHeader TEXT, inReplyTo TEXT, referencesJSON TEXT NOT NULL,
            dedupeKey TEXT UNIQUE);
        CREATE INDEX IF NOT EXISTS messagesByActivity
            ON messages(activityAt DESC, id DESC, mailboxId, isUnassigned, threadId);
        CREATE INDEX IF NOT EXISTS messagesByFolder
            ON messages(folder, activityAt DESC, id DESC, mailboxId, isUnassigned, threadId);
        CREATE INDEX IF NOT EXISTS messagesByMailbox ON messages(mailboxId, activityAt DESC, id DESC);
        CREATE INDEX IF NOT EXISTS messagesByMailboxFolder
            ON messages(mailboxId, folder, activityAt DESC, id DESC);
        CREATE INDEX IF NOT EXISTS messagesByThread
            ON messages(threadId, activityAt DESC, id DESC, mailboxId, isUnassigned, folder);
        CREATE INDEX IF NOT EXISTS messagesByStar
            ON messages(threadId, mailboxId, isUnassigned) WHERE starredAt IS NOT NULL;
        CREATE INDEX IF NOT EXISTS messagesByHeader ON messages(messageIdHeader);
        CREATE TABLE IF NOT EXISTS bodies(
            messageId TEXT PRIMARY KEY REFERENCES messages(id) ON DELETE CASCADE, textBody TEXT NOT NULL,
            htmlSource TEXT, htmlAnswer TEXT, htmlRemoteAnswer TEXT) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS attachments(
            id TEXT PRIMARY KEY, messageId TEXT NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
            filename TEXT NOT NULL, contentType TEXT NOT NULL, sizeBytes INTEGER NOT NULL, contentId TEXT,
            createdAt TEXT NOT NULL, content BLOB, objectKey TEXT);
        CREATE INDEX IF NOT EXISTS attachmentsByMessage ON attachments(messageId, filename);
        -- The files of drafts. A sent copy shares its draft's object, so deleting the draft can take it away.
        CREATE TABLE IF NOT EXISTS objects(key TEXT PRIMARY KEY, content BLOB NOT NULL);
        CREATE TABLE IF NOT EXISTS trustedSenders(
            userId TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE, address TEXT NOT NULL,
            PRIMARY KEY(userId, address)) WITHOUT ROWID;
        -- A mailbox without a row keeps its mail for ever.
        CREATE TABLE IF NOT EXISTS retention(
            mailboxId TEXT PRIMARY KEY REFERENCES mailboxes(id) ON DELETE CASCADE, trashDays INTEGER NOT NULL,
            ageDays INTEGER);
        CREATE INDEX IF NOT EXISTS attachmentsByObject ON attachments(objectKey) WHERE objectKey IS NOT NULL;
        """

    static let drafts = """
        CREATE TABLE IF NOT EXISTS drafts(
            id TEXT PRIMARY KEY, userId TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
            mailboxId TEXT REFERENCES mailboxes(id) ON DELETE SET NULL,
            replyTo TEXT REFERENCES messages(id) ON DELETE SET NULL,
            forwardOf TEXT REFERENCES messages(id) ON DELETE SET NULL,
            fromAddress TEXT NOT NULL, toJSON TEXT NOT NULL, ccJSON TEXT NOT NULL, bccJSON TEXT NOT NULL,
            subject TEXT NOT NULL, text TEXT NOT NULL, html TEXT NOT NULL, version INTEGER NOT NULL,
            updatedAt TEXT NOT NULL);
        CREATE INDEX IF NOT EXISTS draftsByUser ON drafts(userId, updatedAt DESC, id DESC);
        CREATE INDEX IF NOT EXISTS draftsByReply ON drafts(replyTo);
        CREATE INDEX IF NOT EXISTS draftsByForward ON drafts(forwardOf);
        CREATE INDEX IF NOT EXISTS draftsByMailbox ON drafts(mailboxId);
        CREATE TABLE IF NOT EXISTS draftAttachments(
            id TEXT PRIMARY KEY, draftId TEXT NOT NULL REFERENCES drafts(id) ON DELETE CASCADE,
            filename TEXT NOT NULL, contentType TEXT NOT NULL, sizeBytes INTEGER NOT NULL,
            createdAt TEXT NOT NULL, objectKey TEXT NOT NULL);
        CREATE INDEX IF NOT EXISTS draftAttachmentsByDraft ON draftAttachments(draftId, createdAt);
        """

    static let journals = """
        CREATE TABLE IF NOT EXISTS messageJournal(
            sequence INTEGER PRIMARY KEY AUTOINCREMENT, messageId TEXT NOT NULL, mailboxId TEXT,
            isUnassigned INTEGER NOT NULL, isDelete INTEGER NOT NULL);
        CREATE TRIGGER IF NOT EXISTS messageInserted AFTER INSERT ON messages BEGIN
            INSERT INTO messageJournal(messageId, mailboxId, isUnassigned, isDelete)
            VALUES (new.id, new.mailboxId, new.isUnassigned, 0);
        END;
        CREATE TRIGGER IF NOT EXISTS messageUpdated AFTER UPDATE ON messages BEGIN
            INSERT INTO messageJournal(messageId, mailboxId, isUnassigned, isDelete)
            VALUES (new.id, new.mailboxId, new.isUnassigned, 0);
        END;
        CREATE TRIGGER IF NOT EXISTS messageDeleted AFTER DELETE ON messages BEGIN
            INSERT INTO messageJournal(messageId, mailboxId, isUnassigned, isDelete)
            VALUES (old.id, old.mailboxId, old.isUnassigned, 1);
        END;
        CREATE TABLE IF NOT EXISTS draftJournal(
            sequence INTEGER PRIMARY KEY AUTOINCREMENT, draftId TEXT NOT NULL, userId TEXT NOT NULL,
            isDelete INTEGER NOT NULL);
        CREATE INDEX IF NOT EXISTS draftJournalByUser ON draftJournal(userId, sequence);
        CREATE TRIGGER IF NOT EXISTS draftInserted AFTER INSERT ON drafts BEGIN
            INSERT INTO draftJournal(draftId, userId, isDelete) VALUES (new.id, new.userId, 0);
        END;
        CREATE TRIGGER IF NOT EXISTS draftUpdated AFTER UPDATE ON drafts BEGIN
            INSERT INTO draftJournal(draftId, userId, isDelete) VALUES (new.id, new.userId, 0);
        END;
        CREATE TRIGGER IF NOT EXISTS draftDeleted AFTER DELETE ON drafts BEGIN
            INSERT INTO draftJournal(draftId, userId, isDelete) VALUES (old.id, old.userId, 1);
        END;
        CREATE TRIGGER IF NOT EXISTS draftAttached AFTER INSERT ON draftAttachments BEGIN
            INSERT INTO draftJournal(draftId, userId, isDelete)
            SELECT id, userId, 0 FROM drafts WHERE id = new.draftId;
        END;
        CREATE TRIGGER IF NOT EXISTS draftDetached AFTER DELETE ON draftAttachments BEGIN
            INSERT INTO draftJournal(draftId, userId, isDelete)
            SELECT id, userId, 0 FROM drafts WHERE id = old.draftId;
        END;
        """
}
