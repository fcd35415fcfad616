import MailModel
import MailStorage
import SQLite

/// A cache and an outbox of one account.
struct ReplayBench: ~Copyable {
    static let owner = "https://x.example one"

    let box: OutboxBench
    var cache: MailStore
    var reader: MailReader

    private init(_ box: consuming OutboxBench, _ cache: MailStore, _ reader: MailReader) {
        self.box = box
        self.cache = cache
        self.reader = reader
    }

    /// A new one that knows two mailboxes.
    static func make() async throws -> ReplayBench {
        let box = try OutboxBench()
        let cache = try open(box.cache, box.path)
        _ = try await cache.replaceMailboxes([mailbox("a"), mailbox("b")])
        guard let reader = try MailReader(path: box.cache, owner: owner) else { throw StoreError.cannotAccess }
        return ReplayBench(box, cache, reader)
    }

    static func open(_ path: String, _ outbox: String) throws -> MailStore {
        try MailStore(path: path, owner: owner, outbox: outbox)
    }

    /// The page of changes that makes these messages the server's.
    func sync(_ messages: MessageSummary...) async throws {
        _ = try await cache.commitChanges(
            messages.map { .upsert($0) }, cursor: "c\(UInt64.random(in: 0...UInt64.max))")
    }

    /// Queues an action on what is shown, and has it shown.
    @discardableResult
    func act(_ action: TriageAction, _ ids: String...) async throws -> BatchReceipt {
        let request = TriageRequest(action: action, targets: .messages(ids.map { MessageID($0) }))
        let operations = try await reader.operations(for: request).operations
        let receipt = try await box.store.enqueue(operations, name: action.title, at: 1_750_000_000_000)
        try await cache.rematerialise()
        return receipt
    }

    /// A pass in which nothing came.
    func idlePass() async throws {
        try await cache.passBegins()
        try await cache.passEnds()
    }

    /// A message as it is shown.
    func shown(_ id: String) async throws -> MessageSummary? { try await reader.message(MessageID(id))?.summary }

    /// The messages whose server values are kept apart, and those that were lost.
    func sideRows() throws -> [String] {
        let database = try Database(box.cache, mode: .readOnly)
        let row = try database.statement(
            """
            SELECT coalesce(m.id, 'nothing') FROM server_rows s LEFT JOIN messages m ON m.pk = s.message_pk
            UNION ALL SELECT 'echo ' || message_id FROM echoes UNION ALL SELECT 'lost ' || message_id FROM lost_messages
            UNION ALL SELECT 'mark' FROM meta WHERE key = 'outbox' ORDER BY 1
            """)
        var rows: [String] = []
        while try row.step() { rows.append(row.text(0)) }
        return rows
    }
}
