/// The one table of actions that keys, commands, hint lines, help and pages are made from.
package enum ActionTable {
    /// Every action, in the order help shows them.
    package static let all: [Action] = reading + triage + writing + movement + places + queue + general

    private static let everywhere = Set(ActionContext.allCases)

    private static let movement: [Action] = [
        Action(.moveDown, "down", ["j", "Down", "C-n"], everywhere, "Next line.", synonyms: ["scroll"]),
        Action(.moveUp, "up", ["k", "Up", "C-p"], everywhere, "Previous line.", synonyms: ["scroll"]),
        Action(
            .first, "first", ["gg", "Home"], everywhere, "First line, or the line of the count.", synonyms: ["top"]),
        Action(
            .last, "last", ["G", "End"], everywhere, "Last line, or the line of the count.",
            synonyms: ["bottom", "end"]),
        Action(.halfPageDown, "half page down", ["C-d"], everywhere, "Half a page down.", synonyms: ["scroll"]),
        Action(.halfPageUp, "half page up", ["C-u"], everywhere, "Half a page up.", synonyms: ["scroll"]),
        Action(.pageDown, "page down", ["C-f", "PgDn"], [.list, .combined], "A page down.", synonyms: ["scroll"]),
        Action(.pageUp, "page up", ["C-b", "PgUp"], [.list, .combined], "A page up.", synonyms: ["scroll"]),
        Action(
            .pageDown, "page down", ["Space", "PgDn", "C-f"], [.reader, .outbox, .help, .review], "A page down.",
            synonyms: ["scroll"],
            hinted: true),
        Action(
            .pageUp, "page up", ["-", "PgUp", "C-b"], [.reader, .outbox, .help, .review], "A page up.",
            synonyms: ["scroll"]),
        Action(
            .nextUnread, "next unread", ["Tab"], [.list, .reader, .combined], "Next unread conversation.",
            synonyms: ["new mail"],
            hinted: true),
        Action(
            .previousUnread, "previous unread", ["S-Tab"], [.list, .reader, .combined], "Previous unread conversation.",
            synonyms: ["new mail"]),
    ]

    private static let places: [Action] = [
        Action(
            .nextFolder, "next folder", ["J"], [.list, .combined], "Next mailbox or folder.", synonyms: ["sidebar"],
            hinted: true),
        Action(
            .previousFolder, "previous folder", ["K"], [.list, .combined], "Previous mailbox or folder.",
            synonyms: ["sidebar"]),
        Action(
            .nextMailbox, "next mailbox", ["gm", "M"], [.list, .reader], "The same folder of the next mailbox.",
            synonyms: ["address"]),
        Action(
            .goAccount, "account", ["gA"] + (1...9).map { "A-\($0)" }, [.list, .reader, .combined, .outbox],
            "The next account, or the one of the count or number.", synonyms: ["switch account", "next account"]),
        Action(
            .allInboxes, "all inboxes", ["gI", "A-0"], [.list, .reader, .combined],
            "The inbox of all accounts, newest first.", synonyms: ["combined inbox", "unified inbox"]),
        Action(.goInbox, "inbox", ["gi"], [.list, .reader, .combined], "Go to the inbox."),
        Action(
            .goStarred, "starred", ["gs"], [.list, .reader, .combined], "Go to starred conversations.",
            synonyms: ["flagged", "favourites", "important"]),
        Action(.goSent, "sent", ["gt"], [.list, .reader, .combined], "Go to sent mail.", synonyms: ["outgoing"]),
        Action(
            .goDrafts, "drafts", ["gd"], [.list, .reader, .combined], "Go to drafts.",
            synonyms: ["postponed", "unsent"]),
        Action(
            .goArchive, "archive", ["ga"], [.list, .reader, .combined], "Go to the archive.",
            synonyms: ["done", "all mail"]),
        Action(
            .goTrash, "trash", ["gx"], [.list, .reader, .combined], "Go to the trash.",
            synonyms: ["deleted", "bin", "rubbish"]),
        Action(
            .goCatchall, "catch-all", ["gc"], [.list, .reader, .combined], "Go to the catch-all folder.",
            synonyms: ["unknown addresses"]),
        Action(
            .go, "go to", [], [.list, .reader, .combined], "Go to a folder or saved search by its name.",
            synonyms: ["cd", "cf", "folder", "change folder"], argument: .folder),
        Action(
            .toggleSidebar, "sidebar", ["B"], [.list, .reader, .combined],
            "Show or hide mailboxes and folders beside the list.",
            synonyms: ["folders", "panes", "wide"]),
        Action(
            .mailbox, "mailbox", [], [.list, .reader], "Show a mailbox by a part of its address, or all.",
            synonyms: ["address"], argument: .mailbox),
        Action(
            .account, "account", [], [.list, .reader, .combined],
            "Show an account by a part of its name, or the inbox of all.", synonyms: ["switch account"],
            argument: .account),
    ]

    private static let reading: [Action] = [
        Action(
            .open, "open", ["Enter", "l", "Right"], [.list, .combined], "Open the conversation.",
            synonyms: ["read", "view"],
            hinted: true),
        Action(
            .back, "back", ["q", "h", "Left", "Esc"], [.reader, .attachments, .outbox, .help, .combined],
            "Back to where you were.",
            synonyms: ["close", "return", "cancel"], hinted: true),
        Action(
            .nextConversation, "next", ["n", "J"], [.reader], "Next conversation.", synonyms: ["older"], hinted: true),
        Action(
            .previousConversation, "previous", ["p", "K"], [.reader], "Previous conversation.", synonyms: ["newer"]),
        Action(.nextMessage, "next message", ["]", "}"], [.reader], "Next message of the conversation."),
        Action(.previousMessage, "previous message", ["[", "{"], [.reader], "Previous message of the conversation."),
        Action(
            .toggleFold, "fold", ["Enter", "za"], [.reader], "Fold or unfold the current message.",
            synonyms: ["collapse", "expand", "thread"], hinted: true),
        Action(.unfold, "unfold", ["zo"], [.reader], "Unfold the current message.", synonyms: ["expand"]),
        Action(.fold, "fold", ["zc"], [.reader], "Fold the current message to one line.", synonyms: ["collapse"]),
        Action(
            .unfoldAll, "unfold all", ["zR"], [.reader], "Unfold every message.", synonyms: ["expand all", "thread"]),
        Action(.foldAll, "fold all", ["zM"], [.reader], "Fold every message.", synonyms: ["collapse all", "thread"]),
        Action(
            .openLink, "link", ["o"], [.reader], "Open a link by its number; shows first where it goes.",
            synonyms: ["url", "browser", "web"], hinted: true),
        Action(
            .copyLink, "copy link", ["O"], [.reader], "Copy a link to the clipboard by its number.",
            synonyms: ["copy url", "yank", "clipboard"]),
        Action(.togglePictures, "pictures", ["i"], [.reader], "Show or hide pictures.", synonyms: ["show pictures"]),
        Action(
            .loadImages, "load images", ["zi"], [.reader], "Load the message's images of other servers, this once.",
            synonyms: ["remote images", "external images"]),
        Action(
            .trustSender, "trust sender", ["zI"], [.reader],
            "Always load images of other servers in this sender's mail; asked twice.", synonyms: ["always load images"]),
        Action(
            .toggleQuotes, "quotes", ["zz", "zq"], [.reader], "Show or hide quoted text.",
            synonyms: ["citation", "quoted"]),
        Action(
            .toggleHeaders, "headers", ["H"], [.reader], "Show all headers, or the short ones.",
            synonyms: ["details", "message id", "full"]),
        Action(
            .toggleForm, "text or HTML", ["zh"], [.reader],
            "Show the HTML of the message in place of its text, or back.",
            synonyms: ["plain text", "alternative", "html"]),
        Action(
            .attachments, "attachments", ["v"], [.reader], "Show the list of attachments.",
            synonyms: ["files", "enclosures", "parts"], hinted: true),
        Action(.attachments, "leave", ["v"], [.attachments], "Leave the list of attachments."),
        Action(
            .saveMessage, "save", ["S"], [.reader], "Save the message as text or HTML.",
            synonyms: ["export", "write", "download"]),
        Action(
            .pipe, "pipe", ["|"], [.reader], "Run a command with the text of the message as its input.",
            synonyms: ["shell", "print", "filter through"]),
        Action(
            .openAttachment, "open", ["Enter", "o", "l", "Right"], [.attachments],
            "Open the attachment with the program for its type.", synonyms: ["view", "launch"], hinted: true),
        Action(
            .saveAttachment, "save", ["S"], [.attachments], "Save the attachment.", synonyms: ["download", "export"],
            hinted: true),
        Action(
            .saveAll, "save all", ["A"], [.attachments], "Save all attachments into one directory.",
            synonyms: ["download all"], hinted: true),
    ]

    private static let general: [Action] = [
        Action(
            .filter, "filter", ["/", "\\"], [.list, .combined], "Show only what has the words typed.",
            synonyms: ["search", "find", "limit", "narrow"], argument: .words, hinted: true),
        Action(
            .filter, "filter", [], [.reader], "Back to the list, with only what has the words typed.",
            synonyms: ["search", "find", "limit", "narrow"], argument: .words),
        Action(
            .filter, "find", ["/", "\\"], [.help], "Show only the lines that have the words typed.",
            synonyms: ["search", "filter"], argument: .words, hinted: true),
        Action(
            .clearFilter, "all again", ["Esc", "h", "Left"], [.list],
            "Select nothing; with nothing selected, leave the filter.",
            synonyms: ["unfilter", "clear search", "cancel"]),
        Action(
            .refresh, "refresh", ["$", "C-r", "F5"], [.list, .reader, .outbox, .combined],
            "Send what waits, and fetch what is new.",
            synonyms: ["sync", "check mail", "fetch", "get mail", "receive", "update"]),
        Action(
            .command, "command", [":"], everywhere, "Type a command; Tab completes it.",
            synonyms: ["execute", "ex"], argument: .command),
        Action(
            .palette, "all actions", ["C-k", "C-Space"], everywhere, "Find an action by any word for it.",
            synonyms: ["menu", "search actions"]),
        Action(
            .set, "set", [], everywhere, "Change a setting until Herald ends.",
            synonyms: ["setting", "option", "preferences"], argument: .setting),
        Action(
            .reload, "reload", [], everywhere, "Read the settings file again.",
            synonyms: ["source", "configuration", "settings", "preferences"]),
        Action(
            .addAccount, "add account", [], everywhere, "Sign in to a further account.", synonyms: ["new account"]),
        Action(
            .signIn, "sign in", [], everywhere, "Sign in again to the account shown.",
            synonyms: ["log in", "login", "reauthenticate"]),
        Action(
            .help, "help", ["?", "F1"], everywhere, "Show or leave this list of keys.",
            synonyms: ["keys", "shortcuts", "bindings", "manual"], argument: .topic, hinted: true),
        Action(
            .redraw, "redraw", ["C-l"], everywhere, "Paint the screen again.", synonyms: ["repaint", "clear screen"]),
        Action(
            .suspend, "suspend", ["C-z"], everywhere, "Go back to the shell for a while.",
            synonyms: ["background", "shell"]),
        Action(
            .toggleMouse, "mouse", ["A-m"], everywhere,
            "Give the mouse to the terminal to select text, or take it back.",
            synonyms: ["select text", "copy", "selection", "click"]),
        Action(
            .quit, "quit", ["q"], [.list], "Leave Herald.", synonyms: ["q", "exit", "x", "leave", "close"],
            hinted: true),
        Action(
            .quit, "quit", [], [.reader, .outbox, .help, .combined, .review], "Leave Herald.",
            synonyms: ["q", "exit", "x", "leave"]),
        Action(.quitNow, "quit", ["Q"], everywhere, "Leave Herald from anywhere.", synonyms: ["q!", "leave now"]),
        Action(.interrupt, "quit", ["C-c"], everywhere, "Leave Herald when pressed twice.", synonyms: ["leave"]),
    ]

    private static let byID: [ActionID: [Action]] = Dictionary(grouping: all, by: \.id)

    /// The entries of an action; one that works differently in two places has two.
    package static func entries(of id: ActionID) -> [Action] { byID[id] ?? [] }

    /// The entry of an action for a context; `nil` when it does nothing there.
    package static func action(_ id: ActionID, in context: ActionContext) -> Action? {
        entries(of: id).first { $0.contexts.contains(context) }
    }
}
