import FilterTestSupport
import MailFilter
import MailModel
import MailTestSupport
import SQLite
import Testing

@testable import MailStorage

private let clock = FilterClock(nowMilliseconds: 1_750_000_000_000, zone: ZoneOffsets(fixed: 7_200))

/// The text of a body, as the program reads it.
private func plain(_ text: String, _ html: MessageHTML?) -> String { text.isEmpty ? html?.html ?? "" : text }

extension Bench {
    fileprivate func index() async throws { while try await store.indexSome(messagesMax: 7, text: plain) {} }

    fileprivate func found(_ filter: Filter, folder: Folder? = nil, limit: Int = 1_000) async throws -> [String] {
        let question = SearchQuestion(filter, folder: folder, clock: clock, limit: limit)
        return try await reader().search(question).messages.map(\.id.rawValue)
    }

    fileprivate func found(_ text: String, folder: Folder? = nil, limit: Int = 1_000) async throws -> [String] {
        try await found(FilterParser.parse(text), folder: folder, limit: limit)
    }

    fileprivate func detail(_ summary: MessageSummary, text: String, html: Bool = false) -> MessageDetail {
        MessageDetail(
            summary: summary, cc: [], bcc: [], deliveredToAddress: nil, textBody: text, htmlAvailable: html,
            internetMessageID: nil, inReplyTo: nil, references: [], attachments: [])
    }
}

/// A mail made from few words.
private func mail(_ number: Int, _ numbers: inout SeededNumbers) -> MessageSummary {
    func words(_ count: Int) -> String {
        (0..<numbers.below(count + 1)).map { _ in FilterTrees.words[numbers.below(FilterTrees.words.count)] }
            .joined(separator: " ")
    }
    let folders = ["inbox", "sent", "archived", "trash", "catchall"]
    var mail = message(
        "m\(number)", thread: "t\(numbers.below(12))", folder: folders[numbers.below(5)],
        mailbox: numbers.percent(20) ? nil : ["a", "b"][numbers.below(2)], at: -number * 90_000,
        read: numbers.percent(50), starred: numbers.percent(20), subject: words(3))
    mail.snippet = words(4)
    mail.fromAddress = numbers.percent(50) ? "ann@x.example" : "report@日本.example"
    mail.to = numbers.percent(50) ? ["a@x.example", "anna@y.example"] : []
    mail.hasAttachments = numbers.percent(30)
    mail.createdAt = instant(-numbers.below(5_000_000))
    return mail
}

/// Fails when SQL and the plain reading of a filter mean different messages, or the index misses one.
@Test(arguments: 0..<12)
func `random filters find in the cache what they mean`(_ seed: UInt64) async throws {
    let bench = try Bench()
    var numbers = SeededNumbers(seed: seed &* 7_919)
    let mails = (0..<60).map { mail($0, &numbers) }
    _ = try await bench.store.replaceMailboxes([mailbox("a"), mailbox("b")])
    for mail in mails { try await bench.put(mail) }
    var texts: [MessageID: String] = [:]
    for mail in mails where numbers.percent(50) {
        texts[mail.id] = FilterTrees.words[numbers.below(FilterTrees.words.count)] + " body"
        try await bench.store.commitDetails([bench.detail(mail, text: texts[mail.id] ?? "")])
    }
    // Some are in the index and some are not yet.
    if seed % 3 > 0 {
        try await bench.index()
    } else {
        _ = try await bench.store.indexSome(messagesMax: 20, text: plain)
    }
    var trees = FilterTrees(seed: seed)
    let reader = try bench.reader()
    for _ in 0..<50 {
        let filter = trees.filter()
        guard (try? FilterParser.parse(filter.text)) != nil else { continue }
        var question = SearchQuestion(filter, clock: clock, limit: 1_000)
        if trees.numbers.percent(30) { question.folder = Folder.allCases[trees.numbers.below(7)] }
        if trees.numbers.percent(30) { question.mailbox = MailboxID(["a", "b"][trees.numbers.below(2)]) }
        let isHere = { (mail: MessageSummary) in
            let place = question.folder.map { Filter.place(.folder($0)) } ?? .not(.place(.folder(.trash)))
            let subject = FilterSubject(summary: mail, mailboxAddress: "", bodyText: nil, isAnswered: false)
            return (filter.namesPlace || place.matches(subject, clock))
                && (filter.namesMailbox || question.mailbox == nil || mail.mailboxID == question.mailbox)
        }
        let meant = mails.filter { mail in
            let isAnswered = mails.contains {
                $0.threadID == mail.threadID && $0.direction == .outbound && $0.activityAt > mail.activityAt
            }
            let subject = FilterSubject(
                summary: mail, mailboxAddress: mail.mailboxID.map { $0.rawValue + "@x.example" } ?? "",
                bodyText: texts[mail.id], isAnswered: isAnswered)
            return isHere(mail) && filter.matches(subject, clock)
        }
        // Sixty messages are looked at in every way.
        if trees.numbers.percent(70) {
            let few = [0, 6, 60][trees.numbers.below(3)]
            question.reach = SearchReach(newest: 5, step: 7, span: 4, few: few)
        }
        if trees.numbers.percent(30) { question.limit = 60 + trees.numbers.below(2) }
        #expect(try await reader.search(question).messages.map(\.id) == meant.map(\.id), "\(filter.text)")
    }
    try await bench.index()
    #expect(try await bench.store.searchFaults(text: plain) == [])
}

/// Fails when a change of a message leaves its old words in the index or its new ones out.
@Test func `the index follows changes, removals and texts`() async throws {
    let bench = try Bench()
    var first = message("m1", at: 1, subject: "First report")
    try await bench.put(first, message("m2", at: 2, subject: "Second report"))
    try await bench.index()
    #expect(try await bench.found("report") == ["m2", "m1"])

    first.subject = "Changed"
    try await bench.put(first)
    _ = try await bench.store.commitChanges([.delete(MessageID("m2"))], cursor: "x")
    #expect(try await bench.found("second") == [])
    try await bench.store.commitDetails([bench.detail(first, text: "", html: true)])
    let html = MessageHTML(
        html: "wanted", quotedHTML: nil, afterQuotedHTML: nil, hasRemoteImages: false, remoteMediaTrusted: false)
    try await bench.store.commitHTML(html, for: first.id)
    try await bench.index()

    #expect(try await bench.found("report") == [])
    #expect(try await bench.found("changed") == ["m1"])
    #expect(try await bench.found("body:wanted") == ["m1"])
    #expect(try await bench.store.searchFaults(text: plain) == [])
}

/// Fails when words that were read before a change are taken for those after it.
@Test func `a change while words are read is read again`() async throws {
    let bench = try Bench()
    try await bench.put(message("m1", subject: "Old"))
    let work = try await bench.store.searchWork()
    try await bench.put(message("m1", subject: "New"))

    _ = try await bench.store.commitSearch(work.map { $0.words(plain) })
    #expect(try await bench.store.searchWork().count == 1)
    try await bench.index()

    #expect(try await bench.found("old") == [])
    #expect(try await bench.found("new") == ["m1"])
}

/// Fails when mail of a mailbox that is gone stays in the index.
@Test func `a purge takes the words along`() async throws {
    let bench = try Bench()
    _ = try await bench.store.replaceMailboxes([mailbox("a"), mailbox("b")])
    try await bench.put(message("m1", mailbox: "a"), message("m2", mailbox: "b"))
    try await bench.index()
    _ = try await bench.store.replaceMailboxes([mailbox("a")])
    #expect(try await bench.found("words") == ["m1"])
    try await bench.index()
    #expect(try await bench.store.searchFaults(text: plain) == [])
}

/// Fails when many messages of one second cannot all be kept, or the newest are not first.
@Test func `messages of one second are all found`() async throws {
    let bench = try Bench()
    let mails = (0..<200).map { message("m\($0)", at: 5) }
    _ = try await bench.store.commitChanges(mails.map { .upsert($0) } + [.upsert(message("new", at: 6))], cursor: "x")
    try await bench.index()
    let found = try await bench.found("subj", limit: 500)
    #expect(found.count == 201 && found.first == "new")
}

/// Fails when a list's filter leaves its folder without being told to, or shows a conversation twice.
@Test func `a list is filtered by conversations`() async throws {
    let bench = try Bench()
    _ = try await bench.store.replaceMailboxes([mailbox("a")])
    try await bench.put(
        message("m1", thread: "t1", at: 1, subject: "report"), message("m2", thread: "t1", at: 2, subject: "report"),
        message("m3", thread: "t1", at: 3, subject: "other"), message("m4", folder: "sent", at: 4, subject: "report"))
    try await bench.index()
    func shown(_ text: String) async throws -> [String] {
        let question = SearchQuestion(try FilterParser.parse(text), clock: clock, limit: 10)
        return try await bench.reader().conversations(in: ListScope(folder: .inbox), question).list.rows
            .map(\.shown.id.rawValue)
    }

    #expect(try await shown("report") == ["m2"])
    #expect(try await shown("report in:anywhere") == ["m4", "m2"])
    #expect(try await shown("mailbox:a report") == ["m2"])
    #expect(try await shown("mailbox:b report") == [])
}

/// The steps by which SQLite answers a statement.
private func steps(_ sql: String, _ path: String) throws -> [String] {
    let row = try Database(path, mode: .readOnly).singleStatement("EXPLAIN QUERY PLAN " + sql)
    var steps: [String] = []
    while try row.step() { steps.append(row.text(3)) }
    return steps
}

/// Fails when a step of a search would sort or scan.
@Test(arguments: ["report", "is:unread", "from:ann body:x", "-a or in:sent", "is:unanswered older:3d"])
func `a search reads in the order of its answer`(_ text: String) throws {
    let bench = try Bench()
    let (compiler, condition) = SearchWalk.compile(try FilterParser.parse(text), mailbox: nil, clock, [])
    let message = try steps(SearchWalk.messageSQL(condition, compiler), bench.path)
    let key =
        compiler.readsWords
        ? "d USING INDEX search_docs_message_idx (message_pk=?)" : "m USING INTEGER PRIMARY KEY (rowid=?)"
    #expect(message.first == "SEARCH " + key, "\(message)")
    var all = [message]
    if compiler.readsWords {
        let index = try steps(SearchWalk.indexSQL(condition, compiler), bench.path)
        #expect(index.first?.contains("VIRTUAL TABLE") == true, "\(index)")
        all.append(Array(index.dropFirst()))
        let few = try steps(SearchWalk.fewSQL, bench.path)
        #expect(few.count == 1 && few.first?.contains("VIRTUAL TABLE") == true, "\(few)")
    }
    for steps in all { #expect(!steps.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") }, "\(steps)") }
}

/// Fails when the messages to be looked at are not told by an index alone.
@Test(arguments: [
    (
        SearchPlan.nextStateSQL,
        "SEARCH messages USING COVERING INDEX messages_group_idx (mailbox_pk=? AND state>?)"
    ),
    (SearchPlan.nextMailboxSQL, "SEARCH messages USING COVERING INDEX messages_group_idx (mailbox_pk>?)"),
    (
        SearchCandidates.sql,
        "SEARCH messages USING COVERING INDEX messages_group_idx"
            + " (mailbox_pk=? AND state=? AND activity_key>? AND activity_key<?)"
    ),
    (SearchPlan.cameSQL, "SEARCH messages USING INDEX messages_created_idx (created_at>? AND created_at<?)"),
])
func `what a search looks at is told by an index`(_ sql: String, _ plan: String) throws {
    let bench = try Bench()
    #expect(try steps(sql, bench.path) == [plan])
}

/// Fails when bringing the index up to date would read more than what waits.
@Test(arguments: [
    SearchDocuments.workSQL, SearchDocuments.documentSQL, SearchDocuments.goneSQL, SearchDocuments.insertionSQL,
])
func `the index is kept by keys`(_ sql: String) throws {
    let bench = try Bench()
    let steps = try steps(sql, bench.path)
    #expect(!steps.isEmpty && !steps.contains { $0.contains("TEMP B-TREE") }, "\(steps)")
    #expect(!steps.contains { $0.hasPrefix("SCAN") && $0 != "SCAN q" }, "\(steps)")
}

/// Fails when the index tells much that a filter does not mean, which is then looked at in vain.
@Test(arguments: [
    ("lamp", 2), ("lamp -ann", 0), ("lamp to:ann", 0), ("lamp from:ann", 1), ("to:anna", 0), ("from:ann -lamp", 0),
])
func `the index is asked for mail of the folder's direction`(_ text: String, _ documents: Int) async throws {
    let bench = try Bench()
    var received = message("m1", at: 1, subject: "Lamp")
    received.fromAddress = "ann@x.example"
    var sent = message("m2", folder: "sent", at: 2, subject: "Lamp")
    (sent.direction, sent.fromAddress, sent.to) = (.outbound, "info@y.example", ["ann@x.example"])
    try await bench.put(received, sent)
    try await bench.index()
    let expression = try #require(SearchExpression(FilterParser.parse(text), isSent: false))
    let database = try Database(bench.path, mode: .readOnly)
    let row = try database.statement("SELECT count(*) FROM search_index WHERE search_index MATCH ?1")
    row.bind(1, expression.text)
    let isRow = try row.step()
    #expect(isRow && row.int(0) == documents, "\(expression.text)")
    row.reset()
    withExtendedLifetime(database) {}
}
