internal import MailModel
internal import SQLite

/// Writes messages and what follows from them.
///
/// Used inside one transaction; `finish` must be called before it commits.
struct MessageWrites {
    let database: Database
    /// What is laid over what the server says.
    let outbox: OutboxView?
    private let generation: Int64
    private let lookup: KeyLookup
    private let insertion: Statement
    /// Whether new rows must be told to a re-listing, which would else take them for gone.
    private let isRelisting: Bool
    private(set) var counts = CommitCounts()
    private var threads: ThreadDerivation
    private var mailboxes: [MailboxID: Int64] = [:]
    private var texts = RowTexts()
    private let hasEchoes: Bool
    /// Whether the next new row might get the key of one that is gone.
    private var mayReuseKey = true
    private var change = StoreChange()
    /// Takes note of new mail; `nil` when what comes is no news.
    private var arrivals: ArrivalNotes?
    /// When the server stored the newest of the new rows.
    private var newest: Timestamp?

    /// Messages whose rows are looked for at once.
    private static let chunkMax = 100

    /// A bootstrap's messages are not named in the log.
    ///
    /// `isNews` has new unread mail noted for those who tell of it.
    init(
        database: Database, outbox: OutboxView?, isBootstrap: Bool = false, isNews: Bool = false
    ) throws(SQLiteError) {
        self.database = database
        self.outbox = outbox
        change.isBootstrap = isBootstrap
        if isBootstrap { change.messages = nil }
        generation = try Meta.number("generation", database) ?? 0
        lookup = try KeyLookup(table: "messages", in: database)
        insertion = try database.statement(MessageRow.insertSQL)
        threads = try ThreadDerivation(database: database)
        hasEchoes = try Echoes.exist(in: database)
        isRelisting = try Relistings.isRunning(in: database)
        arrivals = isNews ? try ArrivalNotes(in: database) : nil
    }

    /// Inserts or updates a message; an equal row is no change.
    mutating func upsert(_ message: MessageSummary) throws(SQLiteError) { try upsert([message]) }

    /// Inserts or updates messages in their order, as the server has them; what waits for one is replayed on it.
    mutating func upsert(_ messages: [MessageSummary]) throws(SQLiteError) {
        if !hasEchoes, outbox?.waiting.isEmpty ?? true { return try write(messages) }
        var (rows, laidOver) = (messages, [Int]())
        for place in messages.indices {
            guard let shown = try shown(messages[place]) else { continue }
            rows[place] = shown
            laidOver.append(place)
        }
        try write(rows)
        for place in laidOver {
            try ServerRows.keep(messages[place], in: database)
            try LostMessages.remove(messages[place].id, in: database)
        }
    }

    /// The message as it is shown when the server has it so; `nil` for exactly so.
    func shown(_ truth: MessageSummary) throws(SQLiteError) -> MessageSummary? {
        let echoed = hasEchoes ? try Echoes.laid(on: truth, in: database) : nil
        return outbox?.replayed(on: echoed ?? truth) ?? echoed
    }

    private mutating func write(_ messages: [MessageSummary]) throws(SQLiteError) {
        var start = 0
        var hashes: [Int64] = []
        var seen: Set<Int64> = []
        while start < messages.count {
            hashes.removeAll(keepingCapacity: true)
            seen.removeAll(keepingCapacity: true)
            while start + hashes.count < messages.count, hashes.count < MessageWrites.chunkMax {
                let hash = SortKey.hash(messages[start + hashes.count].id)
                // A message that comes twice begins a new chunk, so that its second form meets the first one's row.
                guard seen.insert(hash).inserted else { break }
                hashes.append(hash)
            }
            try write(messages, from: start, hashes)
            start += hashes.count
        }
    }

    /// Inserts or updates as many different messages as there are hashes of their identifiers.
    private mutating func write(
        _ messages: [MessageSummary], from start: Int, _ hashes: [Int64]
    ) throws(SQLiteError) {
        let keys: [MessageID: Int64] = try lookup.keys(ofHashes: hashes)
        var new: [Int] = []
        var changed: [(place: Int, stored: StoredMessage)] = []
        var threadIDs: [ThreadID] = []
        for place in hashes.indices {
            if !keys.isEmpty, let key = keys[messages[start + place].id],
                let stored = try StoredMessage(key, in: database)
            {
                if stored.summary == messages[start + place] {
                    if stored.generation != generation { try touch(key) }
                    continue
                }
                changed.append((place, stored))
                // Most changes leave a message in its thread, whose key its row knows.
                if stored.summary.threadID == messages[start + place].threadID { continue }
            } else {
                new.append(place)
            }
            threadIDs.append(messages[start + place].threadID)
        }
        try threads.prepare(threadIDs)
        for place in new { try insert(messages[start + place], hashes[place]) }
        for (place, stored) in changed { try update(messages[start + place], hashes[place], stored, generation) }
    }

    /// Removes a message and its body, and notes why when operations wait for it; an unknown one is fine.
    mutating func delete(_ id: MessageID, because reason: Verdict.Reason = .deleteWins) throws(SQLiteError) {
        if outbox?.waiting[id] != nil { try LostMessages.note(id, reason, in: database) }
        guard let key = try KeyLookup.key(of: id, in: database), let stored = try StoredMessage(key, in: database)
        else { return }
        let place = try threads.touch(stored.thread)
        try ListHorizon.leaves(key, in: database)
        mayReuseKey = true
        for table in [
            "messages WHERE pk", "bodies WHERE message_pk", "htmls WHERE message_pk",
            "server_rows WHERE message_pk",
        ] {
            let statement = try database.statement("DELETE FROM \(table) = ?1")
            statement.bind(1, key)
            try statement.run()
        }
        if hasEchoes { try Echoes.remove(id, in: database) }
        threads.remove(key, at: place)
        counts.deleted += 1
        if isNamed { note(\.deleted, id, [stored.summary.threadID]) }
    }

    /// Brings conversations, lists and counts up to date and notes the change in the log.
    mutating func finish() throws(SQLiteError) {
        try threads.finish()
        try arrivals?.finish()
        if let newest { try Arrivals.met(newest, in: database) }
        if counts != CommitCounts() { try CommitLog.append(change, in: database) }
    }

    /// Whether the log names messages one by one.
    private var isNamed: Bool { change.messages != nil }

    private mutating func note(
        _ kind: WritableKeyPath<StoreChange.Messages, Set<MessageID>>, _ id: MessageID, _ threads: [ThreadID]
    ) {
        change.messages?[keyPath: kind].insert(id)
        for thread in threads { change.messages?.threads.insert(thread) }
        if counts.inserted + counts.updated + counts.deleted > CommitLog.namesMax { change.messages = nil }
    }

    private mutating func insert(_ message: MessageSummary, _ hash: Int64) throws(SQLiteError) {
        guard let place = threads.place(of: message.threadID) else { return }
        var facts = try facts(message, pk: 0, hash, place)
        if mayReuseKey { facts.member.pk = try ListHorizon.next(in: database) ?? 0 }
        mayReuseKey = false
        MessageRow.bind(message, facts, to: insertion, &texts)
        try insertion.run(&texts)
        facts.member.pk = database.lastInsertedRowID
        if isRelisting { try Relistings.markSeen(key: facts.member.pk, in: database) }
        threads.add(facts.member, at: place)
        counts.inserted += 1
        newest = max(newest ?? message.createdAt, message.createdAt)
        if try arrivals?.note(message) == true { change.news.insert(message.mailboxID) }
        if isNamed { note(\.inserted, message.id, [message.threadID]) }
    }

    /// Writes a row as it is to be shown; an equal one is no change.
    mutating func rewrite(_ stored: StoredMessage, as shown: MessageSummary) throws(SQLiteError) {
        if stored.summary != shown { try update(shown, SortKey.hash(shown.id), stored, stored.generation) }
    }

    private mutating func update(
        _ message: MessageSummary, _ hash: Int64, _ stored: StoredMessage, _ generation: Int64
    ) throws(SQLiteError) {
        let former = try threads.touch(stored.thread)
        let stays = stored.summary.threadID == message.threadID
        guard let place = stays ? former : threads.place(of: message.threadID) else { return }
        var facts = try facts(message, pk: stored.member.pk, hash, place)
        facts.generation = generation
        let extent = stored.extent(of: message)
        let statement = try database.statement(extent.sql)
        MessageRow.bind(message, facts, to: statement, &texts, extent)
        try statement.run(&texts)
        threads.remove(facts.member.pk, at: former)
        threads.add(facts.member, at: place)
        counts.updated += 1
        if isNamed { note(\.updated, message.id, [message.threadID, stored.summary.threadID]) }
    }

    private mutating func facts(
        _ message: MessageSummary, pk: Int64, _ hash: Int64, _ place: Int
    ) throws(SQLiteError) -> MessageRow.Facts {
        let key = SortKey.of(message.activityAt)
        let member = ThreadMember(
            pk: pk, key: key, mailbox: try mailboxKey(message.mailboxID), state: MessageState(message, key: key))
        return MessageRow.Facts(
            member: member, thread: threads.key(at: place), idHash: hash, generation: generation)
    }

    /// Marks an unchanged row as seen by the running bootstrap.
    private func touch(_ pk: Int64) throws(SQLiteError) {
        let statement = try database.statement("UPDATE messages SET generation = ?2 WHERE pk = ?1")
        statement.bind(1, pk)
        statement.bind(2, generation)
        try statement.run()
    }

    /// The key of a mailbox; one that the mailbox list has not named yet gets a row without access.
    private mutating func mailboxKey(_ id: MailboxID?) throws(SQLiteError) -> Int64 {
        guard let id else { return 0 }
        if let key = mailboxes[id] { return key }
        let key = try MailboxRows.key(of: id, in: database)
        mailboxes[id] = key
        return key
    }
}
