/// The one table of actions that keys, hint lines and help are made from.
package enum ActionTable {
    /// Every action, in the order help shows them.
    package static let all: [Action] = reading + movement + places + general

    private static let movement: [Action] = [
        Action(.moveDown, "down", ["j", "Down", "C-n"], [.list, .reader, .help], "Next line."),
        Action(.moveUp, "up", ["k", "Up", "C-p"], [.list, .reader, .help], "Previous line."),
        Action(.first, "first", ["gg", "Home"], [.list, .reader, .help], "First line."),
        Action(.last, "last", ["G", "End"], [.list, .reader, .help], "Last line."),
        Action(.halfPageDown, "half page down", ["C-d"], [.list, .reader, .help], "Half a page down."),
        Action(.halfPageUp, "half page up", ["C-u"], [.list, .reader, .help], "Half a page up."),
        Action(.pageDown, "page down", ["C-f", "PgDn"], [.list], "A page down."),
        Action(.pageUp, "page up", ["C-b", "PgUp"], [.list], "A page up."),
        Action(.pageDown, "page down", ["Space", "PgDn", "C-f"], [.reader, .help], "A page down.", hinted: true),
        Action(.pageUp, "page up", ["-", "PgUp", "C-b"], [.reader, .help], "A page up."),
        Action(.nextUnread, "next unread", ["Tab"], [.list, .reader], "Next unread conversation.", hinted: true),
        Action(.previousUnread, "previous unread", ["S-Tab"], [.list, .reader], "Previous unread conversation."),
    ]

    private static let places: [Action] = [
        Action(.nextFolder, "next folder", ["J"], [.list], "Next mailbox or folder.", hinted: true),
        Action(.previousFolder, "previous folder", ["K"], [.list], "Previous mailbox or folder."),
        Action(.nextMailbox, "mailbox", ["gm", "M"], [.list, .reader], "The same folder of the next mailbox."),
        Action(.goInbox, "inbox", ["gi"], [.list, .reader], "Go to the inbox."),
        Action(.goStarred, "starred", ["gs"], [.list, .reader], "Go to starred conversations."),
        Action(.goSent, "sent", ["gt"], [.list, .reader], "Go to sent mail."),
        Action(.goDrafts, "drafts", ["gd"], [.list, .reader], "Go to drafts."),
        Action(.goArchive, "archive", ["ga"], [.list, .reader], "Go to the archive."),
        Action(.goTrash, "trash", ["gx"], [.list, .reader], "Go to the trash."),
        Action(.goCatchall, "catch-all", ["gc"], [.list, .reader], "Go to the catch-all folder."),
    ]

    private static let reading: [Action] = [
        Action(.open, "open", ["Enter", "l", "Right"], [.list], "Open the conversation.", hinted: true),
        Action(.back, "back", ["q", "h", "Left", "Esc"], [.reader, .help], "Back to where you were.", hinted: true),
        Action(.nextConversation, "next", ["n", "J"], [.reader], "Next conversation.", hinted: true),
        Action(.previousConversation, "previous", ["p", "K"], [.reader], "Previous conversation."),
        Action(.nextMessage, "next message", ["]", "}"], [.reader], "Next message of the conversation."),
        Action(.previousMessage, "previous message", ["[", "{"], [.reader], "Previous message of the conversation."),
        Action(.toggleFold, "fold", ["Enter", "za"], [.reader], "Fold or unfold the current message.", hinted: true),
        Action(.unfold, "unfold", ["zo"], [.reader], "Unfold the current message."),
        Action(.fold, "fold", ["zc"], [.reader], "Fold the current message to one line."),
        Action(.unfoldAll, "unfold all", ["zR"], [.reader], "Unfold every message."),
        Action(.foldAll, "fold all", ["zM"], [.reader], "Fold every message."),
        Action(.toggleQuotes, "quotes", ["zz", "zq", "T"], [.reader], "Show or hide quoted text."),
    ]

    private static let general: [Action] = [
        Action(.filter, "filter", ["/", "\\"], [.list], "Show only what has the words typed.", hinted: true),
        Action(.clearFilter, "all again", ["Esc", "h", "Left"], [.list], "Leave the filter."),
        Action(.refresh, "refresh", ["$", "C-r", "F5"], [.list, .reader], "Fetch what is new.", hinted: true),
        Action(.help, "help", ["?", "F1"], [.list, .reader, .help], "Show or leave this list of keys.", hinted: true),
        Action(.redraw, "redraw", ["C-l"], [.list, .reader, .help], "Paint the screen again."),
        Action(.suspend, "suspend", ["C-z"], [.list, .reader, .help], "Go back to the shell for a while."),
        Action(.quit, "quit", ["q"], [.list], "Leave Herald.", hinted: true),
        Action(.quitNow, "quit", ["Q"], [.list, .reader, .help], "Leave Herald from anywhere."),
        Action(.interrupt, "quit", ["C-c"], [.list, .reader, .help], "Leave Herald when pressed twice."),
    ]

    /// The action a finished key sequence means.
    package static func action(for keys: String, in context: ActionContext) -> Action? {
        byKeys[context]?[keys]
    }

    /// The longer sequences that begin with `keys`, with their actions.
    package static func continuations(of keys: String, in context: ActionContext) -> [(keys: String, action: Action)] {
        guard !keys.isEmpty else { return [] }
        return all.filter { $0.contexts.contains(context) }.flatMap { action in
            action.keys.filter { sequence in
                sequence != keys && sequence.hasPrefix(keys) && sequence.first?.isLowercase == true
            }.map { ($0, action) }
        }
    }

    private static let byKeys: [ActionContext: [String: Action]] = {
        var table: [ActionContext: [String: Action]] = [:]
        for action in all {
            for context in action.contexts {
                for keys in action.keys { table[context, default: [:]][keys] = action }
            }
        }
        return table
    }()
}
