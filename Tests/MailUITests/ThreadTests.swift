import MailModel
import MailUI
import TerminalUI
import Testing

/// Long conversations: only what is shown is laid out, and every message can still be reached.
struct ThreadTests {
    static func message(_ number: Int, lines: Int = 3, isRead: Bool = false, answers: Int? = nil)
        -> ConversationMessage
    {
        let text = (1...lines).map { "m\(number) line \($0)" }.joined(separator: "\n")
        var message = Fixture.message("a", text: text)
        var summary = Fixture.summary("a\(number)", second: number, subject: "Tide tables")
        if isRead { summary.readAt = summary.receivedAt }
        message.summary = summary
        message.detail?.summary = summary
        message.detail?.internetMessageID = "<\(number)@example.org>"
        message.detail?.inReplyTo = answers.map { "<\($0)@example.org>" }
        return message
    }

    static func reading(_ messages: [ConversationMessage], columns: Int = 80, rows: Int = 24) -> AppState {
        var state = Fixture.state(columns: columns, rows: rows, [Fixture.row("a"), Fixture.row("b")])
        _ = state.update(.input(.plain(.enter)))
        _ = state.update(.conversationLoaded(ThreadID("a"), messages))
        return state
    }

    /// The numbers of the message lines on the screen, in order.
    private func shown(_ state: AppState) -> [String] {
        state.screen.split(separator: "\n").compactMap { line in
            line.split(separator: "│").last?.split(separator: " ").prefix(3).joined(separator: " ")
        }.filter { $0.hasPrefix("m") && $0.contains("line") }
    }

    /// Fails when scrolling line by line through an unfolded thread skips or repeats a line at any seam.
    @Test func `every line of a long thread can be scrolled to`() {
        var state = Self.reading((1...60).map { Self.message($0, lines: 5) })
        _ = state.press("gg")
        var seen: [String] = []
        for _ in 0..<900 {
            for line in shown(state) where seen.last != line && !seen.suffix(40).contains(line) { seen.append(line) }
            _ = state.press("j")
        }
        #expect(seen == (1...60).flatMap { message in (1...5).map { "m\(message) line \($0)" } })
        for _ in 0..<900 { _ = state.press("k") }
        #expect(shown(state).first == "m1 line 1")
    }

    /// Fails when the first and last line, or the pages between them, are lost in a thread that is laid out in parts.
    @Test func `both ends and the pages between are reached`() {
        var state = Self.reading((1...300).map { Self.message($0, lines: 20) })
        _ = state.press("G")
        #expect(shown(state).last == "m300 line 20")
        #expect(state.screen.contains("300/300"))
        _ = state.press("gg")
        #expect(shown(state).first == "m1 line 1")
        var pages = 0
        while shown(state).last != "m300 line 20", pages < 1_000 {
            let before = shown(state).last
            _ = state.press(" ")
            pages += 1
            #expect(shown(state).last != before)
        }
        // 25 lines a message, 21 lines a page.
        #expect((340...380).contains(pages))
        for _ in 0..<pages { _ = state.press("-") }
        #expect(shown(state).first == "m1 line 1")
    }

    /// Fails when a folded message, or one far away, cannot be gone to, or the position told is another.
    @Test func `next and previous go through all messages and tell which one`() {
        var state = Self.reading((1...120).map { Self.message($0, lines: 30, isRead: true) })
        #expect(state.screen.contains("120/120"))
        for _ in 0..<119 { _ = state.press("[") }
        #expect(state.screen.contains("1/120"))
        _ = state.press("zRG")
        _ = state.press("[[[[[")
        #expect(state.screen.contains("115/120"))
        #expect(shown(state).first == "m115 line 1")
    }

    /// Fails when opening or scrolling lays out more than what is near the screen.
    @Test func `the work of opening does not grow with the thread`() {
        let short = Self.reading((1...40).map { Self.message($0, lines: 40) })
        let long = Self.reading((1...500).map { Self.message($0, lines: 40) })
        #expect(short.laidOutMessages < 20 && long.laidOutMessages < 20)
        var state = long
        _ = state.press("zMzRG")
        #expect(state.laidOutMessages < 200)
    }

    /// Fails when a plain exchange is set in, or a second answer to the same message is not.
    @Test func `only branches of a conversation are set in`() {
        let messages = [
            Self.message(1), Self.message(2, answers: 1), Self.message(3, answers: 2), Self.message(4, answers: 1),
            Self.message(5, answers: 4), Self.message(6, answers: 9),
        ]
        var state = Self.reading(messages, columns: 100, rows: 60)
        _ = state.press("zM")
        let heads = state.screen.split(separator: "\n").compactMap { line in
            line.split(separator: "│").last.map(String.init)
        }.filter { $0.contains("▸") }
        #expect(heads.map { $0.prefix { $0 == " " }.count } == [1, 1, 1, 3, 3, 1])
    }

    /// Fails when the full headers miss something the server tells, or stay when the short ones are asked for.
    @Test func `all headers are shown on a key`() {
        var message = Self.message(2, answers: 1)
        message.detail?.references = ["<0@example.org>", "<1@example.org>"]
        message.detail?.deliveredToAddress = "team@example.org"
        var state = Self.reading([message], columns: 100, rows: 40)
        let short = state.screen
        _ = state.press("H")
        for text in ["<2@example.org>", "<1@example.org>", "<0@example.org>", "team@example.org", "Inbox"] {
            #expect(state.screen.contains(text))
        }
        _ = state.press("H")
        #expect(state.screen == short)
    }

    /// Fails when a thread that no one answer can hold is not fetched beginning with what is shown.
    @Test func `of a long thread the texts shown are wanted first`() {
        func bare(_ count: Int) -> [ConversationMessage] {
            (1...count).map { number in
                var message = Self.message(number, isRead: number < count - 1)
                message.detail = nil
                return message
            }
        }
        func wanted(_ messages: [ConversationMessage]) -> [Effect] {
            var state = Fixture.state(columns: 80, rows: 24, [Fixture.row("a")])
            _ = state.update(.input(.plain(.enter)))
            return state.update(.conversationLoaded(ThreadID("a"), messages))
        }
        #expect(wanted(bare(100)) == [.fetchBodies(ThreadID("a"))])
        let first = ["m-a149", "m-a150"].map { MessageID($0) }
        #expect(wanted(bare(150)) == [.fetchBodies(ThreadID("a"), first: first)])
    }
}
