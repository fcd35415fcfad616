package import MailModel
internal import SQLite

/// A conversation list, and what tells its messages from those that come later.
package struct ConversationList: Sendable, Hashable {
    package var rows: [ConversationRow]
    /// For `TriageRequest.Targets.conversations`.
    package var horizon: Int64

    package init(rows: [ConversationRow], horizon: Int64) {
        self.rows = rows
        self.horizon = horizon
    }
}

/// What of a request may be queued.
package struct PermittedOperations: Sendable, Hashable {
    package var operations: [NewOperation] = []
    /// Messages left out since their mailbox may only be read.
    package var readOnly: [MessageID] = []

    init() {}
}

extension MailReader {
    /// Conversations of a list as `conversations`, with their horizon, both of one moment.
    ///
    /// - Throws: `StoreError`.
    package func conversationList(
        in scope: ListScope, order: ListOrder = .shown, limit: Int
    ) throws -> ConversationList {
        try atOnce { database in
            ConversationList(
                rows: try conversations(in: scope, order: order, limit: limit),
                horizon: try ListHorizon.current(in: database).number)
        }
    }

    /// The horizon of lists that are read after this; see `ConversationList`.
    ///
    /// - Throws: `StoreError`.
    package func horizon() throws -> Int64 { try read { try ListHorizon.current(in: $0).number } }

    /// The messages that a request is about, as they are shown, each once.
    ///
    /// Messages that are gone are left out, and those that a list did not show when it was read: of another folder or
    /// mailbox by now, or newer. A list of a cache that was replaced since has none.
    /// - Throws: `StoreError`.
    package func targets(of request: TriageRequest) throws -> [MessageSummary] {
        try atOnce { database in
            switch request.targets {
            case .messages(let ids): return try MailReader.messages(ids, in: database)
            case .conversations(let threads, let scope, let horizon):
                return try messages(of: threads, in: scope, ListHorizon(horizon), database)
            }
        }
    }

    /// What is to be queued for a request; see `targets`.
    ///
    /// Mail of a mailbox that may only be read takes marks of reading and nothing else (contract §3.2).
    /// - Throws: `StoreError`.
    package func operations(for request: TriageRequest) throws -> PermittedOperations {
        let targets = try targets(of: request)
        var closed: Set<MailboxID> = []
        if request.action.aspect != .reading {
            closed = Set(try mailboxes().filter { $0.accessLevel == .read }.map(\.id))
        }
        var found = PermittedOperations()
        for message in targets {
            if let mailbox = message.mailboxID, closed.contains(mailbox) {
                found.readOnly.append(message.id)
            } else {
                found.operations.append(
                    NewOperation(request.action, on: message, precondition: request.precondition))
            }
        }
        return found
    }

    private static func messages(_ ids: [MessageID], in database: Database) throws(SQLiteError) -> [MessageSummary] {
        let lookup = try KeyLookup(table: "messages", in: database)
        let keys: [MessageID: Int64] = try lookup.keys(ofHashes: ids.map { SortKey.hash($0) })
        var met: Set<MessageID> = []
        var messages: [MessageSummary] = []
        for id in ids where met.insert(id).inserted {
            if let key = keys[id], let stored = try StoredMessage(key, in: database) { messages.append(stored.summary) }
        }
        return messages
    }

    private func messages(
        of threads: [ThreadID], in scope: ListScope, _ horizon: ListHorizon, _ database: Database
    ) throws(SQLiteError) -> [MessageSummary] {
        guard horizon.epoch == (try ListHorizon.current(in: database).epoch) else { return [] }
        let mailbox = try mailboxKey(scope.mailboxID, database)
        let lookup = try KeyLookup(table: "threads", in: database)
        let keys: [ThreadID: Int64] = try lookup.keys(ofHashes: threads.map { SortKey.hash($0) })
        var met: Set<ThreadID> = []
        var messages: [MessageSummary] = []
        for thread in threads where met.insert(thread).inserted {
            guard let key = keys[thread] else { continue }
            for member in try ThreadMembers.load(key, in: database).all
            where member.pk <= horizon.key && member.state.isIn(folder: ListCode.number(scope.folder))
                && (mailbox == 0 || mailbox == member.mailbox)
            {
                if let stored = try StoredMessage(member.pk, in: database) { messages.append(stored.summary) }
            }
        }
        return messages
    }
}

/// The newest message there was when a list was read, of the cache that it was read from.
struct ListHorizon: Hashable {
    /// Tells one cache file from another, whose messages have other keys.
    var epoch: Int64
    /// The greatest key of a message.
    var key: Int64

    private static let keyBits: Int64 = 47
    private static let keyMask: Int64 = (1 << keyBits) - 1
    private static let epochKey = "epoch"
    /// The greatest key that a message ever had, noted when that message went.
    private static let floorKey = "key_floor"

    /// A horizon as one number, which nobody else looks into.
    init(_ number: Int64) {
        epoch = number >> ListHorizon.keyBits
        key = number & ListHorizon.keyMask
    }

    private init(epoch: Int64, key: Int64) {
        self.epoch = epoch
        self.key = key
    }

    var number: Int64 { epoch << ListHorizon.keyBits | key }

    static func current(in database: Database) throws(SQLiteError) -> ListHorizon {
        ListHorizon(
            epoch: try Meta.number(epochKey, database) ?? 0,
            key: try database.scalar("SELECT max(pk) FROM messages") ?? 0)
    }

    /// Marks a new cache, by random bytes.
    static func mark(_ database: Database, _ random: [UInt8]) throws(SQLiteError) {
        let epoch = random.prefix(2).reduce(0) { $0 << 8 | Int64($1) } & 0x7FFF
        try Meta.set(epochKey, String(epoch), database)
    }

    /// Notes that a message goes, so that no later one gets its key and passes for one that a list showed.
    static func leaves(_ key: Int64, in database: Database) throws(SQLiteError) {
        guard try database.scalar("SELECT max(pk) FROM messages") == key else { return }
        if try Meta.number(floorKey, database) ?? 0 < key { try Meta.set(floorKey, String(key), database) }
    }

    /// The key of the next new message; `nil` when SQLite's own choice is right.
    static func next(in database: Database) throws(SQLiteError) -> Int64? {
        guard let floor = try Meta.number(floorKey, database) else { return nil }
        try Meta.set(floorKey, nil, database)
        let greatest = try database.scalar("SELECT max(pk) FROM messages") ?? 0
        return greatest > floor ? nil : floor + 1
    }
}
