internal import MailModel
internal import Platform
internal import SQLite

/// The outbox as the cache's writer replays it: what waits, by message.
///
/// Only reads, through a connection of its own, and only what changed since the last look. An account without an outbox
/// has nothing that waits.
final class OutboxView {
    /// An operation as far as replaying needs it.
    struct Waiting: Hashable {
        let kind: OperationKind
        let createdAt: Timestamp
    }

    /// What of a cache is out of date.
    enum Stale {
        case nothing
        case messages(Set<MessageID>)
        case everything
    }

    private let path: String?
    private let owner: String
    private var database: Database?
    private var inode: UInt64?
    private var identity = ""
    private var revision: Int64 = 0

    /// What waits for each message, in its order.
    private(set) var waiting: [MessageID: [Waiting]] = [:]

    /// Views the outbox of an owner at a path; `nil` for none.
    init(path: String?, owner: String) {
        self.path = path
        self.owner = owner
    }

    /// The name of the state a cache shows when it is up to date; `nil` when nothing waits.
    var mark: String? { waiting.isEmpty ? nil : shownMark }

    /// The mark of rows that show what this view had when something waited in the outbox.
    private var shownMark: String { "\(identity) \(revision)" }

    /// Has the first operation of a message count as ended: its answer is here, and it leaves the outbox next.
    ///
    /// Should it stay after all, it is shown as the server answered it, and met again when the outbox changes.
    func end(firstOf message: MessageID) {
        guard var rest = waiting[message] else { return }
        rest.removeFirst()
        waiting[message] = rest.isEmpty ? nil : rest
    }

    /// Forgets what was read, so that the next look reads all of it.
    func forget() { (identity, revision, waiting) = ("", 0, [:]) }

    /// The message with what waits replayed on it; `nil` when nothing waits for it.
    func replayed(on message: MessageSummary) -> MessageSummary? {
        waiting[message.id]?.reduce(message) { $1.kind.replayed(on: $0, at: $1.createdAt) }
    }

    /// Looks at the outbox, and answers what of a cache with a mark is out of date.
    ///
    /// Costs microseconds when nothing changed.
    func refresh(since mark: String?) throws(OutboxError) -> Stale {
        guard let path else { return mark == nil ? .nothing : .everything }
        do {
            guard try open(path), let database else {
                waiting = [:]
                return mark == nil ? .nothing : .everything
            }
            // One transaction, so that the revision and the operations belong together.
            try database.run("BEGIN")
            defer { try? database.run("ROLLBACK") }
            guard try Meta.value("owner", database) == owner else {
                (identity, revision, waiting) = ("", 0, [:])
                return mark == nil ? .nothing : .everything
            }
            // Rows that show what this view had need no replay where that is still so.
            let isInStep = mark == self.mark || mark == shownMark
            let unchanged = try load(database)
            let stale = try stale(since: mark, database)
            if isInStep, case .messages(let messages) = stale { return .messages(messages.subtracting(unchanged)) }
            return stale
        } catch {
            (self.database, inode) = (nil, nil)
            throw (error as? OutboxError) ?? OutboxError(error as? SQLiteError, path: path)
        }
    }

    /// The drafts of the outbox, when a cache with a mark shows others; with the mark that it has then.
    ///
    /// `nil` when the cache shows them already. Costs microseconds when nothing changed.
    func drafts(since mark: String?) throws(OutboxError) -> (drafts: [ShownDraft], mark: String?)? {
        let nobodys: (drafts: [ShownDraft], mark: String?)? = mark == nil ? nil : ([], nil)
        guard let path else { return nobodys }
        do {
            guard try open(path), let database else { return nobodys }
            try database.run("BEGIN")
            defer { try? database.run("ROLLBACK") }
            guard try Meta.value("owner", database) == owner,
                let revision = try OutboxDrafts.revision(in: database)
            else { return nobodys }
            let present = "\(try Meta.value("identity", database) ?? "") \(revision)"
            if present == mark { return nil }
            return (try OutboxDrafts.all(in: database), present)
        } catch {
            (self.database, inode) = (nil, nil)
            throw (error as? OutboxError) ?? OutboxError(error as? SQLiteError, path: path)
        }
    }

    /// Opens the file that has the path now; `false` when there is none, or an empty one that is being made.
    private func open(_ path: String) throws -> Bool {
        let present = Files.inode(path)
        if let present, present == inode, database != nil { return true }
        (database, inode, identity, revision) = (nil, nil, "", 0)
        guard let present else {
            guard Files.isMissing(path) else { throw OutboxError.cannotAccess }
            return false
        }
        guard Files.isRegular(path) else { throw OutboxError.inTheWay(path: path) }
        let opened = try Database(path, mode: .readOnly)
        let version = try opened.scalar("PRAGMA user_version") ?? 0
        if version == 0, try opened.scalar("SELECT count(*) FROM sqlite_schema") == 0 { return false }
        guard try opened.scalar("PRAGMA application_id") == OutboxMigrations.applicationID else {
            throw OutboxError.damaged(path: path)
        }
        guard version <= OutboxMigrations.version else { throw OutboxError.newer(path: path) }
        (database, inode) = (opened, present)
        return true
    }

    /// Brings what waits up to date; answers the messages that were touched and are as they were known already.
    private func load(_ database: Database) throws(SQLiteError) -> Set<MessageID> {
        let (now, name) = (try OutboxRevision.current(in: database), try Meta.value("identity", database) ?? "")
        if name == identity, now == revision { return [] }
        let touched = name == identity ? try OutboxRevision.touched(after: revision, in: database) : nil
        var unchanged: Set<MessageID> = []
        if let touched {
            for message in touched {
                let operations = try OutboxView.operations(of: message, in: database)
                if operations == waiting[message] { unchanged.insert(message) } else { waiting[message] = operations }
            }
        } else {
            waiting = try OutboxView.all(in: database)
        }
        (identity, revision) = (name, now)
        return unchanged
    }

    private func stale(since mark: String?, _ database: Database) throws(SQLiteError) -> Stale {
        if mark == self.mark { return .nothing }
        guard let mark, mark.hasPrefix(identity + " "), let shown = Int64(mark.dropFirst(identity.utf8.count + 1)),
            let touched = try OutboxRevision.touched(after: shown, in: database)
        else { return .everything }
        return .messages(touched)
    }

    static let allSQL = "SELECT message_id, kind, created_at FROM operations ORDER BY sequence"
    static let messageSQL =
        "SELECT message_id, kind, created_at FROM operations WHERE message_id = ?1 ORDER BY sequence"

    private static func all(in database: Database) throws(SQLiteError) -> [MessageID: [Waiting]] {
        let row = try database.statement(allSQL)
        defer { row.reset() }
        var all: [MessageID: [Waiting]] = [:]
        while try row.step() {
            if let operation = waiting(row) { all[MessageID(row.text(0)), default: []].append(operation) }
        }
        return all
    }

    /// What waits for one message; `nil` when nothing does.
    private static func operations(
        of message: MessageID, in database: Database
    ) throws(SQLiteError) -> [Waiting]? {
        let row = try database.statement(messageSQL)
        row.bind(1, message.rawValue)
        defer { row.reset() }
        var operations: [Waiting] = []
        while try row.step() {
            if let operation = waiting(row) { operations.append(operation) }
        }
        return operations.isEmpty ? nil : operations
    }

    private static func waiting(_ row: Statement) -> Waiting? {
        OperationKind(name: row.text(1)).map { Waiting(kind: $0, createdAt: Timestamp(row.text(2))) }
    }
}
