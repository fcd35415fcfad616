internal import MailModel
internal import SQLite

/// A row of `sends` and its mapping to the model.
enum SendRow {
    static func sql(_ condition: String) -> String {
        """
        SELECT id, draft_id, revision, status, reason, not_before, seen_id, content, posted_at, sent_id, attempts,
            next_attempt_at, last_failure, created_at, minder, draft_server_id, sent_after, may_have_arrived, probes,
            may_be_elsewhere
        FROM sends WHERE \(condition)
        """
    }

    /// The sends that meet a condition with at most one text for `?1`.
    static func all(_ condition: String, _ text: String? = nil, in database: Database) throws(SQLiteError) -> [Send] {
        let row = try database.statement(sql(condition))
        if let text { row.bind(1, text) }
        defer { row.reset() }
        var sends: [Send] = []
        while try row.step() { sends.append(send(row)) }
        return sends
    }

    static func send(_ row: Statement) -> Send {
        Send(
            id: SendID(row.text(0)), draft: LocalDraftID(row.text(1)), revision: Int(row.int(2)),
            status: status(row.text(3), reason: row.optionalText(4), sent: row.optionalText(9)),
            notBefore: row.int(5), seen: row.optionalText(6).map { MessageID($0) },
            serverDraft: row.optionalText(15).map { DraftID($0) },
            minder: row.optionalText(14).map { SendMinderID($0) },
            content: row.optionalText(7).flatMap { DraftCode.sentContent($0) }, postedAt: row.optionalInt(8),
            sentAfter: row.optionalText(16).map { Timestamp($0) }, mayHaveArrived: row.bool(17),
            mayBeElsewhere: row.bool(19), attempts: Int(row.int(10)), probes: Int(row.int(18)),
            nextAttemptAt: row.optionalInt(11),
            lastFailure: row.optionalText(12), createdAt: Timestamp(row.text(13)))
    }

    /// The columns of a status: its word, and its reason or what was sent.
    static func words(of status: SendStatus) -> (status: String, reason: String?) {
        switch status {
        case .queued, .inFlight, .unknown: (status.name, nil)
        case .held(let reason): (status.name, reason.rawValue)
        case .refused(let code): (status.name, code)
        case .sent(let message): (status.name, message.rawValue)
        }
    }

    static func status(_ word: String, reason: String?, sent: String?) -> SendStatus {
        switch word {
        case "inFlight": .inFlight
        case "unknown": .unknown
        case "held": .held(reason.flatMap { HoldReason(rawValue: $0) } ?? .asked)
        case "refused": .refused(reason ?? "")
        case "sent": .sent(MessageID(sent ?? ""))
        default: .queued
        }
    }
}
