internal import MailModel
internal import MailText
internal import TerminalUI

/// What goes on between messages and files.
struct FilesState: Sendable, Hashable {
    /// Where files go unless another place is typed; `~` is the home directory.
    var directory = "~"
    /// The line being typed for a file; `nil` while none is.
    var prompt: FilePrompt?
    /// The list of a message's files; `nil` while it is closed.
    var menu: AttachmentMenu?
    /// The work under way; `nil` while there is none.
    var progress: FileProgress?
    /// The command that a message was last piped to.
    var lastCommand = ""
}

/// The list of a message's files, with one selected.
struct AttachmentMenu: Sendable, Hashable {
    let message: MessageID
    var selected = 0
}

/// A path or command being typed, and what it is for.
struct FilePrompt: Sendable, Hashable {
    enum Purpose: Sendable, Hashable {
        case save(FileRequest.Subject)
        case pipe(MessageID)
    }

    let purpose: Purpose
    var editor: LineEditor
    /// What the path may go on with, by the last Tab.
    var candidates: [String] = []
    /// The request that would replace a file, while the person is asked whether it may.
    var question: FileRequest?

    init(_ purpose: Purpose, _ text: String) {
        self.purpose = purpose
        editor = LineEditor(text)
    }

    /// The text before the line.
    var label: String {
        switch purpose {
        case .save(.message): " Save message to: "
        case .save(.attachment): " Save file to: "
        case .save(.attachments(_, let files)):
            files.count == 1 ? " Save one file into: " : " Save \(Formatting.grouped(files.count)) files into: "
        case .pipe: " Pipe to: "
        }
    }

    /// What Enter, Tab and Esc do.
    var hints: String {
        switch purpose {
        case .save(.message): "Enter save  Tab complete  Esc cancel  a name ending in .html saves the HTML"
        case .save: "Enter save  Tab complete  Esc cancel"
        case .pipe: "Enter run the command with the text of the message  Up the last one  Esc cancel"
        }
    }
}

extension AppState {
    /// Where files go unless another place is typed; `~` is the home directory.
    package var saveDirectory: String {
        get { files.directory }
        set { files.directory = newValue }
    }

    /// The current message of the open conversation.
    var currentMessage: ConversationMessage? {
        guard openThread != nil, let pane = reader, let current = pane.current, let place = pane.index[current] else {
            return nil
        }
        return pane.messages[place]
    }

    /// The files of the list that is open.
    var menuFiles: [Attachment] {
        guard let menu = files.menu, let pane = reader, let place = pane.index[menu.message] else { return [] }
        return pane.messages[place].detail?.attachments ?? []
    }

    /// The place of a file with this name in the directory where files go.
    func suggestedPath(_ name: String) -> String {
        files.directory.hasSuffix("/") ? files.directory + name : files.directory + "/" + name
    }

    /// A name for a message's text, made of its subject.
    static func fileName(of message: ConversationMessage) -> String {
        SafeFileName.of(message.summary.subject + ".txt", fallback: "message.txt")
    }
}

extension AppState {
    /// Why the list of attachments cannot be shown, as a sentence; `nil` when it can.
    var attachmentsReason: String? {
        if case .draft = reader?.item { return "Files of drafts stay on the server." }
        guard let message = currentMessage else { return "There is no message here." }
        guard let detail = message.detail else {
            return message.summary.hasAttachments
                ? "The list of attachments is not here yet." : "This message has no attachments."
        }
        return detail.attachments.isEmpty ? "This message has no attachments." : nil
    }
}
