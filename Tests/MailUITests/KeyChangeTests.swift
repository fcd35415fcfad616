import MailModel
import TerminalUI
import Testing

@testable import MailUI

/// Keys as profiles and settings change them.
struct KeyChangeTests {
    private static func changes(_ lines: [String]) -> [KeyChange] {
        lines.enumerated().map { index, line in
            let parts = line.split(separator: "|", omittingEmptySubsequences: false).map { String($0) }
            return KeyChange(group: parts[0], keys: parts[1], command: parts[2], line: index + 1)
        }
    }

    private static func fault(_ lines: [String], _ profile: KeyProfile = .default) -> KeyFault? {
        do throws(KeyFault) {
            _ = try KeyMap(profile: profile, changes: changes(lines))
            return nil
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            (["list|o|open"], "o", "open"), (["list|q|none"], "q", nil), (["list|q|go sent"], "q", "go sent"),
            (["list|j|open"], "j", "open"), (["everywhere|X|quit-now"], "X", "quit-now"),
            (["everywhere|X|quit-now", "list|X|open"], "X", "open"), (["everywhere|q|none"], "q", nil),
            (["list|g...|none", "list|g|refresh"], "g", "refresh"), (["list|C-x C-s|filter"], "C-x C-s", "filter"),
            (["list|j|none", "list|jj|last"], "jj", "last"), (["list|zz|none"], "zz", nil),
            (["list|C-i|open"], "Tab", "open"),
            (["list|PageDown|last"], "PgDn", "last"), (["list|5|open"], "5", "open"),
            (["list|C-c|none"], "C-c", nil), (["reader|j|open|x"], "j", "move-down"),
        ] as [([String], String, String?)])
    func `a change is in force`(_ lines: [String], _ keys: String, _ command: String?) throws {
        let map = try KeyMap(profile: .default, changes: Self.changes(lines.filter { !$0.hasSuffix("|x") }))

        #expect(map.invocation(for: KeySequence(keys) ?? KeySequence(keys: []), in: .list)?.text == command)
    }

    @Test(arguments: [
        (["list|g|refresh"], "would hide “gg” (first), “gm” (next-mailbox) and 10 more", "Add \"g...\" = \"none\""),
        (["list|jk|open"], "cannot be typed, since “j” does move-down", "Add \"j\" = \"none\""),
        (["list|x|open", "list|xy|last"], "cannot be typed, since “x” on line 1 begins it", "Choose other keys"),
        (["list|PgDn|open", "list|PageDown|last"], "is the same key as “PgDn” on line 1", "Leave one"),
        (["list|o|opne"], "is to do “opne”, which is no action", "Did you mean “open”?"),
        (["list|o|search"], "is to do “search”, which is no action", "Did you mean “filter”?"),
        (["list|o|xyzzy"], "is to do “xyzzy”, which is no action", "herald-keys(7)"),
        (["list|o|fold"], "cannot work", "“fold” works in the reader."),
        (["list|o|open it"], "takes nothing after it", ""),
        (["list|o|go snet"], "is to go to “snet”", "There are inbox"),
        (["list|PgDm|last"], "names no keys", "Did you mean “PgDn”?"),
        (["list|C-xx|last"], "names no keys", "Keys are"),
        (["list||last"], "names no keys", ""), (["everywhere|zk|open"], "", ""),
        (["everywhere|z|refresh"], "would hide “za” (toggle-fold), “zo” (unfold) and 8 more in the reader", "Add"),
    ])
    func `a change that cannot be had is named`(_ lines: [String], _ reason: String, _ advice: String) {
        let fault = Self.fault(lines)

        guard !reason.isEmpty else {
            #expect(fault == nil)
            return
        }
        #expect(fault?.change.line == lines.count)
        #expect(fault?.reason.contains(reason) == true, "\(fault?.reason ?? "none")")
        #expect(advice.isEmpty || fault?.advice?.contains(advice) == true, "\(fault?.advice ?? "none")")
    }

    /// Fails when a profile names what does not exist, hides keys, or leaves a place without a way out or into help.
    @Test(arguments: KeyProfile.allCases) func `every profile is whole`(_ profile: KeyProfile) throws {
        let map = try KeyMap(profile: profile)

        for context in ActionContext.allCases {
            let all = map.bindings[context] ?? []
            #expect(Set(all.map(\.keys)).count == all.count)
            for binding in all {
                #expect(map.continuations(of: binding.keys, in: context).isEmpty, "\(binding.keys.text)")
            }
            for id in [ActionID.help, .command, .palette, .moveDown, .moveUp, .first, .last, .quitNow] {
                #expect(!map.keys(of: id, in: context).isEmpty, "\(id) \(context)")
            }
        }
        #expect(!map.keys(of: .back, in: .reader).isEmpty && !map.keys(of: .back, in: .help).isEmpty)
    }

    @Test(arguments: [
        (KeyProfile.mutt, ActionContext.reader, "j", "next-conversation"), (.mutt, .list, "c", "go"),
        (.mutt, .list, "l", "filter"), (.gmail, .reader, "u", "back"), (.gmail, .list, "o", "open"),
        (.emacs, .list, "C-x C-c", "quit-now"), (.emacs, .list, "js", "go-sent"), (.emacs, .reader, "A-x", "command"),
        (.emacs, .reader, "g", "refresh"), (.emacs, .reader, "n", "next-conversation"),
        (.emacs, .help, "n", "move-down"),
        (.mutt, .attachments, "s", "save-attachment"), (.mutt, .reader, "h", "toggle-headers"),
    ])
    func `a profile has the keys of its program`(
        _ profile: KeyProfile, _ context: ActionContext, _ keys: String, _ command: String
    ) throws {
        let map = try KeyMap(profile: profile)

        #expect(map.invocation(for: KeySequence(keys) ?? KeySequence(keys: []), in: context)?.text == command)
    }

    /// Fails when hint lines, which-key lines or help show keys that are no longer there.
    @Test func `what is shown follows the keys in force`() throws {
        var state = Fixture.state(columns: 80, rows: 24, [Fixture.row("a")])
        let changes = Self.changes(["list|o|open", "list|?|none", "list|F1|none", "list|gw|filter waiting"])
        _ = state.update(.configured(try KeyMap(profile: .default, changes: changes), []))

        #expect(state.screen.contains("o open") && !state.screen.contains("? help"))
        _ = state.press("g")
        #expect(state.screen.contains("gw filter waiting"))
        #expect(
            state.press("w") == [
                .loadConversations(.init(folder: .inbox), filter: "waiting", limit: 200, generation: 1)
            ])
        _ = state.press("&")
        #expect(state.screen.contains("“&” does nothing here."))
    }

    /// Fails when taking keys away locks a person in.
    @Test func `C-c leaves also when it was taken away`() throws {
        var state = Fixture.state(columns: 80, rows: 24, [Fixture.row("a")])
        _ = state.update(
            .configured(try KeyMap(profile: .default, changes: Self.changes(["everywhere|C-c|none"])), []))
        #expect(state.update(.input(.key(.character("c"), .control))).isEmpty)
        #expect(state.update(.input(.key(.character("c"), .control))) == [.quit])
    }

    /// Fails when keys that call off a sequence cannot be part of one, or do something besides.
    @Test func `Esc and C-g call off what was begun unless they finish it`() throws {
        var state = Fixture.state(columns: 80, rows: 24, [Fixture.row("a")])
        let changes = Self.changes(["list|C-x C-g|refresh", "list|C-g|quit"])
        _ = state.update(.configured(try KeyMap(profile: .default, changes: changes), []))
        let cancel = InputEvent.key(.character("g"), .control)

        #expect(state.press("g").isEmpty && state.update(.input(cancel)).isEmpty && state.pendingKeys.isEmpty)
        #expect(state.press("3").isEmpty && state.update(.input(cancel)).isEmpty && state.count == nil)
        #expect(state.press("3g").isEmpty && state.update(.input(.plain(.escape))).isEmpty && state.count == nil)
        _ = state.update(.input(.key(.character("x"), .control)))
        #expect(state.update(.input(cancel)) == [.syncNow])
        #expect(state.update(.input(cancel)) == [.quit])
    }

    /// Fails when keys that open a prompt for what they need do something else.
    @Test func `a key for a command that needs more asks for it`() throws {
        var state = Fixture.state(columns: 80, rows: 24, [Fixture.row("a")])
        _ = state.update(.configured(try KeyMap(profile: .mutt), []))
        _ = state.press("c")
        #expect(state.prompt?.text == "go ")
        #expect(state.screen.contains("starred"))
    }
}
