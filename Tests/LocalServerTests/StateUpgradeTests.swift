internal import MailTestSupport
internal import Platform
internal import SQLite
internal import Testing

@testable internal import LocalServer

struct StateUpgradeTests {
    /// Fails when a state of an earlier version no longer opens.
    @Test func `tables without later columns gain them`() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let path = scratch.path + "/state.sqlite"
        let old = try Database(path)
        try old.run(
            """
            CREATE TABLE attachments(id TEXT PRIMARY KEY, messageId TEXT NOT NULL, filename TEXT NOT NULL,
                contentType TEXT NOT NULL, sizeBytes INTEGER NOT NULL, contentId TEXT, createdAt TEXT NOT NULL,
                content BLOB);
            CREATE TABLE draftAttachments(id TEXT PRIMARY KEY, draftId TEXT NOT NULL, filename TEXT NOT NULL,
                contentType TEXT NOT NULL, sizeBytes INTEGER NOT NULL, createdAt TEXT NOT NULL, content BLOB);
            INSERT INTO attachments VALUES('att_1', 'msg_1', 'f', 't', 1, NULL, 'now', x'00');
            """)

        let store = try Store(path)

        #expect(try store.text("SELECT objectKey FROM attachments") == nil)
        #expect(try store.database.scalar("SELECT count(*) FROM attachments WHERE content IS NOT NULL") == 1)
        _ = try Store(path)
    }
}
