internal import JSON
internal import MailModel
internal import MailStorage
internal import MailSync

/// The lines of `herald watch` (docs/watch.md).
enum WatchJSON {
    /// A line of a type about an account.
    static func line(_ type: String, _ account: Account, _ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.member("type", type)
            writer.member("account", account.label)
            members(&writer)
        }
        return writer.bytes + [0x0A]
    }

    /// What was committed to the cache; identifiers are `null` where there are too many to name.
    static func members(of event: LiveQueries.Event, _ writer: inout JSONWriter) {
        guard case .changed(let change) = event else { return writer.member("event", "opened") }
        writer.member("event", "changed")
        writer.member("isBootstrap", change.isBootstrap)
        writer.member("mailboxes", change.touchesMailboxes)
        writer.member("drafts", change.touchesDrafts)
        writer.name("news")
        list(change.news.map { $0?.rawValue ?? "" }, &writer)
        let messages = change.messages
        for (name, ids) in [
            ("inserted", messages?.inserted), ("updated", messages?.updated), ("deleted", messages?.deleted),
            ("bodies", messages?.bodies),
        ] {
            writer.name(name)
            list(ids?.map(\.rawValue), &writer)
        }
        writer.name("threads")
        list(messages?.threads.map(\.rawValue), &writer)
    }

    private static func list(_ ids: [String]?, _ writer: inout JSONWriter) {
        guard let ids else { return writer.null() }
        writer.array { writer in for id in ids.sorted() { writer.value(id) } }
    }

    /// How a pass ended.
    static func members(of history: PassHistory, _ writer: inout JSONWriter) {
        writer.member("event", history.failure == nil ? "synced" : "failed")
        writer.member("at", history.finishedAtMilliseconds.map { Timestamp(millisecondsSinceEpoch: $0).text })
        guard let failure = history.failure else { return }
        writer.member("code", history.failureCode ?? "unexpected")
        writer.member("message", failure)
        writer.member("needsSignIn", history.needsSignIn)
    }

    /// What ended without being done.
    static func members(of entry: JournalEntry, _ writer: inout JSONWriter) {
        writer.member("event", "mutationDropped")
        writer.name("operation")
        OutboxJSON.entry(entry, &writer)
    }

    /// A mailbox with its folders; all together without a name.
    static func mailbox(_ counts: MailboxCounts, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", counts.mailbox?.id.rawValue)
            writer.member("address", counts.mailbox?.address)
            writer.member("accessLevel", counts.mailbox?.accessLevel?.rawValue)
            writer.name("folders")
            writer.object { writer in
                for folder in Folder.allCases {
                    writer.name(folder.rawValue)
                    writer.object { writer in
                        writer.member("total", counts.total[folder] ?? 0)
                        writer.member("unread", counts.unread[folder] ?? 0)
                    }
                }
            }
        }
    }

    /// A message of a conversation; `detail` is `null` while its text is not here.
    static func message(_ message: ConversationMessage, _ writer: inout JSONWriter) {
        writer.object { writer in
            JSONOutput.summaryMembers(message.summary, &writer)
            writer.name("detail")
            guard let detail = message.detail else { return writer.null() }
            writer.object { JSONOutput.detailMembers(detail, html: message.html, &$0) }
        }
    }
}
