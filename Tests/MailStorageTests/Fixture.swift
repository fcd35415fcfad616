import Glibc
import MailModel
import MailStorage
import Platform

/// A cache on a new file in a directory of its own.
struct Bench: ~Copyable {
    let path: String
    let store: MailStore

    init() throws {
        path = Bench.newPath()
        store = try MailStore(path: path, owner: "test")
    }

    deinit { Bench.remove(path) }

    /// A path in a directory of its own, since a cache has files beside it.
    static func newPath() -> String {
        let directory = "/tmp/herald-store-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        mkdir(directory, 0o700)
        return directory + "/cache.sqlite"
    }

    static func remove(_ path: String) { Files.removeTree(String(path.dropLast("/cache.sqlite".count))) }

    func reader() throws -> MailReader {
        guard let reader = try MailReader(path: path, owner: "test") else { throw StoreError.cannotAccess }
        return reader
    }

    /// Applies changes; the cursor is of no interest.
    @discardableResult
    func put(_ messages: MessageSummary...) async throws -> CommitCounts {
        try await store.commitChanges(messages.map { .upsert($0) }, cursor: "c\(UInt64.random(in: 0...UInt64.max))")
    }

    func ids(_ folder: Folder?, mailbox: String? = nil) async throws -> [String] {
        try await reader().messages(mailbox: mailbox.map { MailboxID($0) }, folder: folder, limit: nil).map(
            \.id.rawValue)
    }

    func threads(_ folder: Folder, mailbox: String? = nil) async throws -> [String] {
        let scope = ListScope(mailboxID: mailbox.map { MailboxID($0) }, folder: folder)
        return try await reader().conversations(in: scope, limit: 1_000).map(\.threadID.rawValue)
    }
}

func mailbox(_ id: String, _ level: AccessLevel? = .agent) -> Mailbox {
    Mailbox(id: MailboxID(id), address: "\(id)@x.example", displayName: id, isActive: true, accessLevel: level)
}

func instant(_ second: Int) -> Timestamp {
    Timestamp(millisecondsSinceEpoch: 1_750_000_000_000 + Int64(second) * 1_000)
}

func message(
    _ id: String, thread: String? = nil, folder: String = "inbox", mailbox: String? = "a", at second: Int = 0,
    read: Bool = false, starred: Bool = false, subject: String = "Subject"
) -> MessageSummary {
    MessageSummary(
        id: MessageID(id), threadID: ThreadID(thread ?? "t" + id), mailboxID: mailbox.map { MailboxID($0) },
        direction: folder == "sent" ? .outbound : .inbound, folder: folder, fromAddress: "dana@y.example",
        to: ["a@x.example"], subject: subject, snippet: "words", receivedAt: instant(second), sentAt: nil,
        readAt: read ? instant(0) : nil, starredAt: starred ? instant(0) : nil, hasAttachments: false,
        createdAt: instant(0))
}

func draft(_ id: String, mailbox: String? = "a", text: String = "") -> Draft {
    Draft(
        id: DraftID(id), mailboxID: mailbox.map { MailboxID($0) }, replyToMessageID: nil, forwardOfMessageID: nil,
        from: "", to: [], cc: [], bcc: [], subject: id, text: text, html: "", version: 1, updatedAt: instant(0),
        attachments: [])
}
