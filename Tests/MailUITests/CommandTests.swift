import MailModel
import TerminalUI
import Testing

@testable import MailUI

/// The `:` line, the palette and the help: keys in, screens and effects out.
struct CommandTests {
    private static let inbox = ListScope(folder: .inbox)

    private static func state(columns: Int = 80, rows: Int = 24) -> AppState {
        var state = Fixture.state(columns: columns, rows: rows, (0..<30).map { Fixture.row("t\($0)", unread: $0 % 2) })
        let boxes = ["support@example.org", "billing@example.org", "info@other.example"].map { address in
            MailboxCounts(
                mailbox: Mailbox(
                    id: MailboxID(address), address: address, displayName: "", isActive: true, accessLevel: .manager),
                unread: [.inbox: 2], total: [:])
        }
        _ = state.update(.countsLoaded([MailboxCounts(mailbox: nil, unread: [:], total: [:])] + boxes))
        _ = state.update(
            .configured(
                .standard,
                [
                    SettingChoice(
                        name: "keys.profile", value: "default", values: ["default", "mutt"], help: "Whose keys.")
                ]))
        return state
    }

    private static func typed(_ line: String, _ state: inout AppState) -> [Effect] {
        state.press(":" + line) + state.update(.input(.plain(.enter)))
    }

    /// Fails when a command is not understood, or its effect is another.
    @Test(arguments: [
        ("go sent", Effect.loadConversations(ListScope(folder: .sent), filter: "", limit: 200, generation: 1)),
        ("go arch", .loadConversations(ListScope(folder: .archived), filter: "", limit: 200, generation: 1)),
        ("go-trash", .loadConversations(ListScope(folder: .trash), filter: "", limit: 200, generation: 1)),
        ("cd inbox", nil), ("mailbox", nil),
        (
            "mailbox SUPPORT@",
            .loadConversations(
                ListScope(mailboxID: MailboxID("support@example.org"), folder: .inbox), filter: "", limit: 200,
                generation: 1)
        ),
        ("filter old  boats", .loadConversations(inbox, filter: "old boats", limit: 200, generation: 1)),
        ("search x", .loadConversations(inbox, filter: "x", limit: 200, generation: 1)),
        ("open", .loadConversation(ThreadID("t0"))), ("q", .quit), ("quit", .quit), ("exit", .quit), ("q!", .quit),
        ("sync", .syncNow), ("refr", .syncNow), ("set keys.profile=mutt", .changeSetting("keys.profile=mutt")),
        ("reload", .reloadSettings), ("redraw", .redraw), ("12", nil), ("", nil),
    ])
    func `a typed command is done`(_ line: String, _ effect: Effect?) {
        var state = Self.state()

        let effects = Self.typed(line, &state).filter { if case .remember = $0 { false } else { $0 != .bell } }

        #expect(effects == (effect.map { [$0] } ?? []))
    }

    @Test(arguments: [
        ("opne", "“opne” is no command. Did you mean “open”?"), ("xyzzy", "“xyzzy” is no command."),
        ("fold", "“fold” works in the reader."), ("go", "Say what after “go”: FOLDER."),
        ("open x", "“open” takes nothing after it."), ("go snet", "“snet” is no folder. Did you mean “sent”?"),
        ("go s", "“s” is more than one folder. There are starred, sent."), ("n", "“n” may mean"),
        ("mailbox example.org", "“example.org” fits 2 mailboxes; type more of the address."),
        ("mailbox nobody", "No mailbox here has “nobody” in its address."), ("leave", "“leave” may mean"),
        ("go \u{1B}[31m", "“[31m” is no folder."),
    ])
    func `a command that cannot be done says why`(_ line: String, _ sentence: String) {
        var state = Self.state(columns: 200)

        #expect(Self.typed(line, &state).contains(.bell))

        #expect(state.screen.contains(sentence), "\(state.notice ?? "")")
    }

    @Test func `a number goes to its line`() {
        var state = Self.state()
        _ = Self.typed("12", &state)
        #expect(state.selectedThread == ThreadID("t11"))
        _ = Self.typed("999", &state)
        #expect(state.selectedThread == ThreadID("t29"))
    }

    /// Fails when Tab completes otherwise than people expect, or a candidate has no sentence beside it.
    @Test func `Tab completes names and what follows them`() {
        var state = Self.state()
        _ = state.press(":next-u")
        #expect(state.screen.contains("next-unread  Tab  Next unread conversation."))
        _ = state.update(.input(.plain(.tab)))
        #expect(state.prompt?.text == "next-unread")
        _ = state.update(.input(.key(.character("u"), .control)))
        _ = state.press("mailb")
        _ = state.update(.input(.plain(.tab)))
        #expect(state.prompt?.text == "mailbox ")
        _ = state.update(.input(.key(.character("u"), .control)))
        _ = state.press("go ")
        for folder in ["inbox", "starred", "sent"] {
            _ = state.update(.input(.plain(.tab)))
            #expect(state.prompt?.text == "go \(folder)")
        }
        _ = state.update(.input(.key(.tab, .shift)))
        #expect(state.prompt?.text == "go starred")
        _ = state.update(.input(.key(.character("u"), .control)))
        _ = state.press("set keys.profile=m")
        _ = state.update(.input(.plain(.tab)))
        #expect(state.prompt?.text == "set keys.profile=mutt")
    }

    /// Fails when the history loses the line being typed, or shows lines that do not begin like it.
    @Test func `the history goes up and down through lines that begin alike`() {
        var state = Self.state()
        _ = state.update(.historyLoaded(["go sent", "filter a", "go trash"]))
        #expect(Self.typed("go inbox", &state).contains(.remember("go inbox")))
        #expect(!Self.typed("go inbox", &state).contains(.remember("go inbox")))
        #expect(Self.typed(" go sent", &state).allSatisfy { if case .remember = $0 { false } else { true } })
        _ = state.press(":go ")
        for text in ["go inbox", "go trash", "go sent", "go sent"] {
            _ = state.update(.input(.plain(.up)))
            #expect(state.prompt?.text == text)
        }
        _ = state.update(.input(.key(.character("p"), .control)))
        for text in ["go trash", "go inbox", "go ", "go "] {
            _ = state.update(.input(.plain(.down)))
            #expect(state.prompt?.text == text)
        }
    }

    /// Fails when a paste is executed, or acts in the list.
    @Test func `a paste is text and never a command`() {
        var state = Self.state()
        #expect(state.update(.input(.paste("jjq\ndd\n"))).isEmpty)
        #expect(state.selectedThread == ThreadID("t0"))
        _ = state.press(":")
        #expect(state.update(.input(.paste("quit\nquit\n"))).isEmpty)
        #expect(state.prompt?.text == "quit quit ")
    }

    @Test(arguments: [
        ("star", "toggle-star"), ("flag", "toggle-star"), ("starred", "go-starred"), ("delete", "trash"),
        ("tag", "select"), ("nu", "next-unread"), ("bin", "trash"), ("queue", "outbox"),
        ("sync", "refresh"), ("unfold", "unfold"), ("quit", "quit"), ("gi", "go-inbox"), ("shell", "suspend"),
        ("check mail", "refresh"), ("limit", "filter"), ("postponed", "go-drafts"),
    ])
    func `the palette finds an action by any word for it`(_ words: String, _ command: String) {
        let state = Self.state()

        #expect(state.paletteItems(words).first?.invocation?.id.command == command)
    }

    @Test func `the palette does what is chosen and says why it cannot`() {
        var state = Self.state()
        _ = state.update(.input(.key(.character("k"), .control)))
        _ = state.press("sent")
        #expect(state.update(.input(.plain(.enter))).count == 1)
        #expect(state.scope.folder == .sent && state.prompt == nil)
        _ = state.update(.input(.key(.character(" "), .control)))
        _ = state.press("unfold all")
        #expect(state.screen.contains("Works in the reader."))
        #expect(state.update(.input(.plain(.enter))) == [.bell])
        #expect(state.prompt != nil)
        _ = state.update(.input(.plain(.escape)))
        #expect(state.prompt == nil)
    }

    /// Fails when an action cannot be found in the help by its name or any synonym.
    @Test(arguments: ActionTable.all.filter { !$0.synonyms.isEmpty })
    func `help finds every action by its synonyms`(_ action: Action) {
        var state = Self.state(columns: 200)
        for word in action.synonyms {
            state.helpTop = 0
            state.helpWords = word
            let text = state.helpLines.map { $0.map(\.text).joined() }.joined(separator: "\n")
            #expect(text.contains(action.help), "\(word)")
        }
    }

    @Test func `help is narrowed while typing and goes back one level at a time`() {
        var state = Self.state()
        _ = state.press("?/quoted")
        #expect(state.screen.contains("Show or hide quoted text.") && !state.screen.contains("Next line."))
        _ = state.update(.input(.plain(.enter)))
        _ = state.press("q")
        let lines = state.helpLines.map { $0.map(\.text).joined() }
        #expect(lines.contains { $0.contains("Next line.") })
        _ = state.press("q")
        #expect(state.helpTop == nil)
        _ = Self.typed("help nosuchword", &state)
        #expect(state.screen.contains("No line of help has these words."))
    }

    /// Fails when a count is lost, or typed digits act.
    @Test func `counts repeat movement and choose lines`() {
        var state = Self.state()
        _ = state.press("5j")
        #expect(state.selectedThread == ThreadID("t5"))
        _ = state.press("12gg")
        #expect(state.selectedThread == ThreadID("t11"))
        _ = state.press("20G")
        #expect(state.selectedThread == ThreadID("t19"))
        _ = state.press("3")
        _ = state.update(.input(.plain(.escape)))
        _ = state.press("k")
        #expect(state.selectedThread == ThreadID("t18"))
        _ = state.press("99999999999k")
        #expect(state.selectedThread == ThreadID("t0"))
        #expect(state.press("0") == [.bell])
        _ = state.press("3")
        _ = state.update(.input(.plain(.tab)))
        #expect(state.selectedThread == ThreadID("t5"))
        _ = state.press("2")
        _ = state.update(.input(.key(.tab, .shift)))
        #expect(state.selectedThread == ThreadID("t1"))
    }

    /// Fails when a count beyond the rows loaded stops at their end.
    @Test func `a count loads the rows it needs`() {
        var state = Fixture.state(columns: 80, rows: 24, [])
        let rows = (0..<900).map { Fixture.row("t\($0)", second: 1_000 - $0) }
        _ = state.update(
            .conversationsLoaded(Self.inbox, generation: 0, rows: Array(rows[..<200]), hasMore: true))
        #expect(state.press("500G") == [.loadConversations(Self.inbox, filter: "", limit: 10_000, generation: 1)])
        _ = state.update(.conversationsLoaded(Self.inbox, generation: 1, rows: rows, hasMore: false))
        #expect(state.selectedThread == ThreadID("t499"))
    }

    /// Fails when what may follow a prefix is cut at any size.
    @Test(arguments: [(40, 12), (80, 24), (200, 50), (60, 8)])
    func `all that may follow a prefix is shown at once`(_ columns: Int, _ rows: Int) {
        var state = Self.state(columns: columns, rows: rows)
        _ = state.press("g")
        for text in ["gg first", "gi inbox", "gc catch-all", "gm next mailbox"] { #expect(state.screen.contains(text)) }
    }

    /// Fails when a command is refused because the help is in front of where it works.
    @Test func `what is in front gives way to a command`() {
        var state = Self.state()
        _ = state.press("?:go sent")
        #expect(state.update(.input(.plain(.enter))).count == 2)
        #expect(state.scope.folder == .sent && state.helpTop == nil)
        _ = state.press("?")
        _ = Self.typed("page-down", &state)
        #expect(state.helpTop ?? 0 > 0)
    }

    @Test func `a command from the reader may belong to the list`() {
        var state = Self.state()
        _ = state.update(.input(.plain(.enter)))
        _ = Self.typed("filter boats", &state)
        #expect(state.openThread == nil && state.list.filter == "boats")
    }
}
