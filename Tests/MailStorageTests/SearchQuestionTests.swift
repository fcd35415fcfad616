import FilterTestSupport
import MailFilter
import MailModel
import MailTestSupport
import SQLite
import Testing

@testable import MailStorage

private let clock = FilterClock(nowMilliseconds: 1_750_000_000_000, zone: ZoneOffsets(fixed: 0))

/// Fails when a question that SQLite refuses has the cache set aside, or passes for one without hits.
@Test func `a question that is too much does not damage the cache`() async throws {
    let bench = try Bench()
    try await bench.put(message("m1", subject: "report"))
    while try await bench.store.indexSome(text: { text, _ in text }) {}
    let reader = try bench.reader()
    // The parser lets no such filter through.
    let filter = Filter.any((0..<3_000).map { .words(.subject, Filter.Words("w\($0)")) })

    await #expect(throws: StoreError.question) {
        try await reader.search(SearchQuestion(filter, clock: clock, limit: 10))
    }

    let question = SearchQuestion(try FilterParser.parse("report"), clock: clock, limit: 10)
    #expect(try await bench.reader().search(question).messages.map(\.id.rawValue) == ["m1"])
}

/// Fails when a cache that lost a table is taken for a question that asks too much.
@Test func `a damaged cache is told from a question`() async throws {
    let bench = try Bench()
    try await bench.put(message("m1"))
    let reader = try bench.reader()
    try Database(bench.path).run("DROP VIEW search_words; DROP TABLE search_docs")

    await #expect(throws: StoreError.damaged) {
        try await reader.search(
            SearchQuestion(try FilterParser.parse("report"), clock: clock, limit: 10))
    }
}

/// Pieces that texts are made of: what means something, and what is hard to fold or to quote.
private let pieces = [
    "from:", "to:", "subject:", "body:", "in:", "mailbox:", "is:", "has:", "before:", "after:", "older:", "newer:",
    "unread", "read", "starred", "sent", "draft", "unanswered", "attachment", "inbox", "anywhere", "trash", "2024",
    "2024-02-29", "30d", "1y", "0h", " or ", " OR ", "or", "-", "--", "(", ")", "((", "))", "\"", "\\", "*", "^", "'",
    ";", "%", "_", "\0", "\t", " ", " ", " ", "a", "AND", "NOT", "NEAR", "{", "}", ":", "+", "ann@x.example", "日本",
    "日", "ยา", "é", "e\u{301}", "ß", "\u{301}", "🎉", "👩‍👩‍👧", "\u{202E}", "\u{FEFF}", "ﬃ", "Ⅷ", "İ",
]

/// Fails when a text that is a filter makes a statement that SQLite refuses, or an index another answer than the rows.
@Test(arguments: 0..<8)
func `SQLite takes every filter that can be typed`(_ seed: UInt64) async throws {
    let bench = try Bench()
    var numbers = SeededNumbers(seed: seed &* 104_729)
    for number in 0..<12 {
        var mail = message(
            "m\(number)", at: number, subject: (0..<4).map { _ in pieces[numbers.below(pieces.count)] }.joined())
        mail.snippet = (0..<6).map { _ in pieces[numbers.below(pieces.count)] }.joined(separator: " ")
        try await bench.put(mail)
    }
    while try await bench.store.indexSome(text: { text, _ in text }) {}
    let reader = try bench.reader()
    var count = 0
    for _ in 0..<1_500 {
        let text = (0..<1 + numbers.below(9)).map { _ in pieces[numbers.below(pieces.count)] }.joined()
        guard let filter = try? FilterParser.parse(text) else { continue }
        count += 1
        var question = SearchQuestion(filter, clock: clock, limit: 20)
        let plain = try await reader.search(question).messages
        question.reach = SearchReach(newest: 0, step: 3, span: 1, few: numbers.below(3))
        #expect(try await reader.search(question).messages == plain, "\(text.debugDescription)")
    }
    #expect(count > 50)
}

/// Fails when the deepest or longest filter that the parser takes is more than the index's language or SQLite takes.
@Test(arguments: [
    String(repeating: "a (b or ", count: 11) + "c" + String(repeating: ")", count: 11),
    String(repeating: "(a or ", count: 11) + "b" + String(repeating: ")", count: 11),
    String(repeating: "-", count: 11) + "a",
    String(repeating: "-(a ", count: 5) + "b" + String(repeating: ")", count: 5),
    Array(repeating: "w", count: 100).joined(separator: " "),
    Array(repeating: "w", count: 99).joined(separator: " or "),
    (0..<99).map { "w\($0)" }.joined(separator: " or "), (0..<48).map { "-w\($0)" }.joined(separator: " ") + " a",
    (0..<14).map { "(is:unread or older:\($0)d)" }.joined(separator: " "), String(repeating: "日本", count: 300),
    "\"" + String(repeating: "a ", count: 900) + "\"", String(repeating: "x", count: 2_000),
])
func `the largest filters are answered`(_ text: String) async throws {
    let bench = try Bench()
    try await bench.put(message("m1", subject: "a b c w"))
    while try await bench.store.indexSome(text: { text, _ in text }) {}
    var question = SearchQuestion(try FilterParser.parse(text), clock: clock, limit: 20)
    let reader = try bench.reader()
    let plain = try await reader.search(question).messages
    question.reach = SearchReach(newest: 0, step: 3, span: 0)
    #expect(try await reader.search(question).messages == plain)
}
