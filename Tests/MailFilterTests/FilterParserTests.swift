import MailFilter
import MailModel
import Testing

/// A text, and the filter or the complaint it is.
struct ParseFixture: Sendable, CustomTestStringConvertible {
    var text: String
    var filter: Filter?
    var column = 0
    var isUnfinished = false

    var testDescription: String { text }

    static func read(_ text: String, _ filter: Filter) -> ParseFixture { ParseFixture(text: text, filter: filter) }
    static func wrong(_ text: String, _ column: Int) -> ParseFixture { ParseFixture(text: text, column: column) }
    static func unfinished(_ text: String, _ column: Int) -> ParseFixture {
        ParseFixture(text: text, column: column, isUnfinished: true)
    }
}

private func word(_ text: String, _ part: Filter.Part = .anywhere) -> Filter { .words(part, Filter.Words(text)) }
private func quote(_ text: String, _ part: Filter.Part = .anywhere) -> Filter {
    .words(part, Filter.Words(text, isWhole: true))
}

private let fixtures: [ParseFixture] = [
    .read("invoice", word("invoice")),
    .read("  from:Ann@x.example  ", word("Ann@x.example", .from)),
    .read("a b", .all([word("a"), word("b")])),
    .read("a or b c", .any([word("a"), .all([word("b"), word("c")])])),
    .read("(a or b) c", .all([.any([word("a"), word("b")]), word("c")])),
    .read("a (b c)", .all([word("a"), .all([word("b"), word("c")])])),
    .read("-from:ann", .not(word("ann", .from))),
    .read("-(a OR b)", .not(.any([word("a"), word("b")]))),
    .read("--a", .not(.not(word("a")))),
    .read("subject:\"annual \\\"big\\\" report\"", quote("annual \"big\" report", .subject)),
    .read("to:sales body:x", .all([word("sales", .to), word("x", .body)])),
    .read("in:archive IN:Anywhere", .all([.place(.folder(.archived)), .place(.anywhere)])),
    .read("mailbox:support", .mailbox(Filter.Words("support"))),
    .read("is:unread is:UNANSWERED", .all([.mark(.unread), .mark(.unanswered)])),
    .read("has:attachment", .hasAttachment),
    .read("older:30d", .time(.older, .ago(30, .days))),
    .read("newer:2W", .time(.newer, .ago(2, .weeks))),
    .read("after:2024-05-01", .time(.after, .day(Filter.Day(year: 2024, month: 5, day: 1)))),
    .read("before:2024", .time(.before, .day(Filter.Day(year: 2024)))),
    .read("before:2024-02", .time(.before, .day(Filter.Day(year: 2024, month: 2)))),
    .read("oracle", word("oracle")),
    .read("\"https://x.example/a\"", quote("https://x.example/a")),
    .read("is:read", .not(.mark(.unread))),
    .read("12:30", word("12:30")),
    .read("\\or foo\\:bar a\\ b", .all([word("or"), word("foo:bar"), word("a b")])),
    .read("日本", word("日本")),
    .unfinished("", 1),
    .unfinished("   ", 1),
    .unfinished("from:", 6),
    .unfinished("a or ", 6),
    .unfinished("(a", 3),
    .unfinished("\"a", 3),
    .unfinished("-", 2),
    .unfinished("form:", 1),
    .wrong("form:ann", 1),
    .wrong("a https://x.example/a", 3),
    .unfinished("is:rea", 4),
    .wrong("a is:new", 6),
    .wrong("a)", 2),
    .wrong("()", 2),
    .wrong("a or or b", 6),
    .wrong("in:nowhere", 4),
    .wrong("has:wings x", 5),
    .wrong("after:2023-02-29", 7),
    .unfinished("after:2024-13", 7),
    .unfinished("older:30", 7),
    .unfinished("is:unr", 4),
    .unfinished("in:in", 4),
    .wrong("older:100001d", 7),
    .wrong("!!! x", 1),
    .wrong("from:\"--\" x", 6),
]

/// Fails when a text is read differently, or its complaint points elsewhere.
@Test(arguments: fixtures)
func `a text is read as a filter, or refused at its column`(_ fixture: ParseFixture) throws {
    do {
        let filter = try FilterParser.parse(fixture.text)
        #expect(filter == fixture.filter)
    } catch {
        #expect(fixture.filter == nil, "\(error)")
        #expect(error.column == fixture.column)
        #expect(error.isUnfinished == fixture.isUnfinished)
    }
}

/// Fails when a hostile text could take all memory or the stack.
@Test func `text and depth are bounded`() throws {
    #expect(throws: FilterError.self) { try FilterParser.parse(String(repeating: "a ", count: 1_001)) }
    #expect(throws: FilterError.self) { try FilterParser.parse(String(repeating: "(", count: 40)) }
    #expect(throws: FilterError.self) { try FilterParser.parse(String(repeating: "-", count: 40) + "a") }
    _ = try FilterParser.parse(String(repeating: "-", count: FilterParser.depthMax - 1) + "a")
    let most = Array(repeating: "w", count: FilterParser.termsMax).joined(separator: " ")
    _ = try FilterParser.parse(most)
    let error = try #require(throws: FilterError.self) { try FilterParser.parse(most + " w") }
    #expect(error.column == 2 * FilterParser.termsMax + 1)
}

/// Fails when the server is asked for what the cache knows, and answers with mail that does not fit.
@Test(arguments: [
    ("lamp is:unread", "lamp", "is:unread"), ("from:orders lamp", "lamp", "from:orders"), ("body:lamp", "lamp", nil),
    ("from:orders is:unread", nil, nil), ("subject:lamp", nil, nil), ("to:me", nil, nil),
])
func `the server is asked for texts only`(_ filter: String, _ text: String?, _ rest: String?) throws {
    let asked = try FilterParser.parse(filter).serverSearch

    #expect(asked?.text == text)
    #expect(try asked?.rest == rest.map { try FilterParser.parse($0) })
}

/// Fails when the column of a field's complaint is not told in its sentence.
@Test func `a complaint names the column and what was expected`() throws {
    let error = try #require(throws: FilterError.self) { try FilterParser.parse("from:ann is:new") }
    #expect(error.message == "Column 13 of the filter: expected unread, read, starred, sent, draft or unanswered.")
}

/// Fails when the table's examples, which the pages print, are refused.
@Test(arguments: FilterField.allCases)
func `each field's example is a filter`(_ field: FilterField) throws {
    _ = try FilterParser.parse(field.example)
}
