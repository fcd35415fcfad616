import MailModel
import MailUI
import TerminalUI

/// Mail made up for screens.
enum Fixture {
    static func summary(_ name: String, second: Int, subject: String = "Subject") -> MessageSummary {
        let at = Timestamp(millisecondsSinceEpoch: Int64(second) * 1_000)
        return MessageSummary(
            id: MessageID("m-\(name)"), threadID: ThreadID(name), mailboxID: nil, direction: .inbound,
            folder: "inbox", fromAddress: "\(name)@example.org", to: ["me@example.org"], subject: subject,
            snippet: "Snippet e\u{301} 漢字 of \(name)", receivedAt: at, sentAt: nil, readAt: nil,
            starredAt: nil, hasAttachments: false, createdAt: at)
    }

    static func row(_ name: String, second: Int = 1_000, subject: String = "Subject", unread: Int = 0)
        -> ConversationRow
    {
        let summary = summary(name, second: second, subject: subject)
        return ConversationRow(
            threadID: summary.threadID, newest: summary, shown: summary, isStarred: false,
            hasAttachments: false, messageCount: 3, unreadCount: unread, shownUnread: unread)
    }

    static func message(_ name: String, text: String) -> ConversationMessage {
        let summary = summary(name, second: 1_000)
        let detail = MessageDetail(
            summary: summary, cc: [], bcc: [], deliveredToAddress: nil, textBody: text, htmlAvailable: false,
            internetMessageID: nil, inReplyTo: nil, references: [], attachments: [])
        return ConversationMessage(summary: summary, detail: detail, html: nil)
    }

    static func state(columns: Int, rows: Int, _ conversations: [ConversationRow]) -> AppState {
        var state = AppState(size: Size(columns: columns, rows: rows), accountLabel: "example")
        _ = state.update(.started)
        _ = state.update(
            .conversationsLoaded(ListScope(folder: .inbox), generation: 0, rows: conversations, hasMore: false))
        return state
    }
}

extension AppState {
    /// Presses printable keys one after another.
    mutating func press(_ keys: String) -> [Effect] {
        keys.flatMap { update(.input(.character($0))) }
    }

    var screen: String {
        let grid = draw()
        return (0..<grid.size.rows).map { grid.rowText($0) }.joined(separator: "\n")
    }
}
