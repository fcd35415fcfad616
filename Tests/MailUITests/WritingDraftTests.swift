import MailModel
import MailUI
import TerminalUI
import Testing
@testable import MailUI

/// Drafts, files, conflicts and sends on the screen.
extension WritingTests {
    /// Fails when another sender keeps the first one's signature, or a changed one is taken away.
    @Test func `a signature follows the sender unless it was changed`() {
        let settings = WritingSettings(signature: "Acme", signatureIn: ["sales@acme.example": "Sales team"])
        var state = WritingTests.state(settings: settings)
        _ = state.press("c")
        #expect(state.writing.composer?.content.text == "\n\n-- \nAcme")
        _ = state.update(.input(.key(.tab, .shift)))
        _ = state.update(.input(.plain(.right)))
        #expect(state.writing.composer?.content.text == "\n\n-- \nSales team")
        #expect(state.writing.composer?.content.from == "sales@acme.example")

        state.writing.composer?.editor.replaceAll(with: "Hi\n\n-- \nMe")
        _ = state.update(.input(.plain(.right)))

        #expect(state.writing.composer?.content.text == "Hi\n\n-- \nMe")
    }

    /// Fails when completion eats a second recipient, or offers what does not fit.
    @Test func `addresses complete, and two recipients survive`() {
        var state = WritingTests.state()
        _ = state.press("c")
        let known = ["bob@x.example", "ann@y.example", "annika@z.example"].map { KnownAddress(address: $0) }
        _ = state.update(.writing(.addressesLoaded(known)))
        _ = state.press("an")
        #expect(state.screen.contains("annika@z.example"))
        _ = state.update(.input(.plain(.tab)))
        #expect(state.writing.composer?.content.to == "ann@y.example, ")
        _ = state.press("z")
        _ = state.update(.input(.plain(.tab)))

        #expect(state.writing.composer?.content.to == "ann@y.example, annika@z.example, ")
    }

    /// Fails when Tab means another thing once the addresses are here, so that what follows lands in a wrong field.
    @Test(arguments: ["ann@y.example", "ANN@y.example"])
    func `an address typed to its end is left with Tab`(typed: String) {
        var state = WritingTests.state()
        _ = state.press("c")
        let known = [KnownAddress(address: "ann@y.example", name: "Ann"), KnownAddress(address: "ann@y.example.org")]
        _ = state.update(.writing(.addressesLoaded(known)))
        _ = state.press(typed)
        _ = state.update(.input(.plain(.tab)))

        #expect(state.writing.composer?.content.to == typed && state.writing.composer?.focus == .cc)
    }

    @Test func `a program's addresses are offered for the same text only`() {
        var state = WritingTests.state(settings: WritingSettings(hasAddressCommand: true))
        _ = state.press("c")
        #expect(WritingTests.writing(state.press("zo")).contains(.askAddresses("zo")))

        _ = state.update(.writing(.addressesFound("z", [KnownAddress(address: "zack@x.example")])))
        #expect(!state.screen.contains("zack@x.example"))
        _ = state.update(.writing(.addressesFound("zo", [KnownAddress(address: "zoe@x.example", name: "Zoe")])))

        #expect(state.screen.contains("Zoe <zoe@x.example>"))
    }

    /// Fails when what is typed before a draft of the command line is there acts on mail, or is lost.
    @Test func `what is typed early goes into the draft that is being opened`() {
        var state = WritingTests.state()
        #expect(WritingTests.writing(state.openAtStart(LocalDraftID("local"))).first == .open(1, LocalDraftID("local")))

        #expect(state.press("ed@b.test") == [])
        _ = state.update(.writing(.opened(1, WritingTests.draft(DraftContent()), nil)))

        #expect(state.writing.composer?.content.to == "ed@b.test", "\(state.screen)")
        #expect(state.writing.composer?.step == .form)
    }

    @Test func `a draft that cannot be opened gives the keys back`() {
        var state = WritingTests.state()
        _ = state.openAtStart(LocalDraftID("local"))
        _ = state.update(.writing(.notOpened(1, "This draft is no longer there.")))

        #expect(state.writing.opening == nil && state.notice == "This draft is no longer there.")
        _ = state.press("?")
        #expect(state.helpTop != nil)
    }

    /// Fails when a draft of this machine is listed twice, or its state is not told.
    @Test func `drafts of this machine stand for those of the server`() {
        var state = WritingTests.state()
        _ = state.press("gd")
        let at = Timestamp(millisecondsSinceEpoch: 5_000)
        let remote = Draft(
            id: DraftID("d1"), mailboxID: nil, replyToMessageID: nil, forwardOfMessageID: nil, from: "", to: [], cc: [],
            bcc: [], subject: "From elsewhere", text: "", html: "", version: 1, updatedAt: at, attachments: [])
        _ = state.update(.draftsLoaded([remote]))
        var local = WritingTests.draft(DraftContent(subject: "Changed here"), revision: 2)
        local.server = ServerDraft(id: DraftID("d1"), version: 1, content: DraftContent())
        local.savedRevision = 1

        _ = state.update(.writing(.draftsLoaded([local], [])))

        #expect(state.items.count == 1)
        #expect(state.screen.contains("[saved here] Changed here"), "\(state.screen)")
        #expect(WritingTests.writing(state.update(.input(.plain(.enter)))).first == .open(1, LocalDraftID("local")))
    }

    /// Fails when a send that may have arrived is sent again by one key.
    @Test func `unknown mail is sent again only when asked twice`() {
        var state = WritingTests.state()
        _ = state.press("go")
        let send = Send(
            id: SendID("s1"), draft: LocalDraftID("local"), revision: 1, status: .unknown, notBefore: 0,
            createdAt: Timestamp(millisecondsSinceEpoch: 0))
        let entry = SendEntry(send: send, subject: "Hello", recipients: "ann@x.example", reason: nil)
        _ = state.update(.writing(.draftsLoaded([], [entry])))
        _ = state.update(.outboxLoaded([], []))
        #expect(state.screen.contains("“Hello” to ann@x.example"), "\(state.screen)")

        #expect(WritingTests.writing(state.update(.input(.plain(.enter)))).isEmpty)
        #expect(WritingTests.writing(state.update(.input(.plain(.enter)))) == [.sendAgain(SendID("s1"))])
    }

    /// Fails when the hints of the outbox say otherwise than the mail's own lines what a key does with it.
    @Test(arguments: [
        (SendStatus.queued, "d make a draft", "d makes it a draft"),
        (.held(.interrupted), "Enter send", "Enter sends it"),
        (.held(.interrupted), "d make a draft", "d makes it a draft"),
        (.unknown, "Enter send once more", "Enter send it once more"), (.refused(""), "Enter open", "Enter opens it"),
        (.refused(""), "d take away", "d takes this line away"),
    ])
    func `the hints say what the mail's lines say`(_ status: SendStatus, _ hint: String, _ line: String) {
        var state = WritingTests.state()
        _ = state.press("go")
        let send = Send(
            id: SendID("s1"), draft: LocalDraftID("local"), revision: 1, status: status, notBefore: 0,
            createdAt: Timestamp(millisecondsSinceEpoch: 0))
        let entry = SendEntry(send: send, subject: "Hello", recipients: "ann@x.example", reason: nil)
        _ = state.update(.writing(.draftsLoaded([], [entry])))
        _ = state.update(.outboxLoaded([], []))
        let words = state.screen.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        let hints = state.screen.split(separator: "\n").last ?? ""
        #expect(words.contains(line), "\(state.screen)")
        #expect(hints.contains(hint) && !hints.contains("try again"), "\(state.screen)")
    }

    /// Fails when a paste in the review acts as keys.
    @Test func `a path dropped on the review is attached`() {
        var state = WritingTests.state()
        _ = state.press("cann")
        _ = state.update(.input(.plain(.escape)))

        let effects = state.update(.input(.paste("/tmp/a\\ b.pdf")))

        #expect(WritingTests.saved(effects) != nil)
        let number = state.writing.composer?.number ?? 0
        #expect(
            WritingTests.writing(WritingTests.answerSave(&state)).contains(
                .attach(number, LocalDraftID("local"), path: "/tmp/a\\ b.pdf")))
    }

    /// Fails when a screen of writing leaves its window, or the cursor its field.
    @Test(arguments: [(80, 24), (40, 12), (200, 50), (20, 6)])
    func `form and review fit every window`(columns: Int, rows: Int) {
        var state = WritingTests.state(columns: columns, rows: rows)
        _ = state.press("c")
        for key in [InputEvent.plain(.tab), .plain(.tab), .plain(.tab), .plain(.tab)] { _ = state.update(.input(key)) }
        _ = state.update(.input(.paste(String(repeating: "漢字 and words ", count: 200))))
        for step in ["form", "review", "preview"] {
            if step == "review" { _ = state.update(.input(.plain(.escape))) }
            if step == "preview" { _ = state.press("v") }
            let grid = state.draw()
            #expect(grid.size == Size(columns: columns, rows: rows))
            #expect(grid.cursor.map { $0.row < rows && $0.column < columns } == true, "\(step)")
        }
    }

    @Test func `a click goes to a field and to a letter`() {
        var state = WritingTests.state()
        _ = state.press("c")
        _ = state.update(.input(.mouse(MouseEvent(.press, row: 4, column: 12))))
        #expect(state.writing.composer?.focus == .subject)

        state.writing.composer?.editor.replaceAll(with: "one two")
        _ = state.update(.input(.mouse(MouseEvent(.press, row: 6, column: 4))))

        #expect(state.writing.composer?.focus == .text)
        #expect(state.writing.composer?.editor.cursor == TextEditor.Place(line: 0, column: 4))
    }

    /// Fails when an editor is called before the draft is on the disk, or its work is not taken.
    @Test func `another editor gets what is saved, and its work is reviewed`() {
        var state = WritingTests.state(settings: WritingSettings(usesExternalEditor: true))
        #expect(WritingTests.saved(state.press("c")) != nil)
        let number = state.writing.composer?.number ?? 0
        guard
            case .edit(number, LocalDraftID("local"), _, context: "")? = WritingTests.writing(
                WritingTests.answerSave(&state)
            ).first
        else { return #expect(Bool(false), "no editor") }

        let effects = state.update(
            .writing(
                .edited(
                    number, DraftContent(from: "sales@acme.example", to: "ann@x.example", subject: "Hi", text: "Text"),
                    files: ["/tmp/a"])))

        #expect(state.context == .review && state.screen.contains("Text"))
        #expect(state.writing.composer?.content.mailbox == MailboxID("mb2"))
        #expect(WritingTests.writing(effects).contains(.attach(number, LocalDraftID("local"), path: "/tmp/a")))
    }

    /// Fails when mail that waits for a server is read each second, or what another process did to it goes unseen.
    @Test func `mail is looked at until its time, and again when the outbox changes`() {
        var state = WritingTests.state()
        let draft = LocalDraftID("local")
        state.writing.countdowns.append(
            Send(
                id: SendID("s"), draft: draft, revision: 1, notBefore: 1_010_000, createdAt: Timestamp("2026-01-01")))
        func look(_ seconds: Int64) -> [WritingEffect] {
            WritingTests.writing(state.update(.clock(secondsSinceEpoch: seconds, utcOffsetSeconds: 0)))
        }

        #expect(look(1_005) == [.loadDrafts] && look(1_011) == [.loadDrafts])
        #expect(look(1_020) == [])
        let waiting = OutboxCounts(queued: 1, mails: 1)
        #expect(WritingTests.writing(state.update(.outboxCounted(waiting))) == [.loadDrafts])
        #expect(WritingTests.writing(state.update(.outboxCounted(waiting))) == [])
        #expect(WritingTests.writing(state.update(.outboxCounted(OutboxCounts()))) == [.loadDrafts])
        #expect(WritingTests.writing(state.update(.outboxCounted(OutboxCounts(queued: 3)))) == [])
    }
}
