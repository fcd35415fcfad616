import MailModel
import MailUI
import TerminalUI
import Testing

@testable import MailUI

/// How a mail leaves the composer: sent, thrown away or left behind, and how that is taken back.
struct WritingEndTests {
    private static let hello = DraftContent(
        mailbox: MailboxID("mb1"), from: "support@acme.example", to: "ann@x.example", subject: "Hello", text: "Hi")

    /// A mail in the form, saved as it is.
    private static func form(_ content: DraftContent = hello) -> AppState {
        var state = WritingTests.state()
        _ = state.update(.clock(secondsSinceEpoch: 1_000, utcOffsetSeconds: 0))
        _ = state.press("c")
        state.writing.composer?.take(content)
        state.writing.composer?.changes += 1
        return state
    }

    private static func send(_ id: String, at seconds: Int64 = 1_000) -> Send {
        Send(
            id: SendID(id), draft: LocalDraftID("local"), revision: 1, notBefore: (seconds + 10) * 1_000,
            createdAt: Timestamp(millisecondsSinceEpoch: seconds * 1_000))
    }

    private static let controlX = InputEvent.key(.character("x"), .control)

    /// Queues the mail of a form, up to its countdown.
    private static func sent(_ id: String = "s1") -> AppState {
        var state = form()
        _ = state.update(.input(controlX))
        _ = WritingTests.answerSave(&state)
        _ = state.update(.writing(.sendQueued(state.writing.composer?.number ?? 0, send(id))))
        return state
    }

    /// Fails when the key that sends leads elsewhere, or another one is asked for.
    @Test func `what speaks against sending is told in the form, and the same key goes on`() {
        var content = WritingEndTests.hello
        content.text = "See the attached file."
        var state = WritingEndTests.form(content)
        #expect(WritingTests.saved(state.update(.input(WritingEndTests.controlX))) == nil)
        #expect(state.notice?.hasSuffix("C-x once more sends it.") == true, "\(state.notice ?? "")")
        #expect(state.writing.composer?.step == .form)

        #expect(WritingTests.saved(state.update(.input(WritingEndTests.controlX)))?.text == content.text)
    }

    /// Fails when a key between the two is forgotten, so that a changed mail goes unasked.
    @Test func `a letter between asks again`() {
        var content = WritingEndTests.hello
        content.text = "See the attached file."
        var state = WritingEndTests.form(content)
        _ = state.update(.input(WritingEndTests.controlX))
        _ = state.press("!")

        #expect(WritingTests.saved(state.update(.input(WritingEndTests.controlX))) == nil)
    }

    /// Fails when the person has to look for what is missing.
    @Test(arguments: [Composer.Field.to, .subject, .text])
    func `sending from the form goes to what is missing`(field: Composer.Field) {
        var content = WritingEndTests.hello
        switch field {
        case .to: content.to = ""
        case .subject: content.subject = ""
        default: content.text = ""
        }
        var state = WritingEndTests.form(content)
        _ = state.update(.input(WritingEndTests.controlX))

        #expect(state.writing.composer?.focus == field && state.writing.composer?.step == .form)
    }

    /// Fails when keys typed while the disk is asked change a mail that is being put away, or are lost.
    @Test func `keys typed while a mail is put away are for what comes then`() {
        var state = WritingEndTests.form()
        _ = state.update(.input(WritingEndTests.controlX))
        _ = state.press("?")
        #expect(state.helpTop == nil)
        _ = WritingTests.answerSave(&state)
        #expect(state.writing.composer?.content.text == "Hi")

        _ = state.update(
            .writing(.sendQueued(state.writing.composer?.number ?? 0, WritingEndTests.send("s1"))))

        #expect(state.helpTop != nil && state.writing.typedAhead.isEmpty)
    }

    /// Fails when undo calls mail back though something else was done since.
    @Test func `undo takes back what was done last, then the send`() {
        var state = WritingEndTests.sent()
        _ = state.press("e")
        #expect(!state.screen.contains("takes it back"), "\(state.screen)")

        #expect(state.press("u").contains { if case .undo = $0 { true } else { false } })
        #expect(WritingTests.writing(state.press("u")) == [.takeBack(2, SendID("s1"))])
    }

    /// Fails when undo after the delay takes back what was done before the mail, unasked.
    @Test func `undo of a mail that is gone says so once`() {
        var state = WritingEndTests.sent()
        _ = state.press("!")
        var send = WritingEndTests.send("s1")
        send.status = .sent(MessageID("m"))
        _ = state.update(
            .writing(.draftsLoaded([], [SendEntry(send: send, subject: "Hello", recipients: "", reason: nil)])))

        #expect(!state.press("u").contains { if case .undo = $0 { true } else { false } })
        #expect(state.notice?.contains("too late") == true, "\(state.notice ?? "")")
        #expect(state.press("u").contains { if case .undo = $0 { true } else { false } })
    }

    /// Fails when a sentence hides that mail is about to go.
    @Test(arguments: [(80, 24), (40, 12), (200, 50)])
    func `the countdown is in sight whatever else is told`(columns: Int, rows: Int) {
        var state = WritingEndTests.sent()
        _ = state.update(.resized(Size(columns: columns, rows: rows)))
        #expect(state.screen.contains("Sends in 10 s"), "\(state.screen)")
        for key in ["Z", "s", "j", "/", "c"] {
            _ = state.press(key)
            #expect(state.screen.contains("Sends in 10 s"), "\(key)\n\(state.screen)")
            _ = state.update(.input(.plain(.escape)))
        }
    }

    /// Fails when of two mails that wait one is forgotten as the program ends.
    @Test func `of two mails each is taken back and asked for`() {
        var state = WritingEndTests.sent("s1")
        _ = state.press("c")
        state.writing.composer?.take(WritingEndTests.hello)
        state.writing.composer?.changes += 1
        _ = state.update(.input(WritingEndTests.controlX))
        _ = WritingTests.answerSave(&state)
        _ = state.update(.writing(.sendQueued(state.writing.composer?.number ?? 0, WritingEndTests.send("s2"))))
        #expect(state.screen.contains("2 mails wait"), "\(state.screen)")
        var quitting = state
        _ = quitting.press("q")
        #expect(WritingTests.writing(quitting.press("d")) == [.keepAsDraft(SendID("s1")), .keepAsDraft(SendID("s2"))])

        #expect(WritingTests.writing(state.press("u")) == [.takeBack(3, SendID("s2"))])
        _ = state.update(.writing(.notTakenBack(SendID("s2"), "Too late.")))
        #expect(WritingTests.writing(state.press("u")) == [.takeBack(4, SendID("s1"))])
    }

    private static func listed() -> AppState {
        var state = WritingTests.state()
        _ = state.press("gd")
        _ = state.update(.draftsLoaded([]))
        _ = state.update(
            .writing(.draftsLoaded([WritingTests.draft(DraftContent(subject: "One", text: "Text"))], [])))
        return state
    }

    /// Fails when a draft goes before its time, or does not come back.
    @Test func `a draft that was thrown away comes back`() {
        var state = WritingEndTests.listed()
        let thrown = state.press("d")
        #expect(WritingTests.writing(thrown) == [.loadDrafts] && state.items.isEmpty)
        #expect(state.notice == "Thrown away: “One”; u brings it back.")

        _ = state.press("u")

        #expect(state.items.count == 1 && state.notice == "Brought back: “One”.")
        #expect(WritingTests.writing(state.update(.woke(WritingTests.timer(thrown) ?? 0))).isEmpty)
    }

    /// Fails when a draft that was thrown away stays for ever, or undo promises what is over.
    @Test func `a thrown draft goes when its time is over, and with the program`() {
        var state = WritingEndTests.listed()
        let thrown = state.press("d")
        var quitting = state
        #expect(quitting.press("Q") == [.writing(.discard(LocalDraftID("local"))), .quit])

        #expect(
            WritingTests.writing(state.update(.woke(WritingTests.timer(thrown) ?? 0)))
                == [.discard(LocalDraftID("local")), .loadDrafts])
        _ = state.press("u")
        #expect(state.items.isEmpty && state.notice?.contains("gone for good") == true, "\(state.notice ?? "")")
    }

    /// Fails when words that somebody wrote elsewhere meanwhile go with the draft.
    @Test func `a thrown draft that was changed elsewhere stays`() {
        var state = WritingEndTests.listed()
        let thrown = state.press("d")
        _ = state.update(
            .writing(.draftsLoaded([WritingTests.draft(DraftContent(subject: "One", text: "More"), revision: 2)], [])))

        #expect(WritingTests.writing(state.update(.woke(WritingTests.timer(thrown) ?? 0))).isEmpty)
        #expect(state.items.count == 1)
    }

    /// Fails when mail that waits to be sent goes out although its draft was thrown away.
    @Test func `a draft that is to be sent is not thrown away`() {
        var state = WritingEndTests.listed()
        let entry = SendEntry(send: WritingEndTests.send("s1"), subject: "One", recipients: "", reason: nil)
        _ = state.update(.writing(.draftsLoaded(state.writing.locals, [entry])))
        _ = state.press("d")

        #expect(state.items.count == 1 && state.notice?.hasPrefix("It is to be sent") == true)
    }

    /// Fails when what was typed a moment before is not in what comes back.
    @Test func `a mail thrown away in the review is saved first and opened again`() {
        var state = WritingEndTests.form()
        _ = state.update(.input(.plain(.escape)))
        #expect(WritingTests.saved(state.press("n"))?.text == "Hi")
        _ = WritingTests.answerSave(&state)
        #expect(state.writing.composer == nil)

        #expect(WritingTests.writing(state.press("u")).first == .open(2, LocalDraftID("local")))
    }

    /// Fails when a mail cannot be left on a full disk, or is left by one key.
    @Test func `what the disk did not take is thrown away when asked twice`() {
        var state = WritingEndTests.form()
        _ = state.update(.input(.plain(.escape)))
        state.writing.composer?.failure = "The disk is full."
        _ = state.press("n")
        #expect(state.writing.composer != nil)
        _ = state.press("n")
        #expect(state.writing.composer == nil)
    }

    /// Fails when a program that was only opened for a look leaves a draft.
    @Test func `an empty draft of an editor ends with the program`() {
        var state = WritingTests.state(settings: WritingSettings(usesExternalEditor: true))
        _ = state.press("c")
        _ = WritingTests.answerSave(&state)
        let number = state.writing.composer?.number ?? 0
        let content = state.writing.composer?.content ?? DraftContent()
        _ = state.update(.writing(.edited(number, content, files: [])))

        #expect(
            state.press("Q").filter { $0 != .writing(.closed(LocalDraftID("local"))) }
                == [.writing(.discard(LocalDraftID("local"))), .quit])
    }

    /// Fails when the next start tells of a mail that was left in good order as of one that was cut off.
    @Test func `a mail that is open as the program ends is closed`() {
        var state = WritingEndTests.form()
        _ = state.update(.input(.plain(.escape)))
        _ = state.press("Q")

        #expect(WritingTests.answerSave(&state) == [.writing(.closed(LocalDraftID("local"))), .quit])
    }

    /// Fails when mail goes on its way that is known to be held at its end.
    @Test func `what was changed elsewhere is settled before it is sent`() {
        var state = WritingEndTests.form()
        _ = state.update(.input(.plain(.escape)))
        var draft = WritingTests.draft(WritingEndTests.hello)
        draft.theirs = ServerDraft(id: DraftID("d1"), version: 3, content: DraftContent(text: "Other"))
        state.writing.composer?.draft = draft

        #expect(WritingTests.writing(state.press("y")).isEmpty)
        #expect(state.notice?.contains("C in the review shows both") == true, "\(state.notice ?? "")")
    }

    /// Fails when adding a file from the form leads to the review.
    @Test func `a file is added from the form`() {
        var state = WritingEndTests.form()
        state.writing.composer?.focus = .text
        _ = state.update(.input(.key(.character("t"), .control)))
        #expect(state.screen.contains("Attach:"))
        _ = state.press("/tmp/a")
        _ = state.update(.input(.plain(.enter)))
        let asked = WritingTests.answerSave(&state)

        #expect(
            WritingTests.writing(asked).contains {
                if case .attach(_, _, path: "/tmp/a") = $0 { true } else { false }
            })
        #expect(state.writing.composer?.step == .form)
    }
}
