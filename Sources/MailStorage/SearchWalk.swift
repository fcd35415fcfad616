internal import DisplayText
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
/// The newest documents are looked at one by one: what is common is found among them at once, however common it is.
/// What is rare there is asked of the index, which then has few to tell. Without words that must be there, all
/// documents are looked at, from the newest on. Where every match is in a list of few conversations, these are looked
/// at alone.
struct SearchWalk {
    /// How the next documents are found.
    enum Way: Equatable {
        /// The messages of a list's conversations.
        case list(Int64)
        case newest
        case index(String)
        case all
    }

    private let question: SearchQuestion
    private let compiler: SearchCompiler
    private let condition: String
    private(set) var way: Way
    /// Documents from this one on have been looked at.
    private var end = Int64.max
    private(set) var isOver = false

    init(_ question: SearchQuestion, in database: Database) throws(SQLiteError) {
        self.question = question
        let mailboxes = try MailboxRows.all(in: database)
        (compiler, condition) = SearchWalk.compile(question, mailboxes)
        way = try SearchWalk.shortList(question, mailboxes, in: database).map { .list($0) } ?? .newest
    }

    /// The shortest list that has every match, when it is short.
    private static func shortList(
        _ question: SearchQuestion, _ mailboxes: [(key: Int64, mailbox: Mailbox)], in database: Database
    ) throws(SQLiteError) -> Int64? {
        let filter = question.filter
        let terms: [Filter] = if case .all(let filters) = filter { filters } else { [filter] }
        var folders = filter.namesPlace ? [] : [question.folder].compactMap(\.self)
        for term in terms {
            if case .place(.folder(let folder)) = term { folders.append(folder) }
            if case .mark(.starred) = term { folders.append(.starred) }
        }
        let mailbox = filter.namesMailbox ? nil : question.mailbox
        let key = mailbox.map { id in mailboxes.first { $0.mailbox.id == id }?.key ?? -1 } ?? 0
        var shortest: (code: Int64, total: Int64)?
        for folder in folders where folder != .drafts {
            let code = ListCode.code(mailbox: key, folder: folder)
            let row = try database.statement("SELECT total FROM counts WHERE list = ?1")
            row.bind(1, code)
            defer { row.reset() }
            let total = try row.step() ? row.int(0) : 0
            if total <= min(question.reach.list, shortest?.total ?? .max) { shortest = (code, total) }
        }
        return shortest?.code
    }

    /// The question as a condition; the first three parameters are those of the walk.
    static func compile(
        _ question: SearchQuestion, _ mailboxes: [(key: Int64, mailbox: Mailbox)]
    ) -> (SearchCompiler, String) {
        var compiler = SearchCompiler(question.clock, mailboxes: mailboxes, firstParameter: 4)
        var conditions = ["(" + compiler.condition(question.filter) + ")"]
        if !question.filter.namesPlace {
            let folder = question.folder.map { compiler.place($0) }
            conditions.append(folder ?? "m.folder <> \(compiler.bind(.text(Folder.trash.rawValue)))")
        }
        if let id = question.mailbox, !question.filter.namesMailbox {
            let key = mailboxes.first { $0.mailbox.id == id }?.key ?? -1
            conditions.append("m.mailbox_pk = \(compiler.bind(.number(key)))")
        }
        return (compiler, conditions.joined(separator: " AND "))
    }

    /// The next hits, newest first, at most `limit`; `isOver` then tells whether there can be more.
    mutating func step(limit: Int, in database: Database) throws(SQLiteError) -> [SearchHit] {
        let start: Int64
        switch way {
        case .list(let code): start = code
        case .newest: start = try floor(question.reach.newest, in: database)
        case .index: start = .min
        case .all: start = try floor(question.reach.step, in: database)
        }
        let row = try database.singleStatement(
            SearchWalk.sql(way, condition, readsBodies: compiler.readsBodies, last: 4 + compiler.values.count))
        row.bind(1, start)
        row.bind(2, end)
        row.bind(3, limit)
        row.bind(compiler.values, from: 4)
        if let expression = way.expression { row.bind(Int32(4 + compiler.values.count), expression) }
        var hits: [SearchHit] = []
        while try row.step() {
            hits.append(
                SearchHit(
                    summary: MessageRow.summary(row), key: row.int(MessageRow.columnCount + 1),
                    thread: row.int(MessageRow.columnCount)))
            end = row.int(MessageRow.columnCount + 2)
        }
        if hits.count < limit {
            if case .list = way { isOver = true } else { (end, isOver) = (start, start == .min) }
            if way == .newest { way = SearchCompiler.expression(question.filter).map { .index($0) } ?? .all }
        }
        return hits
    }

    /// The document so many before the end of what is left; the least number when there are fewer.
    private func floor(_ count: Int64, in database: Database) throws(SQLiteError) -> Int64 {
        let row = try database.statement(SearchWalk.floorSQL)
        row.bind(1, end)
        row.bind(2, count)
        defer { row.reset() }
        return try row.step() ? row.int(0) : .min
    }

    static let floorSQL = "SELECT docid FROM search_docs WHERE docid < ?1 ORDER BY docid DESC LIMIT 1 OFFSET ?2"

    /// The statement of a step; `last` is the parameter of an index's expression.
    static func sql(_ way: Way, _ condition: String, readsBodies: Bool, last: Int) -> String {
        let source: String
        var order = "d.docid"
        var bounds = "d.docid >= ?1 AND d.docid < ?2"
        switch way {
        case .list:
            source = """
                listings l CROSS JOIN messages m ON m.thread_pk = l.thread_pk
                CROSS JOIN search_docs d ON d.message_pk = m.pk
                """
            bounds = "l.list = ?1 AND d.docid < ?2"
        case .newest, .all: source = "search_docs d CROSS JOIN messages m ON m.pk = d.message_pk"
        case .index:
            source = """
                search_index CROSS JOIN search_docs d ON d.docid = search_index.rowid
                CROSS JOIN messages m ON m.pk = d.message_pk
                """
            order = "search_index.rowid"
            bounds = "search_index MATCH ?\(last) AND \(order) >= ?1 AND \(order) < ?2"
        }
        return """
            SELECT \(MessageRow.columns("m", mailbox: "b", thread: "t")), m.thread_pk, m.pk, d.docid
            FROM \(source) CROSS JOIN threads t ON t.pk = m.thread_pk LEFT JOIN mailboxes b ON b.pk = m.mailbox_pk
            \(readsBodies ? "LEFT JOIN search_bodies w ON w.docid = d.docid" : "")
            WHERE \(bounds) AND \(condition) ORDER BY \(order) DESC LIMIT ?3
            """
    }
}

extension SearchWalk.Way {
    /// What the index is asked for.
    var expression: String? {
        if case .index(let expression) = self { return expression }
        return nil
    }
}
