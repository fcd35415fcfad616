package import MailFilter
package import MailModel
internal import SQLite

extension MailReader {
    /// Messages that a filter means, newest first, and whether there are more than the limit.
    ///
    /// Other reads get their turn while a long search goes on.
    /// - Throws: `StoreError`, or `CancellationError` when the task is cancelled.
    package func search(_ question: SearchQuestion) async throws -> (messages: [MessageSummary], hasMore: Bool) {
        var hits: [MessageSummary] = []
        try await walk(question) { hit in
            hits.append(hit.summary)
            return hits.count <= question.limit
        }
        return (Array(hits.prefix(question.limit)), hits.count > question.limit)
    }

    /// Conversations of a list that have a message which a filter means; each shows the newest such message.
    ///
    /// Unread counts are those of `scope`, also where the filter looks in other folders.
    /// - Throws: `StoreError`, or `CancellationError` when the task is cancelled.
    package func conversations(
        in scope: ListScope, _ question: SearchQuestion
    ) async throws -> (list: ConversationList, hasMore: Bool) {
        // Before the search, so that what comes meanwhile is not acted on unseen.
        let horizon = try horizon()
        var question = question
        question.folder = scope.folder
        question.mailbox = scope.mailboxID
        var hits: [SearchHit] = []
        var threads: Set<Int64> = []
        try await walk(question) { hit in
            if threads.insert(hit.thread).inserted { hits.append(hit) }
            return hits.count <= question.limit
        }
        let rows = try read { database in
            let list = ListCode.code(mailbox: try mailboxKey(scope.mailboxID, database), folder: scope.folder)
            return try hits.prefix(question.limit).map {
                try MailReader.conversation(
                    showing: $0.summary, key: $0.key, thread: $0.thread, list: list, in: database)
            }
        }
        return (ConversationList(rows: rows, horizon: horizon), hits.count > question.limit)
    }

    /// Calls `take` with each hit, newest first, until it answers `false`.
    private func walk(_ question: SearchQuestion, _ take: (SearchHit) -> Bool) async throws {
        var sources = try ask { database in
            try [HitSource(hits: MailReader.unindexed(question, in: database)[...], walk: nil)]
                + SearchWalk.all(question, in: database).map { HitSource(hits: [], walk: $0) }
        }
        // A message that changes meanwhile may be met twice.
        var seen: Set<Int64> = []
        while true {
            for place in sources.indices {
                while sources[place].isWaiting {
                    try Task.checkCancellation()
                    try ask { try sources[place].fill(limit: question.limit + 1, in: $0) }
                    await Task.yield()
                }
            }
            let places = sources.indices.filter { !sources[$0].hits.isEmpty }
            guard let place = places.min(by: { sources[$0].isAhead(of: sources[$1]) }) else { return }
            let hit = sources[place].hits.removeFirst()
            if seen.insert(hit.key).inserted, !take(hit) { return }
        }
    }

    /// Hits in order, and the walk that more come from.
    private struct HitSource {
        var hits: ArraySlice<SearchHit>
        var walk: SearchWalk?

        var isWaiting: Bool { hits.isEmpty && walk?.isOver == false }

        mutating func fill(limit: Int, in database: Database) throws(SQLiteError) {
            guard var next = walk else { return }
            walk = nil
            hits = try next.step(limit: limit, in: database).sorted(by: MailReader.isNewer)[...]
            walk = next
        }

        func isAhead(of other: HitSource) -> Bool {
            guard let left = hits.first, let right = other.hits.first else { return false }
            return MailReader.isNewer(left, right)
        }
    }

    /// Runs the statements that a question makes.
    ///
    /// That SQLite refuses one of these tells nothing of the cache, unless it refuses any question.
    private func ask<Result>(_ body: (Database) throws -> Result) throws -> Result {
        try read { database in
            do {
                return try body(database)
            } catch let error as SQLiteError where error.isStatement || error.isTooBig {
                try SearchWalk.check(in: database)
                _ = try database.singleStatement(MailReader.unindexedSQL)
                throw StoreError.question
            }
        }
    }

    private static func isNewer(_ left: SearchHit, _ right: SearchHit) -> Bool {
        isNewer(left.summary, right.summary)
    }

    /// Messages that are looked at although the index does not have them yet.
    private static let unindexedMax = 1_000

    /// Messages with all that a filter asks of them.
    private static func subjectSQL(_ source: String, _ rest: String) -> String {
        """
        SELECT \(MessageRow.columns("m", mailbox: "b", thread: "t")), m.thread_pk, m.pk, b.address, w.text_body,
            \(SearchCompiler.isAnswered)
        FROM \(source) CROSS JOIN threads t ON t.pk = m.thread_pk LEFT JOIN mailboxes b ON b.pk = m.mailbox_pk
        LEFT JOIN bodies w ON w.message_pk = m.pk
        WHERE \(rest)
        """
    }

    private static func subject(_ row: Statement) -> FilterSubject {
        let next = MessageRow.columnCount
        return FilterSubject(
            summary: MessageRow.summary(row), mailboxAddress: row.text(next + 2),
            bodyText: row.optionalText(next + 3), isAnswered: row.bool(next + 4))
    }

    static let unindexedSQL = subjectSQL(
        "search_queue q CROSS JOIN messages m ON m.pk = q.message_pk",
        """
        NOT EXISTS (SELECT 1 FROM search_docs d WHERE d.message_pk = q.message_pk)
        ORDER BY q.message_pk DESC LIMIT ?1
        """)
    private static let messageSQL = subjectSQL("messages m", "m.pk = ?1")

    /// Hits among messages that came since the index was last brought up to date, newest first.
    private static func unindexed(
        _ question: SearchQuestion, in database: Database
    ) throws(SQLiteError) -> [SearchHit] {
        // What asks for no words is found without the index.
        guard question.filter.asksForWords else { return [] }
        let row = try database.statement(unindexedSQL)
        row.bind(1, unindexedMax)
        defer { row.reset() }
        var hits: [SearchHit] = []
        while try row.step() {
            let subject = subject(row)
            guard question.covers(subject.summary), question.filter.matches(subject, question.clock) else { continue }
            hits.append(hit(row, subject))
        }
        return hits.sorted(by: isNewer)
    }

    private static func hit(_ row: Statement, _ subject: FilterSubject) -> SearchHit {
        SearchHit(
            summary: subject.summary, key: row.int(MessageRow.columnCount + 1),
            thread: row.int(MessageRow.columnCount))
    }

    /// Conversations of a list that have one of some messages, and how many of these are not here.
    ///
    /// Messages that the filter does not mean are left out.
    /// - Throws: `StoreError`.
    package func conversations(
        in scope: ListScope, of messages: [MessageSummary], fitting filter: Filter?, _ clock: FilterClock
    ) throws -> (rows: [ConversationRow], unknown: Int) {
        try read { database in
            let list = ListCode.code(mailbox: try mailboxKey(scope.mailboxID, database), folder: scope.folder)
            var rows: [ConversationRow] = []
            var unknown = 0
            var threads: Set<Int64> = []
            for message in messages {
                guard let key = try KeyLookup.key(of: message.id, in: database) else {
                    unknown += 1
                    continue
                }
                let row = try database.statement(MailReader.messageSQL)
                row.bind(1, key)
                defer { row.reset() }
                guard try row.step() else { continue }
                let subject = MailReader.subject(row)
                let hit = MailReader.hit(row, subject)
                guard filter?.matches(subject, clock) != false, threads.insert(hit.thread).inserted else { continue }
                rows.append(
                    try MailReader.conversation(
                        showing: hit.summary, key: hit.key, thread: hit.thread, list: list, in: database))
            }
            return (rows, unknown)
        }
    }

    /// How much of the mail a search can find.
    ///
    /// Counts by scanning indexes: milliseconds for each hundred thousand messages.
    /// - Throws: `StoreError`.
    package func searchCoverage() throws -> SearchCoverage {
        try read { database in
            let messages = Int(try database.scalar("SELECT count(*) FROM messages") ?? 0)
            // Each by an index of its own.
            let lacking = try ["< 2", "= 3", "= 4"].reduce(0) {
                $0 + Int(try database.scalar("SELECT count(*) FROM messages WHERE body_state \($1)") ?? 0)
            }
            let waiting = Int(try database.scalar("SELECT count(*) FROM search_queue") ?? 0)
            return SearchCoverage(messages: messages, bodies: messages - lacking, waiting: waiting)
        }
    }
}

extension SearchQuestion {
    /// Whether a message lies where it is looked for.
    fileprivate func covers(_ message: MessageSummary) -> Bool {
        if !filter.namesPlace {
            switch folder {
            case .starred: if message.starredAt == nil { return false }
            case .some(let folder): if message.folder != folder.rawValue { return false }
            case nil: if message.folder == Folder.trash.rawValue { return false }
            }
        }
        return mailbox == nil || filter.namesMailbox || message.mailboxID == mailbox
    }
}
