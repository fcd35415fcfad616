internal import MailModel

/// What a message contributes to its conversation, as the number in `messages.state`.
struct MessageState: Hashable {
    let rawValue: Int64

    init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    init(_ message: MessageSummary) {
        var value = Folder(rawValue: message.folder).map(ListCode.number) ?? 0
        if message.direction == .inbound, message.readAt == nil { value |= MessageState.unread }
        if message.starredAt != nil { value |= MessageState.starred }
        if message.hasAttachments { value |= MessageState.attachments }
        rawValue = value
    }

    private static let folderMask: Int64 = 15
    private static let unread: Int64 = 16
    private static let starred: Int64 = 32
    private static let attachments: Int64 = 64

    /// The folder's number in a list's code; 0 for a folder that this client does not know.
    var folder: Int64 { rawValue & MessageState.folderMask }
    var isUnread: Bool { rawValue & MessageState.unread != 0 }
    var isStarred: Bool { rawValue & MessageState.starred != 0 }
    var hasAttachments: Bool { rawValue & MessageState.attachments != 0 }

    /// Whether the message is in a list of its mailbox or of all, by the list's folder (contract §3.7).
    func isIn(folder number: Int64) -> Bool { number == ListCode.starred ? isStarred : number == folder }
}
