import MailAPI
import MailModel
import Synchronization

/// A mail server in memory: messages with a journal, small pages, and failures on demand.
final class FakeServer: MailAPIClient {
    struct State {
        var messages: [MessageSummary] = []
        var mailboxes: [Mailbox] = [FakeServer.mailbox("a", .manager)]
        var drafts: [Draft] = []
        var journal: [MessageChange] = []
        var log: [String] = []
        var failures: [String: MailAPIError] = [:]
        var hasChanges = true
        var pageRows = 2
        var repeatsCursors = false
        var html: [MessageID: MessageHTML] = [:]
        var threadCap = 100
        var isOwner = true
        /// Done once, before the request of that name is answered.
        var onRequest: [String: @Sendable (inout State) -> Void] = [:]
    }

    let state = Mutex(State())

    static func mailbox(_ id: String, _ level: AccessLevel? = .agent) -> Mailbox {
        Mailbox(
            id: MailboxID(id), address: "\(id)@x.example", displayName: id, isActive: true, accessLevel: level)
    }

    static func message(_ id: String, folder: String = "inbox", mailbox: String? = "a") -> MessageSummary {
        MessageSummary(
            id: MessageID(id), threadID: ThreadID("t" + id), mailboxID: mailbox.map { MailboxID($0) },
            direction: .inbound, folder: folder, fromAddress: "dana@y.example", to: ["a@x.example"], subject: id,
            snippet: id, receivedAt: Timestamp("2026-01-01T00:00:00.000Z"), sentAt: nil, readAt: nil, starredAt: nil,
            hasAttachments: false, createdAt: Timestamp("2026-01-01T00:00:00.000Z"))
    }

    static func draft(_ id: String) -> Draft {
        Draft(
            id: DraftID(id), mailboxID: MailboxID("a"), replyToMessageID: nil, forwardOfMessageID: nil, from: "",
            to: [], cc: [], bcc: [], subject: id, text: "", html: "", version: 1,
            updatedAt: Timestamp("2026-01-01T00:00:00.000Z"), attachments: [])
    }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Stores a message and journals it.
    func put(_ message: MessageSummary) {
        change { state in
            state.messages.removeAll { $0.id == message.id }
            state.messages.append(message)
            state.journal.append(.upsert(message))
        }
    }

    /// Removes a message and journals it.
    func remove(_ id: String) {
        change { state in
            state.messages.removeAll { $0.id.rawValue == id }
            state.journal.append(.delete(MessageID(id)))
        }
    }

    /// The requests since the last call.
    func takeLog() -> [String] {
        state.withLock { state in
            defer { state.log = [] }
            return state.log
        }
    }

    private func ask<Answer>(_ name: String, _ body: (inout State) throws -> Answer) throws -> Answer {
        try Task.checkCancellation()
        return try state.withLock { state in
            state.log.append(name)
            requests.withLock { $0 += 1 }
            let error = state.failures[name]
            state.onRequest.removeValue(forKey: name)?(&state)
            if let error { throw error }
            return try body(&state)
        }
    }

    private let requests = Mutex(0)
    var traffic: Traffic { Traffic(requests: requests.withLock { $0 }) }

    func features() async throws -> ServerFeatures {
        try ask("features") { ServerFeatures(hasChanges: $0.hasChanges, hasDraftChanges: true, hasEvents: false) }
    }

    func mailboxes() async throws -> [Mailbox] { try ask("mailboxes") { $0.mailboxes } }

    func messages(listing: Listing, next: String?, limit: Int) async throws -> MessagePage {
        let name: String
        switch listing {
        case .folder(let folder): name = folder.rawValue
        case .mailbox(let id): name = "mailbox " + id.rawValue
        case .everything: name = "everything"
        }
        return try ask(name + (next.map { " " + $0 } ?? "")) { state in
            let readable = Set(state.mailboxes.filter { $0.accessLevel != nil }.map(\.id))
            let rows = state.messages.filter { message in
                guard message.mailboxID.map({ readable.contains($0) }) ?? state.isOwner else { return false }
                switch listing {
                case .folder(let folder): return message.folder == folder.rawValue
                case .mailbox(let id): return message.mailboxID == id
                case .everything: return true
                }
            }
            let start = min(next.flatMap { Int($0) } ?? 0, rows.count)
            let end = min(rows.count, start + min(limit, state.pageRows))
            let more = end < rows.count ? (state.repeatsCursors ? "1" : String(end)) : nil
            return MessagePage(messages: Array(rows[start..<end]), next: more)
        }
    }

    func changes(cursor: String?) async throws -> ChangePage {
        try ask(cursor == nil ? "checkpoint" : "changes") { state in
            guard let cursor else {
                return ChangePage(changes: [], nextCursor: "j\(state.journal.count)", hasMore: false)
            }
            guard let start = Int(cursor.dropFirst()), start <= state.journal.count else {
                throw MailAPIError.invalidCursor
            }
            let end = min(state.journal.count, start + state.pageRows)
            let hasMore = end < state.journal.count
            return ChangePage(
                changes: Array(state.journal[start..<end]),
                nextCursor: hasMore && state.repeatsCursors ? cursor : "j\(end)", hasMore: hasMore)
        }
    }

    func drafts(next: String?) async throws -> DraftPage {
        try ask("drafts") { state in
            let start = next.flatMap { Int($0) } ?? 0
            let end = min(state.drafts.count, start + state.pageRows)
            return DraftPage(
                drafts: Array(state.drafts[start..<end]), next: end < state.drafts.count ? String(end) : nil)
        }
    }

    private func detail(_ summary: MessageSummary, _ state: State) -> MessageDetail {
        MessageDetail(
            summary: summary, cc: [], bcc: [], deliveredToAddress: nil, textBody: "text of \(summary.id)",
            htmlAvailable: state.html[summary.id] != nil, internetMessageID: nil, inReplyTo: nil, references: [],
            attachments: [])
    }

    func message(_ id: MessageID) async throws -> MessageDetail {
        try ask("message \(id)") { state in
            guard let summary = state.messages.first(where: { $0.id == id }) else {
                throw MailAPIError.notFound("MESSAGE_NOT_FOUND")
            }
            guard summary.mailboxID != nil || state.isOwner else { throw MailAPIError.forbidden("MAILBOX_FORBIDDEN") }
            return detail(summary, state)
        }
    }

    func thread(of id: MessageID) async throws -> [MessageDetail] {
        try ask("thread") { state in
            guard let thread = state.messages.first(where: { $0.id == id })?.threadID else {
                throw MailAPIError.notFound("MESSAGE_NOT_FOUND")
            }
            return state.messages.filter { $0.threadID == thread }.prefix(state.threadCap).map { detail($0, state) }
        }
    }

    func html(of id: MessageID, loadRemoteImages: Bool) async throws -> MessageHTML? {
        try ask("html \(id)") { $0.html[id] }
    }

    func attachment(_ id: AttachmentID) async throws -> [UInt8] { [] }
    func inline(message: MessageID, attachment: AttachmentID) async throws -> [UInt8] { [] }
}
