internal import JSON
internal import MailModel

/// JSON forms of operations and of journal entries.
enum OutboxJSON {
    static func operation(_ operation: Operation, version: Int? = nil, _ writer: inout JSONWriter) {
        writer.object { writer in
            if let version { writer.member("version", version) }
            writer.member("id", operation.id.rawValue)
            writer.member("batchId", operation.batch.rawValue)
            writer.member("kind", operation.kind.name)
            writer.member("messageId", operation.message.rawValue)
            writer.member("mailboxId", operation.mailbox?.rawValue)
            writer.member("status", status(operation.status))
            writer.member("blockedBy", blockReason(operation.status))
            writer.member("createdAt", operation.createdAt.text)
            writer.member("attempts", operation.attempts)
            writer.member(
                "nextAttemptAt", operation.nextAttemptAt.map { Timestamp(millisecondsSinceEpoch: $0).text })
            writer.member("lastFailure", operation.lastFailure)
            writer.member("precondition", operation.precondition)
        }
    }

    static func entry(_ entry: JournalEntry, _ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", entry.id.rawValue)
            writer.member("batchId", entry.batch.rawValue)
            writer.member("kind", entry.kind.name)
            writer.member("messageId", entry.message.rawValue)
            writer.member("mailboxId", entry.mailbox?.rawValue)
            writer.member("verdict", entry.verdict.kind.rawValue)
            writer.member("reason", entry.verdict.reason.rawValue)
            writer.member("createdAt", entry.createdAt.text)
            writer.member("endedAt", entry.endedAt.text)
        }
    }

    private static func status(_ status: OperationStatus) -> String {
        switch status {
        case .pending: "pending"
        case .inFlight: "inFlight"
        case .retrying: "retrying"
        case .blocked: "blocked"
        }
    }

    private static func blockReason(_ status: OperationStatus) -> String? {
        guard case .blocked(let reason) = status else { return nil }
        return reason.rawValue
    }
}
