internal import MailModel
internal import Platform
internal import SQLite

/// Puts operations into the queue, inside one transaction.
///
/// What has not been sent and what is now asked for are put together: the same action twice is one, and an action and
/// its opposite are none. `finish` must be called before the transaction ends.
struct OutboxQueue {
    /// An operation of the queue, as far as another of its message must know it.
    struct Waiting {
        let sequence: Int64
        let action: TriageAction
        let inverse: [TriageAction]
        /// Whether the server cannot have done it.
        let isUnsent: Bool
        /// Whether it is done only if the server's message is as demanded.
        let isConditional: Bool
    }

    /// What adding an operation came to.
    enum Outcome: Hashable {
        case queued(OperationID)
        /// The same waits already, or the message is so already.
        case idle
        /// It met an opposite that had not been sent.
        case cancelled
    }

    private let database: Database
    private let milliseconds: Int64
    private let instant: String
    private let insertion: Statement
    private let removal: Statement
    /// Whether a message may have operations; while the queue is empty only those just added do.
    private let isEmptyAtFirst: Bool
    private var random: [UInt8] = []
    private var touched: Set<MessageID> = []
    private var texts = RowTexts()

    init(_ database: Database, at milliseconds: Int64) throws(SQLiteError) {
        self.database = database
        self.milliseconds = milliseconds
        instant = Timestamp(millisecondsSinceEpoch: milliseconds).text
        insertion = try database.statement(OutboxQueue.insertSQL)
        removal = try database.statement("DELETE FROM operations WHERE sequence = ?1")
        isEmptyAtFirst = try database.scalar("SELECT EXISTS (SELECT 1 FROM operations)") == 0
    }

    static let insertSQL = """
        INSERT INTO operations(
            id, batch_id, batch_pk, place, message_id, mailbox_id, kind, inverse, status, created_at, precondition)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'pending', ?9, ?10)
        """

    static let waitingSQL = """
        SELECT sequence, kind, inverse, status <> 'inFlight' AND may_have_arrived = 0, precondition IS NOT NULL
        FROM operations WHERE message_id = ?1 ORDER BY sequence
        """

    /// What waits for a message, in its order.
    func waiting(for message: MessageID) throws(SQLiteError) -> [Waiting] {
        if isEmptyAtFirst, !touched.contains(message) { return [] }
        let row = try database.statement(OutboxQueue.waitingSQL)
        row.bind(1, message.rawValue)
        defer { row.reset() }
        var waiting: [Waiting] = []
        while try row.step() {
            guard let action = TriageAction(rawValue: row.text(1)) else { continue }
            waiting.append(
                Waiting(
                    sequence: row.int(0), action: action, inverse: UndoStep.actions(row.text(2)),
                    isUnsent: row.bool(3), isConditional: row.bool(4)))
        }
        return waiting
    }

    /// An operation that is to be queued, and where its effect is kept.
    struct Entry {
        var message: MessageID
        var mailbox: MailboxID?
        var action: TriageAction
        var inverse: [TriageAction]
        var batch: BatchID
        var batchKey: Int64
        var place: Int
        var precondition: String?
    }

    /// Queues an operation after those that wait for its message, or lets it and the last one of its aspect cancel out.
    ///
    /// One with a condition cancels nothing, since it may come to nothing itself.
    mutating func add(_ entry: Entry, after waiting: [Waiting]) throws(SQLiteError) -> Outcome {
        if let last = waiting.last(where: { $0.action.aspect == entry.action.aspect }), last.isUnsent {
            if last.action == entry.action { return .idle }
            if last.inverse == [entry.action], entry.precondition == nil {
                try remove(last.sequence, of: entry.message)
                return .cancelled
            }
        }
        let id = OperationID(milliseconds: milliseconds, random: randomBits())
        insertion.bind(3, entry.batchKey)
        insertion.bind(4, entry.place)
        texts.add(1, id.rawValue)
        texts.add(2, entry.batch.rawValue)
        texts.add(5, entry.message.rawValue)
        texts.add(6, entry.mailbox?.rawValue)
        texts.add(7, entry.action.rawValue)
        texts.add(8, UndoStep.words(entry.inverse))
        texts.add(9, instant)
        texts.add(10, entry.precondition)
        try insertion.run(&texts)
        touched.insert(entry.message)
        return .queued(id)
    }

    /// Takes an operation out of the queue.
    mutating func remove(_ sequence: Int64, of message: MessageID) throws(SQLiteError) {
        removal.bind(1, sequence)
        try removal.run()
        touched.insert(message)
    }

    /// Has what waits be done whatever the server's message is like, since it is now asked for without a condition.
    func liftCondition(_ action: TriageAction, _ waiting: [Waiting]) throws(SQLiteError) {
        guard let last = waiting.last(where: { $0.action.aspect == action.aspect }), last.isConditional,
            last.action == action
        else { return }
        let statement = try database.statement("UPDATE operations SET precondition = NULL WHERE sequence = ?1")
        statement.bind(1, last.sequence)
        try statement.run()
    }

    /// A new batch's identifier.
    mutating func newBatch() -> BatchID { BatchID(milliseconds: milliseconds, random: randomBits()) }

    /// The instant of everything that is queued here.
    var createdAt: Timestamp { Timestamp(instant) }

    /// Tells caches what changed.
    func finish() throws(SQLiteError) { try OutboxRevision.advance(touched, in: database) }

    /// Identifiers made of one reading of the kernel's random numbers.
    private static let randomBytesAtOnce = 16 * 256

    private mutating func randomBits() -> (UInt64, UInt64) {
        if random.count < 16 { random = Environment.randomBytes(OutboxQueue.randomBytesAtOnce) }
        func number() -> UInt64 { (0..<8).reduce(0) { number, _ in number << 8 | UInt64(random.removeLast()) } }
        return (number(), number())
    }
}
