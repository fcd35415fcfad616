import Testing

@testable import MailUI

/// Keys as tables write them, and the table of actions as a whole.
struct KeyMapTests {
    /// Fails when a word of the settings means another key than people think.
    @Test(arguments: [
        ("j", ["j"]), ("gg", ["g", "g"]), ("C-x C-c", ["C-x", "C-c"]), ("C-N", ["C-n"]), ("M-x", ["A-x"]),
        ("pgdn", ["PgDn"]), ("PageDown", ["PgDn"]), ("F5", ["F5"]), ("S-Tab", ["S-Tab"]), ("C-i", ["Tab"]),
        ("C-[", ["Esc"]), ("-", ["-"]), ("C--", ["C--"]), ("Up", ["Up"]), ("U p", ["U", "p"]),
        ("g Space", ["g", "Space"]),
        ("é", ["é"]), ("漢", ["漢"]), ("C-Space", ["C-Space"]), ("A-Enter", ["A-Enter"]), ("C-A-x", ["C-A-x"]),
        ("A-C-x", ["C-A-x"]), ("C-/", ["C-_"]), ("M-C-/", ["C-A-_"]), ("C-?", ["Backspace"]), ("C-@", ["C-Space"]),
    ])
    func `a sequence is read and written`(_ text: String, _ keys: [String]) {
        let sequence = KeySequence(text)

        #expect(sequence?.keys == keys)
        #expect(sequence.flatMap { KeySequence($0.text) } == sequence)
    }

    @Test(arguments: ["", " ", "PgDonw", "C-", "C-xx", "S-a", "X-a", "a b c d e", "F25", "C-C-x", "abcd", "a\u{7}"])
    func `what names no key is none`(_ text: String) {
        #expect(KeySequence(text) == nil)
    }

    /// Fails when the table has a key twice in a place, or one that begins another and so hides it.
    @Test(arguments: ActionContext.allCases) func `no key hides another`(_ context: ActionContext) {
        let actions = ActionTable.all.filter { $0.contexts.contains(context) }
        let keys = actions.flatMap(\.keys).map { KeySequence($0) }

        #expect(keys.allSatisfy { $0 != nil })
        #expect(Set(keys).count == keys.count)
        for key in keys.compactMap({ $0 }) {
            #expect(KeyMap.standard.continuations(of: key, in: context).isEmpty, "\(key.text)")
        }
    }

    /// What one key does in different places on purpose: forward into, back out of, and on to the next of a thing.
    private static let families: [Set<ActionID>] = [
        [.open, .toggleFold, .openAttachment, .retry], [.openAttachment, .openLink], [.saveMessage, .saveAttachment],
        [.quit, .back, .clearFilter],
        [.nextFolder, .nextConversation], [.trash, .drop], [.selectDown, .pageDown],
        [.previousFolder, .previousConversation],
    ]

    /// Fails when one letter means one thing here and another there; looking a mail over before it goes has its own.
    @Test func `a key means the same everywhere`() {
        var meanings: [String: Set<ActionID>] = [:]
        for action in ActionTable.all where action.contexts != [.review] {
            for keys in action.keys { meanings[keys, default: []].insert(action.id) }
        }

        for (keys, ids) in meanings where ids.count > 1 {
            #expect(Self.families.contains { ids.isSubset(of: $0) }, "\(keys): \(ids)")
        }
    }

    @Test func `every action has one entry a place, a command and a sentence`() {
        let commands = Set(ActionID.allCases.map(\.command))

        #expect(commands.count == ActionID.allCases.count)
        for action in ActionTable.all {
            #expect(action.help.hasSuffix("."))
            for context in action.contexts {
                #expect(ActionTable.entries(of: action.id).count { $0.contexts.contains(context) } == 1)
            }
        }
    }
}
