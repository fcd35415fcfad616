import MailModel
import MailStorage
import MailTestSupport
import Testing

/// The truth a cache is compared with: messages by id, everything else counted anew.
struct Recount {
    var messages: [MessageID: MessageSummary] = [:]

    func rows(_ scope: ListScope) -> [ConversationRow] {
        let threads = Dictionary(grouping: messages.values, by: \.threadID)
        return threads.compactMap { thread, unsorted in
            let members = unsorted.sorted { key($0) < key($1) }
            let inList = members.filter { isMember($0, scope) }
            guard let newest = members.last, let shown = inList.last else { return nil }
            return ConversationRow(
                threadID: thread, newest: newest, shown: shown, isStarred: members.contains { $0.starredAt != nil },
                hasAttachments: members.contains { $0.hasAttachments }, messageCount: members.count,
                unreadCount: members.count { isUnread($0) }, shownUnread: inList.count { isUnread($0) })
        }
        .sorted { key($0.newest) > key($1.newest) }
    }

    private func key(_ message: MessageSummary) -> (String, String) { (message.activityAt.text, message.id.rawValue) }

    private func isUnread(_ message: MessageSummary) -> Bool { message.direction == .inbound && message.readAt == nil }

    private func isMember(_ message: MessageSummary, _ scope: ListScope) -> Bool {
        if let mailbox = scope.mailboxID, message.mailboxID != mailbox { return false }
        return scope.folder == .starred ? message.starredAt != nil : message.folder == scope.folder.rawValue
    }

    /// A random change, applied here too.
    mutating func change(_ random: inout SeededNumbers) -> MessageChange {
        let id = "m\(Int.random(in: 0..<60, using: &random))"
        if Int.random(in: 0..<5, using: &random) == 0 {
            messages[MessageID(id)] = nil
            return .delete(MessageID(id))
        }
        let folders = Folder.stored.map(\.rawValue) + ["unheard-of"]
        let mailboxes = ["a", "b", nil]
        var summary = message(
            id, thread: "t\(Int.random(in: 0..<15, using: &random))",
            folder: folders[Int.random(in: 0..<folders.count, using: &random)],
            mailbox: mailboxes[Int.random(in: 0..<3, using: &random)], at: Int.random(in: 0..<20, using: &random),
            read: Bool.random(using: &random), starred: Int.random(in: 0..<4, using: &random) == 0)
        summary.hasAttachments = Bool.random(using: &random)
        messages[summary.id] = summary
        return .upsert(summary)
    }
}

/// A row as far as the recount knows it; who else wrote has a test of its own.
private func withoutPeople(_ row: ConversationRow) -> ConversationRow {
    var row = row
    row.people = []
    return row
}

/// Compares lists and counts with a recount of the truth.
func compare(_ truth: Recount, _ reader: MailReader, mailboxes: [String] = ["a", "b"]) async throws {
    let counts = try await reader.mailboxCounts()
    for (index, id) in ([nil] + mailboxes.map { MailboxID($0) }).enumerated() {
        for folder in Folder.allCases where folder != .drafts {
            let scope = ListScope(mailboxID: id, folder: folder)
            let expected = truth.rows(scope)
            let served = try await reader.conversations(in: scope, order: .server, limit: 1_000)
            #expect(served.map(withoutPeople) == expected)
            let shown = try await reader.conversations(in: scope, limit: 1_000).map(withoutPeople)
            #expect(Set(shown) == Set(expected))
            let instants = shown.map(\.shown.activityAt)
            #expect(instants == instants.sorted(by: >))
            #expect(try await reader.conversationCount(in: scope) == expected.count)
            #expect(counts[index].total[folder] ?? 0 == expected.count)
            let unread = folder == .inbox || folder == .catchall ? expected.reduce(0) { $0 + $1.shownUnread } : 0
            #expect(counts[index].unread[folder] ?? 0 == unread)
        }
    }
    #expect(try await reader.status().messages == truth.messages.count)
}
