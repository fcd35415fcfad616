/// An action with what it acts on, as a key, a `:` command or the palette calls for it.
package struct Invocation: Sendable, Hashable {
    package let id: ActionID
    /// What was said after the command's name; empty when nothing was.
    package let argument: String

    package init(_ id: ActionID, argument: String = "") {
        self.id = id
        self.argument = argument
    }

    /// The call as it is typed after `:`.
    package var text: String { argument.isEmpty ? id.command : id.command + " " + argument }
}

/// What can be said after a command's name.
package enum ActionArgument: Sendable, Hashable {
    case folder, mailbox, account, words, setting, topic, command, recipients, path

    /// The word that stands for it in help and pages.
    package var placeholder: String {
        switch self {
        case .folder: "FOLDER"
        case .mailbox: "ADDRESS"
        case .account: "NAME"
        case .words: "WORDS"
        case .setting: "NAME=VALUE"
        case .topic: "WORD"
        case .command: "COMMAND"
        case .recipients: "ADDRESS"
        case .path: "PATH"
        }
    }

    /// Whether the action does nothing without it, so that a key for the action asks for it.
    var isRequired: Bool {
        switch self {
        case .folder, .mailbox, .account, .setting: true
        case .words, .topic, .command, .recipients, .path: false
        }
    }
}
