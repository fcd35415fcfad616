import DisplayText
import MailModel
import MailText
import TerminalUI
import Testing

@testable import MailUI

/// What a person sees while reading, as the window and the mail change.
struct ReadingTests {
    private static func message(_ second: Int, lines: Int, subject: String = "Tide tables") -> ConversationMessage {
        let text = (1...lines).map { "m\(second) line \($0)" }.joined(separator: "\n")
        var message = Fixture.message("a", text: text)
        let summary = Fixture.summary("a\(second)", second: second, subject: subject)
        message.summary = summary
        message.detail?.summary = summary
        return message
    }

    private static func reading(_ messages: [ConversationMessage], columns: Int = 80, rows: Int = 24) -> AppState {
        var state = Fixture.state(columns: columns, rows: rows, [Fixture.row("a"), Fixture.row("b")])
        _ = state.update(.input(.plain(.enter)))
        _ = state.update(.conversationLoaded(ThreadID("a"), messages))
        return state
    }

    private func topText(_ state: AppState) -> String {
        let row = state.draw().rowText(0)
        return String(row.drop { $0 != "│" }.dropFirst()).trimmingBlanks
    }

    /// Fails when marking a very long text as read lays it out once more, or its mark stays; a change of the text must.
    @Test func `a text is laid out once, whatever becomes of its marks`() {
        var message = Self.message(2, lines: 30)
        var pane = ReaderState(item: .thread(ThreadID("a")))
        pane.take([message])
        let key = ReaderState.BodyKey(message: message.summary.id, columns: 60, showQuotes: false)
        pane.bodies[key] = RenderedBody()
        message.summary.readAt = message.summary.receivedAt
        message.detail?.summary = message.summary
        pane.take([message])
        #expect(pane.bodies[key] != nil && pane.revisions[message.summary.id] == 1)
        message.detail?.textBody = "Another text"
        pane.take([message])
        #expect(pane.bodies[key] == nil)

        var state = Self.reading([Self.message(2, lines: 30)])
        #expect(state.screen.contains("▾ ●"))
        _ = state.update(.conversationLoaded(ThreadID("a"), [message]))
        #expect(state.screen.contains("▾ a2") && state.screen.contains("Another text"))
    }

    /// Fails when a message that arrives, or grows above the window, moves what the person reads.
    @Test func `mail that arrives does not move the text being read`() {
        var state = Self.reading([Self.message(2, lines: 90), Self.message(3, lines: 90)])
        for _ in 0..<7 { _ = state.press(" ") }
        let before = topText(state)
        #expect(before.hasPrefix("m"))
        let earlier = [Self.message(1, lines: 40), Self.message(2, lines: 90), Self.message(3, lines: 90)]
        _ = state.update(.conversationLoaded(ThreadID("a"), earlier + [Self.message(4, lines: 3)]))
        #expect(topText(state) == before)
    }

    /// Fails when a new width loses the place in the text.
    @Test func `a new size keeps the place in the text`() {
        var state = Self.reading([Self.message(2, lines: 200)])
        for _ in 0..<5 { _ = state.press(" ") }
        let before = topText(state)
        for size in [(40, 12), (120, 30), (20, 5), (200, 50), (80, 24)] {
            _ = state.update(.resized(Size(columns: size.0, rows: size.1)))
        }
        #expect(topText(state) == before)
    }

    /// Fails when each message repeats the subject, or one with another subject hides it.
    @Test func `a subject is shown where it changes`() {
        let messages = [
            Self.message(1, lines: 1), Self.message(2, lines: 1, subject: "RE: Re: Tide tables"),
            Self.message(3, lines: 1, subject: "Moon tables"),
        ]
        var state = Self.reading(messages, rows: 40)
        _ = state.press("zR")
        let screen = state.screen
        #expect(screen.components(of: "Subject:") == 1)
        #expect(screen.contains("Subject: Moon tables"))
    }

    /// Fails when a long sender or a narrow window costs the date or part of the address.
    @Test(arguments: [40, 80, 120, 200]) func `sender and moment are whole at every width`(columns: Int) {
        let sender = "someone.with.a.rather.long.name@department.example.org"
        var message = Self.message(1, lines: 1)
        message.summary.fromAddress = sender
        let state = Self.reading([message], columns: columns, rows: 40)
        let text = state.screen.split(separator: "\n").map { line in
            (columns < 70 ? String(line) : String(line.split(separator: "│").last ?? "")).trimmingBlanks
        }
        #expect(text.contains { $0.contains("Thu 1 Jan 1970, 00:00") })
        #expect(text.joined().contains(sender))
    }

    /// Fails when between 110 and 139 columns the list is squeezed by a reader that shows nothing opened.
    @Test(arguments: [110, 120, 139]) func `a wide window gives the list its room until something is opened`(
        columns: Int
    ) {
        let subject = "A subject of some sixty letters, as people write them in mails"
        var state = Fixture.state(columns: columns, rows: 24, [Fixture.row("a", subject: subject)])
        #expect(columns < 120 || state.screen.contains(subject.prefix(48)))
        _ = state.update(.input(.plain(.enter)))
        let bars = Array(state.draw().rowText(0)).filter { $0 == "│" }
        #expect(bars.count == 2)
    }

    /// Fails when the pane beside the list stays empty for a selected draft.
    @Test func `a selected draft is shown beside the list`() {
        var state = Fixture.state(columns: 200, rows: 24, [])
        _ = state.press("gd")
        let draft = Draft(
            id: DraftID("d"), mailboxID: nil, replyToMessageID: nil, forwardOfMessageID: nil, from: "me@example.org",
            to: ["you@example.org"], cc: [], bcc: [], subject: "Plan", text: "The text of the draft.", html: "",
            version: 1, updatedAt: Timestamp(millisecondsSinceEpoch: 0), attachments: [])
        _ = state.update(.draftsLoaded([draft]))
        #expect(state.screen.contains("Draft, not sent."))
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text.drop { $0 == " " })
    }

    /// How often a text occurs.
    fileprivate func components(of part: String) -> Int {
        indices.count { self[$0...].hasPrefix(part) }
    }
}
