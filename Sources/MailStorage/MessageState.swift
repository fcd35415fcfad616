internal import MailModel

/// What a message contributes to its conversation, as the number in `messages.state`.
struct MessageState: Hashable {
    let rawValue: Int64

    init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// The state of a message whose `activity_key` is `key`.
    init(_ message: MessageSummary, key: Int64) {
        var value = Folder(rawValue: message.folder).map(ListCode.number) ?? 0
        if message.direction == .inbound, message.readAt == nil { value |= MessageState.unread }
        if message.starredAt != nil { value |= MessageState.starred }
        if message.hasAttachments { value |= MessageState.attachments }
        if message.direction == .outbound { value |= MessageState.outbound }
        let lead = key - SortKey.of(message.createdAt)
        if lead > MessageState.day { value |= MessageState.ahead }
        if lead < -MessageState.day { value |= MessageState.behind }
        rawValue = value
    }

    private static let folderMask: Int64 = 15
    private static let unread: Int64 = 16
    private static let starred: Int64 = 32
    private static let attachments: Int64 = 64
    private static let outbound: Int64 = 128
    private static let ahead: Int64 = 256
    private static let behind: Int64 = 512

    /// What `SortKey` adds for a day within a month.
    static let day: Int64 = 1_000_000_000

    /// The folder's number in a list's code; 0 for a folder that this client does not know.
    var folder: Int64 { rawValue & MessageState.folderMask }
    var isUnread: Bool { rawValue & MessageState.unread != 0 }
    var isStarred: Bool { rawValue & MessageState.starred != 0 }
    var hasAttachments: Bool { rawValue & MessageState.attachments != 0 }
    var isOutbound: Bool { rawValue & MessageState.outbound != 0 }
    /// Whether its instant may be more than a day later than when the server got it.
    var isAhead: Bool { rawValue & MessageState.ahead != 0 }
    /// Whether its instant may be more than a day earlier than when the server got it.
    var isBehind: Bool { rawValue & MessageState.behind != 0 }

    /// That a message was sent, in SQL.
    static func isOutbound(_ column: String) -> String { "\(column) & \(outbound) <> 0" }

    /// Whether the message is in a list of its mailbox or of all, by the list's folder (contract §3.7).
    func isIn(folder number: Int64) -> Bool { number == ListCode.starred ? isStarred : number == folder }
}
