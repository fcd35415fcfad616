internal import MailFilter
internal import MailModel
internal import SQLite

/// A message that a search found.
struct SearchHit {
    let summary: MessageSummary
    let key: Int64
    let thread: Int64
}

/// One search, done in steps that each take a short while.
///
/// Of the messages that the plan leaves, the newest are looked at one by one: what is common is found there at once,
/// however common it is. Words that are rare there are asked of the index, which then has few to tell. Without words
/// that must be there, all that the plan leaves are looked at. Of a beginning that is too long for the index's lists it
/// is first found out whether few messages have its first letters together with the other words: these are asked for.
struct SearchWalk {
    /// How the next messages are found.
    private enum Way {
        case plan(SearchCandidates, isAll: Bool)
        /// With only so many of the ways to cut beginnings not tried yet.
        case cuts(ArraySlice<SearchExpression.Cut>)
        case index(String)
    }

    private let reach: SearchReach
    private let compiler: SearchCompiler
    private let condition: String
    private let needs: SearchNeeds
    /// The numbers that documents of matches not met yet can have.
    private var documents: Range<Int64>
    private var way: Way
    /// Messages after this instant have been looked at.
    private var end = Int64.max
    /// Messages looked at one by one.
    private var count = 0
    private(set) var isOver = false

    /// The walks that together have all hits; one may be met by several of them.
    static func all(_ question: SearchQuestion, in database: Database) throws(SQLiteError) -> [SearchWalk] {
        var walks: [SearchWalk] = []
        for filter in question.filterWithPlace.alternatives {
            let plan = try SearchPlan(filter, mailbox: question.onlyMailbox, question.clock, in: database)
            let compiled = compile(
                filter, mailbox: question.onlyMailbox, question.clock, try MailboxRows.all(in: database))
            func walk(
                _ candidates: SearchCandidates, _ needs: SearchNeeds = SearchNeeds(), _ documents: Range<Int64> = 0..<0
            ) {
                walks.append(SearchWalk(question.reach, compiled, candidates, needs, documents))
            }
            if let short = try plan.shortSpan(question.reach.span, in: database) {
                walk(SearchCandidates(short))
                continue
            }
            if !plan.open.isEmpty { walk(try SearchCandidates(plan.open, in: database)) }
            if !plan.needs.isEmpty {
                let oldest = plan.worded.map(\.bounds.oldest).min() ?? .min
                let newest = plan.worded.map(\.bounds.newest).max() ?? .max
                let first = SearchDocuments.firstNumber(oldest)
                let end = max(first, try SearchDocuments.endNumber(newest, in: database))
                walk(try SearchCandidates(plan.worded, in: database), plan.needs, first..<end)
            }
        }
        return walks
    }

    private init(
        _ reach: SearchReach, _ compiled: (SearchCompiler, String), _ candidates: SearchCandidates,
        _ needs: SearchNeeds, _ documents: Range<Int64>
    ) {
        self.reach = reach
        (compiler, condition) = compiled
        self.needs = needs
        self.documents = documents
        way = .plan(candidates, isAll: needs.isEmpty)
    }

    /// A filter as a condition; the first five parameters are those of the walk.
    static func compile(
        _ filter: Filter, mailbox: MailboxID?, _ clock: FilterClock, _ mailboxes: [(key: Int64, mailbox: Mailbox)]
    ) -> (SearchCompiler, String) {
        var compiler = SearchCompiler(clock, mailboxes: mailboxes, firstParameter: 6)
        let condition = "(" + compiler.condition(filter) + ")"
        guard let mailbox else { return (compiler, condition) }
        let key = mailboxes.first { $0.mailbox.id == mailbox }?.key ?? -1
        let place = compiler.bind(.number(key))
        return (compiler, condition + " AND m.mailbox_pk = \(place)")
    }

    /// The next hits, newest first, at most `limit`; `isOver` then tells whether there can be more.
    mutating func step(limit: Int, in database: Database) throws(SQLiteError) -> [SearchHit] {
        switch way {
        case .plan(var candidates, let isAll):
            // Two owners would copy what is left at each step.
            way = .cuts(cuts[...])
            let hits = try look(at: &candidates, limit: limit, isAll: isAll, in: database)
            if !isOver, isAll || count < reach.newest { way = .plan(candidates, isAll: isAll) }
            return hits
        case .cuts(let rest):
            let text = needs.text(rest.first ?? .none)
            let isFound = rest.isEmpty ? true : try haveFew(text, in: database)
            way = isFound ? .index(text) : .cuts(rest.dropFirst())
            return []
        case .index(let text): return try askIndex(text, limit: limit, in: database)
        }
    }

    /// Beginnings that are each tried uncut beside the others.
    private static let beginningsMax = 3

    /// The ways to cut long beginnings that are tried before the index is asked for all of them; none without any.
    private var cuts: [SearchExpression.Cut] {
        let beginnings = needs.beginnings.prefix(SearchWalk.beginningsMax)
        if beginnings.isEmpty { return [] }
        return [.all] + (needs.beginnings.count == 1 ? [] : beginnings.map { .allBut($0) })
    }

    /// Whether only few documents have some words; then nothing is looked for beside them.
    private mutating func haveFew(_ text: String, in database: Database) throws(SQLiteError) -> Bool {
        let row = try database.statement(SearchWalk.fewSQL)
        row.bind(1, text)
        row.bind(2, documents.lowerBound)
        row.bind(3, documents.upperBound)
        row.bind(4, reach.few + 1)
        defer { row.reset() }
        var count = 0
        var found: Range<Int64>?
        while try row.step() {
            count += 1
            let document = row.int(0)
            found = document..<(found?.upperBound ?? document + 1)
        }
        guard count <= reach.few else { return false }
        documents = found ?? documents.lowerBound..<documents.lowerBound
        return true
    }

    /// Looks at some messages one by one.
    private mutating func look(
        at candidates: inout SearchCandidates, limit: Int, isAll: Bool, in database: Database
    ) throws(SQLiteError) -> [SearchHit] {
        let row = try database.singleStatement(SearchWalk.messageSQL(condition, compiler))
        row.bind(compiler.values, from: 6)
        var hits: [SearchHit] = []
        var rest = isAll ? reach.step : min(reach.step, reach.newest - count)
        while hits.count < limit, rest > 0 {
            guard let next = try candidates.next(in: database) else {
                isOver = true
                return hits
            }
            (rest, count, end) = (rest - 1, count + 1, next.activityKey)
            row.bind(1, next.key)
            if try row.step() { hits.append(SearchWalk.hit(row)) }
            row.rewind()
        }
        return hits
    }

    /// Asks the index for what was not looked at.
    private mutating func askIndex(
        _ text: String, limit: Int, in database: Database
    ) throws(SQLiteError) -> [SearchHit] {
        let row = try database.singleStatement(SearchWalk.indexSQL(condition, compiler))
        row.bind(1, text)
        row.bind(2, documents.lowerBound)
        row.bind(3, documents.upperBound)
        row.bind(4, end)
        row.bind(5, limit)
        row.bind(compiler.values, from: 6)
        var hits: [SearchHit] = []
        while try row.step() {
            hits.append(SearchWalk.hit(row))
            documents = documents.lowerBound..<max(documents.lowerBound, row.int(MessageRow.columnCount + 2))
        }
        isOver = hits.count < limit
        return hits
    }

    /// Compiles what every question asks.
    ///
    /// - Throws: `SQLiteError` when the cache's tables are not what they should be.
    static func check(in database: Database) throws(SQLiteError) {
        let clock = FilterClock(nowMilliseconds: 0, zone: ZoneOffsets(fixed: 0))
        let (compiler, condition) = compile(.words(.anywhere, Filter.Words("a")), mailbox: nil, clock, [])
        for sql in [messageSQL(condition, compiler), fewSQL, indexSQL(condition, compiler)] {
            _ = try database.singleStatement(sql)
        }
    }

    private static func hit(_ row: Statement) -> SearchHit {
        SearchHit(
            summary: MessageRow.summary(row), key: row.int(MessageRow.columnCount + 1),
            thread: row.int(MessageRow.columnCount))
    }

    /// A message by its key, if it is a hit.
    static func messageSQL(_ condition: String, _ compiler: SearchCompiler) -> String {
        // The words first: most of what is looked at has others.
        let source =
            compiler.readsWords ? "search_docs d CROSS JOIN messages m ON m.pk = d.message_pk" : "messages m"
        return """
            SELECT \(MessageRow.columns("m", mailbox: "b", thread: "t")), m.thread_pk, m.pk
            FROM \(source) \(joins(compiler))
            WHERE \(compiler.readsWords ? "d.message_pk" : "m.pk") = ?1 AND \(condition)
            """
    }

    /// Documents that the index tells, up to a count.
    static let fewSQL = """
        SELECT rowid FROM search_index WHERE search_index MATCH ?1 AND rowid >= ?2 AND rowid < ?3
        ORDER BY rowid DESC LIMIT ?4
        """

    /// Hits among the documents that the index tells, newest first.
    static func indexSQL(_ condition: String, _ compiler: SearchCompiler) -> String {
        """
        SELECT \(MessageRow.columns("m", mailbox: "b", thread: "t")), m.thread_pk, m.pk, d.docid
        FROM search_index CROSS JOIN search_docs d ON d.docid = search_index.rowid
        CROSS JOIN messages m ON m.pk = d.message_pk \(joins(compiler))
        WHERE search_index MATCH ?1 AND search_index.rowid >= ?2 AND search_index.rowid < ?3 AND m.activity_key <= ?4
            AND \(condition)
        ORDER BY search_index.rowid DESC LIMIT ?5
        """
    }

    private static func joins(_ compiler: SearchCompiler) -> String {
        """
        CROSS JOIN threads t ON t.pk = m.thread_pk LEFT JOIN mailboxes b ON b.pk = m.mailbox_pk
        \(compiler.readsBodies ? "LEFT JOIN search_bodies w ON w.docid = d.docid" : "")
        """
    }
}
