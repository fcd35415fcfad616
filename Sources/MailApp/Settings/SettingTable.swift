internal import MailModel
internal import MailUI

/// What a setting is called in the settings file.
package enum SettingID: String, CaseIterable, Sendable {
    case syncBodies = "sync.bodies"
    case syncRecentDays = "sync.recent_days"
    case readMarkAfter = "read.mark_after"
    case readAfterAction = "read.after_action"
    case readerForm = "reader.form"
    case readerImages = "reader.images"
    case terminalColors = "terminal.colors"
    case terminalHyperlinks = "terminal.hyperlinks"
    case terminalHints = "terminal.hints"
    case terminalSidebar = "terminal.sidebar"
    case terminalAscii = "terminal.ascii"
    case terminalTheme = "terminal.theme"
    case terminalMouse = "terminal.mouse"
    case terminalTitle = "terminal.title"
    case terminalBell = "terminal.bell"
    case notifyMail = "notify.mail"
    case notifyText = "notify.text"
    case notifyTerminal = "notify.terminal"
    case notifyDesktop = "notify.desktop"
    case notifyCommand = "notify_command"
    case keysProfile = "keys.profile"
    case composeEditor = "compose.editor"
    case composeSignature = "compose.signature"
    case composeSignatureFile = "compose.signature_file"
    case composeAddressCommand = "compose.address_command"
    case composeConflicts = "compose.conflicts"
    case saveDirectory = "save.directory"
    case sendDelay = "send.delay"
    case tokenStore = "token_store"
    case tokenCommand = "token_command"
    case logLevel = "log.level"
}

/// What a setting can be set to.
package enum SettingValue: Hashable, Sendable {
    case text(String)
    case number(Int)
    case words([String])

    /// The value as the settings file writes it.
    package var source: String {
        switch self {
        case .text(let text): "\"\(text)\""
        case .number(let number): String(number)
        case .words(let words): "[" + words.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
        }
    }
}

/// One setting, with everything the program says about it.
package struct SettingOption: Sendable {
    /// Which values a setting takes.
    package enum Form: Sendable {
        case choice([String])
        case number(ClosedRange<Int>)
        /// A time in seconds, or the word `never`.
        case seconds(ClosedRange<Int>)
        /// A directory; an empty text leaves it to the program.
        case directory
        /// Any text, also of several lines; empty for none.
        case text
        /// A file; an empty text stands for none.
        case file
        /// A program and its arguments; an empty list stands for none.
        case command

        /// The values in words, to go after "it takes".
        package var description: String {
            switch self {
            case .choice(let words):
                words.dropLast().map { "“\($0)”" }.joined(separator: ", ") + " or “\(words.last ?? "")”"
            case .directory: "the path of a directory, absolute or beginning with “~”"
            case .text: "a text"
            case .file: "the path of a file, absolute or beginning with “~/”"
            case .seconds(let range): "seconds from \(range.lowerBound) to \(range.upperBound), or “never”"
            case .command: "a list of texts, a program and its arguments"
            case .number(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
            }
        }
    }

    package let id: SettingID
    package let form: Form
    /// The value where the file has none.
    package let standard: SettingValue
    /// One line for the pages that list settings.
    package let help: String

    /// The value, if the setting takes it.
    func accepts(_ value: SettingValue) -> Bool {
        switch (form, value) {
        case (.choice(let words), .text(let word)): words.contains(word)
        case (.directory, .text(let path)):
            path.isEmpty || path == "~" || (path.hasPrefix("/") || path.hasPrefix("~/")) && !path.contains("\0")
        case (.text, .text(let text)): text.utf8.count <= 20_000 && !text.contains("\0")
        case (.file, .text(let path)):
            path.isEmpty || (path.hasPrefix("/") || path.hasPrefix("~/")) && !path.contains("\0")
        case (.seconds, .text(let word)): word == "never"
        case (.number(let range), .number(let number)), (.seconds(let range), .number(let number)):
            range.contains(number)
        case (.command, .words(let words)):
            words.isEmpty || !words[0].isEmpty && words.count <= 64 && !words.contains { $0.contains("\0") }
        default: false
        }
    }
}

/// The one table of settings that reading, `herald config` and the pages are made from.
package enum SettingTable {
    /// Every setting, in the order they are listed.
    package static let all: [SettingOption] = SettingID.allCases.map(option)

    /// What is known of a setting.
    package static func option(_ id: SettingID) -> SettingOption {
        switch id {
        case .syncBodies:
            SettingOption(
                id: id, form: .choice(["opened", "recent", "all"]), standard: .text("recent"),
                help: "Which texts are fetched ahead: none until opened, those of recent mail, or all.")
        case .syncRecentDays:
            SettingOption(
                id: id, form: .number(1...3_650), standard: .number(30),
                help: "How many days back mail counts as recent for sync.bodies.")
        case .readMarkAfter:
            SettingOption(
                id: id, form: .seconds(0...3_600), standard: .number(2),
                help: "How long mail must be open to count as read; groups such as mailboxes.\"a@b.example\" change it."
            )
        case .readAfterAction:
            SettingOption(
                id: id, form: .choice(AfterAction.allCases.map(\.rawValue)),
                standard: .text(AfterAction.next.rawValue),
                help: "Where to go when a conversation leaves its list: the next, the previous one, or the list.")
        case .readerForm:
            SettingOption(
                id: id, form: .choice(["auto", "text", "html"]), standard: .text("auto"),
                help: "What is shown of mail that has a text and HTML: the one that says more, or always the same one "
                    + "where it is not empty; a key shows the other.")
        case .readerImages:
            SettingOption(
                id: id, form: .choice(["auto", "symbols", "kitty", "off"]), standard: .text("auto"),
                help: "How pictures of mail are drawn: as well as the terminal says it can, in letters, by kitty's "
                    + "protocol whatever it says, or not until a key asks.")
        case .terminalColors:
            SettingOption(
                id: id, form: .choice(["auto", "never"]), standard: .text("auto"),
                help: "Whether the screen uses the terminal's colours; NO_COLOR always takes them away.")
        case .terminalTheme:
            SettingOption(
                id: id, form: .choice(["auto", "dark", "light"]), standard: .text("auto"),
                help: "Which background colours are chosen for; auto asks the terminal and takes safe ones until then.")
        case .terminalMouse:
            SettingOption(
                id: id, form: .choice(["on", "off"]), standard: .text("on"),
                help: "Whether the mouse works in Herald; a key gives it to the terminal and back.")
        case .terminalTitle:
            SettingOption(
                id: id, form: .choice(["on", "off"]), standard: .text("on"),
                help: "Whether the window's title tells how many messages are unread.")
        case .terminalBell:
            SettingOption(
                id: id, form: .choice(["never", "mistakes", "mail", "always"]), standard: .text("mistakes"),
                help: "What rings the bell: keys that do nothing, new mail, both, or nothing.")
        case .terminalHyperlinks:
            SettingOption(
                id: id, form: .choice(["auto", "on", "off"]), standard: .text("auto"),
                help: "Whether links can be opened by the terminal: where it is known to, always, or never.")
        case .terminalHints:
            SettingOption(
                id: id, form: .choice(["on", "off"]), standard: .text("on"),
                help: "Whether the lowest line names keys for what can be done.")
        case .terminalSidebar:
            SettingOption(
                id: id, form: .choice(["on", "off"]), standard: .text("on"),
                help: "Whether mailboxes and folders are shown beside the list where there is room; a key changes it.")
        case .terminalAscii:
            SettingOption(
                id: id, form: .choice(["auto", "on", "off"]), standard: .text("auto"),
                help: "Whether the screen is drawn in ASCII alone: where the locale names no UTF-8, always, or never.")
        case .notifyMail:
            SettingOption(
                id: id, form: .choice(["on", "off"]), standard: .text("on"),
                help: "Whether new mail is told of; groups such as mailboxes.\"a@b.example\" change it.")
        case .notifyText:
            SettingOption(
                id: id, form: .choice(NewMailText.Detail.allCases.map(\.rawValue)),
                standard: .text(NewMailText.Detail.subject.rawValue),
                help: "How much is told of new mail: who wrote it and the subject, who wrote it, or the number alone.")
        case .notifyTerminal:
            SettingOption(
                id: id, form: .choice(["auto", "osc9", "osc777", "off"]), standard: .text("auto"),
                help: "Whether the terminal tells of new mail: by the way it is known to have, by one of these, or not."
            )
        case .notifyDesktop:
            SettingOption(
                id: id, form: .choice(["auto", "off"]), standard: .text("auto"),
                help: "Whether notify-send tells of new mail where the terminal does not and there is a session bus.")
        case .notifyCommand:
            SettingOption(
                id: id, form: .command, standard: .words([]),
                help: "A program that tells of new mail in place of both; it is given a title and a text.")
        case .keysProfile:
            SettingOption(
                id: id, form: .choice(KeyProfile.allCases.map(\.rawValue)),
                standard: .text(KeyProfile.default.rawValue),
                help: "Whose keys the terminal has; groups such as keys.list change single ones.")
        case .composeEditor:
            SettingOption(
                id: id, form: .choice(["auto", "built-in"]), standard: .text("auto"),
                help:
                    "Where mail is written: in $VISUAL, else $EDITOR, else Herald's own editor; or always in the last.")
        case .composeSignature:
            SettingOption(
                id: id, form: .text, standard: .text(""),
                help: "What ends a new text below “-- ”; groups such as mailboxes.\"a@b.example\" change it.")
        case .composeSignatureFile:
            SettingOption(
                id: id, form: .file, standard: .text(""),
                help: "A file with the signature, in place of compose.signature; groups of mailboxes have one, too.")
        case .composeAddressCommand:
            SettingOption(
                id: id, form: .command, standard: .words([]),
                help:
                    "A program that prints addresses for the text typed, its last argument: “address TAB name” a line.")
        case .composeConflicts:
            SettingOption(
                id: id, form: .choice(ConflictMode.allCases.map(\.rawValue)),
                standard: .text(ConflictMode.auto.rawValue),
                help:
                    "What becomes of a draft changed here and elsewhere: merged, left to you, or asked in the terminal."
            )
        case .saveDirectory:
            SettingOption(
                id: id, form: .directory, standard: .text(""),
                help: "Where files are saved unless another place is typed; empty for the downloads, else the home.")
        case .sendDelay:
            SettingOption(
                id: id, form: .number(0...300), standard: .number(10),
                help: "How many seconds mail that the terminal sends can be taken back; 0 sends at once.")
        case .tokenStore:
            SettingOption(
                id: id, form: .choice(["file", "keyring"]), standard: .text("file"),
                help: "Where the next sign-in keeps its tokens: a file only you can read, or the desktop's keyring.")
        case .tokenCommand:
            SettingOption(
                id: id, form: .command, standard: .words([]),
                help: "A program that prints the bearer in place of a sign-in; HERALD_ACCOUNT tells it the account.")
        case .logLevel:
            SettingOption(
                id: id, form: .choice(LogLevel.allCases.map(\.rawValue)), standard: .text(LogLevel.info.rawValue),
                help: "How much the log file tells; it holds ids and counts only.")
        }
    }
}
