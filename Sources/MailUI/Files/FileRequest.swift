package import MailModel

/// Something of a message that a person wants as a file.
package struct FileRequest: Sendable, Hashable {
    /// What is to become a file.
    package enum Subject: Sendable, Hashable {
        /// The text of a message, or its HTML where the path ends so.
        case message(MessageID)
        case attachment(MessageID, Attachment)
        /// Several, each under its own name in a directory.
        case attachments(MessageID, [Attachment])
    }

    package var subject: Subject
    /// Where to, as the person typed it: `~` is the home directory, and a directory takes the file's own name.
    package var path: String
    /// Whether a file that is there already may go.
    package var replaces = false

    package init(_ subject: Subject, path: String, replaces: Bool = false) {
        self.subject = subject
        self.path = path
        self.replaces = replaces
    }
}

/// How far the work on files has come.
package struct FileProgress: Sendable, Hashable {
    /// Which file, of how many; the first is 1.
    package var file: Int
    package var files: Int
    package var name: String
    package var bytes: Int
    package var bytesTotal: Int

    package init(file: Int, files: Int, name: String, bytes: Int, bytesTotal: Int) {
        self.file = file
        self.files = files
        self.name = name
        self.bytes = bytes
        self.bytesTotal = bytesTotal
    }
}
