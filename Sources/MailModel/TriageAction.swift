/// What a person can do to a message without writing one (contract §3.6).
///
/// The raw value is the server's word for it, and that of the command line and of `outbox.sqlite`.
package enum TriageAction: String, Sendable, Hashable, CaseIterable {
    case read, unread, star, unstar, archive, unarchive, trash, restore

    /// What of a message an action changes; actions on different aspects do not disturb each other.
    package enum Aspect: Sendable, Hashable, CaseIterable {
        case reading, star, folder
    }

    /// What it is called where a person reads it: the name of a batch.
    package var title: String {
        switch self {
        case .read: "Mark read"
        case .unread: "Mark unread"
        case .star: "Star"
        case .unstar: "Unstar"
        case .archive: "Archive"
        case .unarchive: "Unarchive"
        case .trash: "Move to trash"
        case .restore: "Restore"
        }
    }

    /// What of the message it changes.
    package var aspect: Aspect {
        switch self {
        case .read, .unread: .reading
        case .star, .unstar: .star
        case .archive, .unarchive, .trash, .restore: .folder
        }
    }

    /// The message as the server has it after the action, done at an instant (contract §3.6).
    ///
    /// Repeating an action moves its stamp, as on the server; `unarchive` and `restore` of a message that is not there
    /// change nothing.
    package func applied(to message: MessageSummary, at now: Timestamp) -> MessageSummary {
        var message = message
        switch self {
        case .read: message.readAt = now
        case .unread: message.readAt = nil
        case .star: message.starredAt = now
        case .unstar: message.starredAt = nil
        case .archive: message.folder = Folder.archived.rawValue
        case .trash: message.folder = Folder.trash.rawValue
        case .unarchive: if message.isIn(.archived) { message.folder = message.home.rawValue }
        case .restore: if message.isIn(.trash) { message.folder = message.home.rawValue }
        }
        return message
    }

    /// Whether the action changes more of a message than a stamp.
    package func hasEffect(on message: MessageSummary) -> Bool {
        switch self {
        case .read: message.readAt == nil
        case .unread: message.readAt != nil
        case .star: message.starredAt == nil
        case .unstar: message.starredAt != nil
        case .archive: !message.isIn(.archived)
        case .trash: !message.isIn(.trash)
        case .unarchive: message.isIn(.archived)
        case .restore: message.isIn(.trash)
        }
    }

    /// What brings folder and flags back after the action, in order; empty when the action has no effect.
    ///
    /// An archived message that went to the trash comes back by two steps, since the server restores it to where it
    /// lived first. No action leads to a folder besides archive, trash and a message's home: from another folder, one
    /// that this client does not know, a message comes back to its home.
    package func inverse(of before: MessageSummary) -> [TriageAction] {
        guard hasEffect(on: before) else { return [] }
        switch self {
        case .read: return [.unread]
        case .unread: return [.read]
        case .star: return [.unstar]
        case .unstar: return [.star]
        case .archive: return before.isIn(.trash) ? [.trash] : [.unarchive]
        case .trash: return before.isIn(.archived) ? [.restore, .archive] : [.restore]
        case .unarchive: return [.archive]
        case .restore: return [.trash]
        }
    }
}

extension MessageSummary {
    /// Where the server puts the message when it comes back from archive or trash (contract §3.6).
    package var home: Folder {
        if direction == .outbound { return .sent }
        return mailboxID == nil ? .catchall : .inbox
    }

    /// Whether the message is stored in a folder.
    package func isIn(_ stored: Folder) -> Bool { folder == stored.rawValue }
}
