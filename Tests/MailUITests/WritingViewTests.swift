import MailModel
import MailUI
import TerminalUI
import Testing

@testable import MailUI

/// What the screens of writing show.
struct WritingViewTests {
    private static func answering(_ key: String, columns: Int, rows: Int, from sender: String = "ann@example.org")
        -> AppState
    {
        var state = WritingTests.state(columns: columns, rows: rows)
        _ = state.press(key)
        var message = Fixture.message("ann", text: "One\n\n> " + String(repeating: "words of old ", count: 12))
        message.summary.mailboxID = MailboxID("mb1")
        message.summary.fromAddress = sender
        message.summary.to = ["support@acme.example", "bob@x.example"]
        message.detail?.summary = message.summary
        message.detail?.cc = ["carl@x.example"]
        _ = state.update(.writing(.originalLoaded(1, message)))
        return state
    }

    /// Fails when an answer to all looks like one to a single person.
    @Test func `a low window tells who else gets the mail`() {
        let state = WritingViewTests.answering("R", columns: 40, rows: 12)

        #expect(state.screen.contains("To ann@example.org · Cc 2"), "\(state.screen)")
    }

    /// Fails when the second row of a quoted line reads like the person's own text.
    @Test(arguments: ["form", "review"])
    func `every row of a quote is marked`(step: String) {
        var state = WritingViewTests.answering("r", columns: 60, rows: 30)
        if step == "review" { _ = state.update(.input(.plain(.escape))) }
        let rows = state.screen.split(separator: "\n").filter { $0.contains("words of old") }

        #expect(rows.count > 2 && rows.allSatisfy { $0.hasPrefix("> > ") }, "\(state.screen)")
    }

    /// Fails when an empty To is not explained.
    @Test(arguments: [("unknown", "not known who sent"), ("noreply@x.example", "nobody reads")])
    func `an original that cannot be answered says so at once`(sender: String, words: String) {
        let state = WritingViewTests.answering("r", columns: 80, rows: 24, from: sender)

        #expect(state.notice?.contains(words) == true, "\(state.notice ?? "")")
    }

    /// Fails when a link's files are left out without a word.
    @Test(arguments: [
        ("mailto:ann@x.example?attach=/etc/passwd", "names a file"), ("mailto:ann@x.example?x=1", "left out"),
        ("mailto:ann@x.example?subject=Hi&body=x", nil),
    ])
    func `what is not taken from a link is said`(link: String, words: String?) {
        var state = WritingTests.state()
        _ = state.press(":compose \(link)")
        _ = state.update(.input(.plain(.enter)))

        #expect(state.writing.composer?.content.to == "ann@x.example")
        #expect(words.map { state.notice?.contains($0) == true } ?? (state.notice == nil), "\(state.notice ?? "")")
    }

    /// Fails when the preview offers keys that do something else in it.
    @Test func `the preview has hints of its own`() {
        var state = WritingTests.state()
        _ = state.press("cann@x.example")
        _ = state.update(.input(.plain(.escape)))
        _ = state.press("v")

        #expect(state.screen.contains("v back") && !state.screen.contains("discard"), "\(state.screen)")
    }

    /// Fails when the review shows what was written before the last change.
    @Test func `the review shows the text as it is now`() {
        var state = WritingTests.state()
        _ = state.press("cann")
        _ = state.update(.input(.plain(.escape)))
        _ = state.press("e")
        state.writing.composer?.focus = .text
        _ = state.press("Fresh words")
        _ = state.update(.input(.plain(.escape)))
        #expect(state.screen.contains("Fresh words"), "\(state.screen)")

        _ = state.update(.resized(Size(columns: 30, rows: 12)))
        #expect(state.screen.contains("Fresh words"), "\(state.screen)")
    }

    /// Fails when help begins with keys that only type letters there.
    @Test func `help in the form begins with the keys of the form`() {
        var state = WritingTests.state()
        _ = state.press("c")
        _ = state.update(.input(.key(.function(1), [])))
        #expect(state.screen.hasPrefix(" While a mail is typed"), "\(state.screen)")

        _ = state.press("q")
        _ = state.update(.input(.plain(.escape)))
        _ = state.press("?")
        #expect(state.screen.hasPrefix(" In the review"), "\(state.screen)")
    }

    /// Fails when the way to the text leads through fields that most mail leaves empty.
    @Test func `Enter goes from an address to the subject, and of an answer to the text`() {
        var state = WritingTests.state()
        _ = state.press("cann@x.example")
        _ = state.update(.input(.plain(.enter)))
        #expect(state.writing.composer?.focus == .subject)
        _ = state.update(.input(.plain(.enter)))
        #expect(state.writing.composer?.focus == .text)

        var answer = WritingViewTests.answering("r", columns: 80, rows: 24)
        answer.writing.composer?.focus = .to
        _ = answer.update(.input(.plain(.enter)))
        #expect(answer.writing.composer?.focus == .text)
    }
}
