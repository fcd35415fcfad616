import MailModel
import MailUI
import TerminalUI
import Testing

@testable import MailUI

/// Writing on the screen: keys in, effects and screens out.
struct WritingTests {
    static let support = Mailbox(
        id: MailboxID("mb1"), address: "support@acme.example", displayName: "", isActive: true, accessLevel: .manager)
    static let sales = Mailbox(
        id: MailboxID("mb2"), address: "sales@acme.example", displayName: "", isActive: true, accessLevel: .agent)
    static let archive = Mailbox(
        id: MailboxID("mb3"), address: "old@acme.example", displayName: "", isActive: true, accessLevel: .read)

    static func state(columns: Int = 80, rows: Int = 24, settings: WritingSettings = WritingSettings()) -> AppState {
        var state = Fixture.state(columns: columns, rows: rows, [Fixture.row("ann", subject: "Invoice")])
        _ = state.update(.writing(.configured(settings)))
        _ = state.update(
            .countsLoaded([support, sales, archive].map { MailboxCounts(mailbox: $0, unread: [:], total: [:]) }))
        return state
    }

    static func draft(_ content: DraftContent, revision: Int = 1) -> LocalDraft {
        LocalDraft(
            id: LocalDraftID("local"), content: content, revision: revision,
            createdAt: Timestamp(millisecondsSinceEpoch: 0), updatedAt: Timestamp(millisecondsSinceEpoch: 0))
    }

    static func writing(_ effects: [Effect]) -> [WritingEffect] {
        effects.compactMap { if case .writing(let effect) = $0 { effect } else { nil } }
    }

    /// The content of the save that is asked for; `nil` for none.
    static func saved(_ effects: [Effect]) -> DraftContent? {
        writing(effects).lazy.compactMap { effect -> DraftContent? in
            switch effect {
            case .create(_, let content, _), .save(_, _, let content): content
            default: nil
            }
        }.first
    }

    /// Answers the save that is under way.
    @discardableResult static func answerSave(_ state: inout AppState, revision: Int = 1) -> [Effect] {
        guard let composer = state.writing.composer else { return [] }
        return state.update(.writing(.saved(composer.number, draft(composer.content, revision: revision))))
    }

    static func timer(_ effects: [Effect]) -> Int? {
        effects.lazy.compactMap { if case .wake(let timer, _) = $0 { timer } else { nil } }.first
    }

    @Test func `a new mail is typed field by field and saved a second later`() {
        var state = WritingTests.state()
        _ = state.press("c")
        let first = state.press("a")
        _ = state.press("nn@x.example")
        _ = state.update(.input(.plain(.tab)))
        _ = state.update(.input(.plain(.tab)))
        _ = state.update(.input(.plain(.tab)))
        _ = state.press("Hello")
        _ = state.update(.input(.plain(.enter)))
        _ = state.press("Hi there")

        let effects = state.update(.woke(WritingTests.timer(first) ?? 0))

        let content = WritingTests.saved(effects)
        #expect(content?.to == "ann@x.example" && content?.subject == "Hello" && content?.text == "Hi there")
        #expect(content?.from == "support@acme.example" && content?.mailbox == MailboxID("mb1"))
        #expect(state.screen.contains("Hi there"))
    }

    /// Fails when letters typed during a save are taken for saved, or two saves are under way.
    @Test func `what is typed while a save is under way is saved next`() {
        var state = WritingTests.state()
        let first = state.press("ca")
        _ = state.update(.woke(WritingTests.timer(first) ?? 0))
        #expect(WritingTests.timer(state.press("b")) == nil)

        let after = WritingTests.answerSave(&state)

        let again = state.update(.woke(WritingTests.timer(after) ?? 0))
        #expect(WritingTests.saved(again)?.to == "ab")
    }

    /// Fails when a full disk takes the text, or is not told.
    @Test func `a failed save keeps the text, says so and is tried again`() {
        var state = WritingTests.state()
        let first = state.press("cann")
        _ = state.update(.woke(WritingTests.timer(first) ?? 0))

        let failed = state.update(.writing(.notSaved(state.writing.composer?.number ?? 0, "The disk is full.")))

        #expect(state.screen.contains("NOT SAVED") && state.screen.contains("The disk is full."))
        #expect(state.screen.contains("ann"))
        #expect(WritingTests.saved(state.update(.woke(WritingTests.timer(failed) ?? 0)))?.to == "ann")
    }

    /// Fails when the composer closes before what was typed is on the disk.
    @Test func `keeping a draft waits for the disk`() {
        var state = WritingTests.state()
        _ = state.press("cann")
        _ = state.update(.input(.plain(.escape)))
        let keep = state.press("p")
        #expect(WritingTests.saved(keep)?.to == "ann")
        #expect(state.writing.composer != nil)

        _ = WritingTests.answerSave(&state)

        #expect(state.writing.composer == nil)
        #expect(state.notice == "Kept as a draft.")
    }

    @Test func `a mail that nobody wrote a word of leaves no draft`() {
        var state = WritingTests.state(settings: WritingSettings(signature: "Ann"))
        _ = state.press("c")
        _ = state.update(.input(.plain(.escape)))

        let effects = state.press("q")

        #expect(WritingTests.saved(effects) == nil)
        #expect(state.writing.composer == nil)
    }

    /// Fails when mail goes without what the server needs, or a warning is passed over.
    @Test(arguments: [
        ("", "Hello", "Hi", "There is no recipient."), ("ann@x", "Hello", "Hi", "“ann@x” is not a whole address."),
        ("ann@x.example", "", "Hi", "The subject is empty."), ("ann@x.example", "Hello", "", "The text is empty."),
        ("no-reply@x.example", "Hello", "Hi", "y once more sends it."),
        ("ann@x.example", "Hello", "See the attached file.", "y once more sends it."),
    ])
    func `what cannot or should not be sent is said before`(to: String, subject: String, text: String, words: String) {
        var state = WritingTests.state()
        _ = state.press("c")
        state.writing.composer?.take(
            DraftContent(mailbox: MailboxID("mb1"), from: "support@acme.example", to: to, subject: subject, text: text))
        _ = state.update(.input(.plain(.escape)))

        let effects = state.press("y")

        #expect(state.notice?.contains(words) == true, "\(state.notice ?? "")")
        #expect(WritingTests.writing(effects).isEmpty)
        if words.hasPrefix("y") { #expect(WritingTests.saved(state.press("y")) != nil) }
    }

    /// Fails when what is sent is not what was seen, or cannot be taken back.
    @Test func `sending saves, queues, counts down and is taken back`() {
        var state = WritingTests.state()
        _ = state.update(.clock(secondsSinceEpoch: 1_000, utcOffsetSeconds: 0))
        _ = state.press("c")
        state.writing.composer?.take(
            DraftContent(
                mailbox: MailboxID("mb1"), from: "support@acme.example", to: "ann@x.example", subject: "Hello",
                text: "Hi"))
        state.writing.composer?.changes += 1
        _ = state.update(.input(.plain(.escape)))
        #expect(WritingTests.saved(state.press("y"))?.text == "Hi")
        let number = state.writing.composer?.number ?? 0
        #expect(
            WritingTests.writing(WritingTests.answerSave(&state)).contains(
                .queueSend(number, LocalDraftID("local"), thread: nil)))

        let send = Send(
            id: SendID("s1"), draft: LocalDraftID("local"), revision: 1, notBefore: 1_010_000,
            createdAt: Timestamp(millisecondsSinceEpoch: 1_000_000))
        _ = state.update(.writing(.sendQueued(number, send)))
        #expect(state.writing.composer == nil)
        #expect(state.screen.contains("Sends in 10 s — u takes it back"), "\(state.screen)")

        #expect(WritingTests.writing(state.press("u")) == [.takeBack(number + 1, SendID("s1"))])
        let content = DraftContent(to: "ann@x.example", subject: "Hello", text: "Hi")
        _ = state.update(.writing(.takenBack(number + 1, SendID("s1"), WritingTests.draft(content), nil)))
        #expect(state.context == .review && state.screen.contains("Hi"))
    }

    /// Fails when the program ends with a mail of which nobody said what becomes of it.
    @Test(arguments: [("y", WritingEffect.sendNow(SendID("s1"))), ("d", .keepAsDraft(SendID("s1"))), ("w", nil)])
    func `quitting within the delay asks`(key: String, answer: WritingEffect?) {
        var state = WritingTests.state()
        _ = state.update(.clock(secondsSinceEpoch: 1_000, utcOffsetSeconds: 0))
        state.writing.countdowns = [
            Send(
                id: SendID("s1"), draft: LocalDraftID("local"), revision: 1, notBefore: 1_010_000,
                createdAt: Timestamp(millisecondsSinceEpoch: 1_000_000))
        ]

        #expect(!state.press("q").contains(.quit))
        #expect(state.screen.contains("y send now"), "\(state.screen)")
        let effects = state.press(key)

        #expect(effects.last == .quit)
        #expect(WritingTests.writing(effects) == [answer].compactMap { $0 })
    }

    /// Fails when the program ends before the last letters are on the disk.
    @Test func `quitting saves first`() {
        var state = WritingTests.state()
        _ = state.press("cann")
        _ = state.update(.input(.plain(.escape)))

        #expect(!state.press("Q").contains(.quit))

        #expect(WritingTests.answerSave(&state).contains(.quit))
    }

    private static func message(mailbox: MailboxID? = MailboxID("mb1")) -> ConversationMessage {
        var message = Fixture.message("ann", text: "Line one\n\nLine three")
        message.summary.mailboxID = mailbox
        message.summary.to = ["support@acme.example", "bob@x.example"]
        message.summary.subject = "Invoice"
        message.detail?.summary = message.summary
        message.detail?.cc = ["SALES@acme.example", "carl@x.example"]
        return message
    }

    /// Fails when an answer goes to the person, comes from another address, or sends the quote.
    @Test(arguments: [
        ("r", "ann@example.org", "", "Re: Invoice"),
        ("R", "ann@example.org", "bob@x.example, carl@x.example", "Re: Invoice"), ("f", "", "", "Fwd: Invoice"),
    ])
    func `an answer begins with its recipients`(key: String, to: String, cc: String, subject: String) {
        var state = WritingTests.state()
        let asked = state.press(key)
        #expect(WritingTests.writing(asked).first == .loadOriginal(1, MessageID("m-ann")))

        _ = state.update(.writing(.originalLoaded(1, WritingTests.message())))

        let content = state.writing.composer?.content
        #expect(content?.to == to && content?.cc == cc && content?.subject == subject && content?.text == "")
        #expect(content?.from == "support@acme.example" && content?.bcc == "")
        #expect(state.screen.contains(key == "f" ? "Line three" : "> Line three"), "\(state.screen)")
    }

    @Test func `lines of the original are taken into the text as a quote`() {
        var state = WritingTests.state()
        _ = state.press("r")
        _ = state.update(.writing(.originalLoaded(1, WritingTests.message())))
        _ = state.update(.input(.key(.character("o"), .control)))
        _ = state.press(" jj")
        _ = state.update(.input(.plain(.enter)))

        #expect(state.writing.composer?.content.text == "> Line one\n>\n> Line three\n")
    }

    @Test func `mail of a mailbox that one may only read is not answered`() {
        var state = WritingTests.state()
        var row = Fixture.row("ann")
        row.shown.mailboxID = WritingTests.archive.id
        _ = state.update(
            .conversationsLoaded(ListScope(folder: .inbox), generation: 0, rows: [row], hasMore: false))

        _ = state.press("r")

        #expect(state.notice == "You may only read the mail of old@acme.example.")
    }
}
