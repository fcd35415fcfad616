internal import MailAPI
internal import MailModel

/// The client's reads with their answers checked: what no mail server sends is refused before any of it is kept.
///
/// Words of mail are taken as they are, NUL included, since a sender may have put them there.
struct ServerReads: Sendable {
    let api: any MailAPIClient

    /// Rows of a page of messages, of changes and, on servers that page them, of drafts.
    static let pageRows = 100
    private static let draftsMax = 10_000
    private static let mailboxesMax = 10_000
    private static let threadMax = 1_000

    func mailboxes() async throws -> [Mailbox] {
        let answer = try await api.mailboxes()
        try AnswerRules.check(count: answer.count, ServerReads.mailboxesMax)
        var known: Set<MailboxID> = []
        for mailbox in answer { try AnswerRules.check(mailbox.id) }
        return answer.filter { known.insert($0.id).inserted }
    }

    func messages(_ listing: Listing, next: String?, limit: Int = pageRows) async throws -> MessagePage {
        let page = try await api.messages(listing: listing, next: next, limit: limit)
        try AnswerRules.check(count: page.messages.count, limit)
        for message in page.messages { try AnswerRules.check(message) }
        if let next = page.next { try AnswerRules.check(cursor: next) }
        return page
    }

    func changes(cursor: String?) async throws -> ChangePage {
        let page = try await api.changes(cursor: cursor)
        try AnswerRules.check(count: page.changes.count, ServerReads.pageRows)
        try AnswerRules.check(cursor: page.nextCursor)
        for change in page.changes {
            switch change {
            case .upsert(let message): try AnswerRules.check(message)
            case .delete(let id): try AnswerRules.check(id)
            }
        }
        return page
    }

    func drafts(next: String?) async throws -> DraftPage {
        let page = try await api.drafts(next: next)
        try AnswerRules.check(count: page.drafts.count, ServerReads.draftsMax)
        for draft in page.drafts {
            try AnswerRules.check(draft.id)
            if let mailbox = draft.mailboxID { try AnswerRules.check(mailbox) }
        }
        if let next = page.next { try AnswerRules.check(cursor: next) }
        return page
    }

    func thread(of id: MessageID) async throws -> [MessageDetail] {
        let details = try await api.thread(of: id)
        try AnswerRules.check(count: details.count, ServerReads.threadMax)
        for detail in details { try AnswerRules.check(detail.summary) }
        return details
    }

    func message(_ id: MessageID) async throws -> MessageDetail {
        let detail = try await api.message(id)
        try AnswerRules.check(detail.summary)
        return detail
    }
}

/// What every answer keeps to.
enum AnswerRules {
    /// Well above the server's identifiers of 40 bytes.
    private static let identifierBytesMax = 512
    private static let cursorBytesMax = 2_048
    private static let folderBytesMax = 64

    static func check(count: Int, _ most: Int) throws(MailAPIError) {
        if count > most { throw .implausible }
    }

    static func check(_ id: some Identifier) throws(MailAPIError) {
        try check(id.rawValue, bytesMax: identifierBytesMax)
    }

    static func check(cursor: String) throws(MailAPIError) {
        try check(cursor, bytesMax: cursorBytesMax)
    }

    static func check(_ message: MessageSummary) throws(MailAPIError) {
        try check(message.id)
        try check(message.threadID)
        if let mailbox = message.mailboxID { try check(mailbox) }
        try check(message.folder, bytesMax: folderBytesMax)
    }

    /// A name the server chose: not empty, not long, without control characters.
    private static func check(_ name: String, bytesMax: Int) throws(MailAPIError) {
        guard (1...bytesMax).contains(name.utf8.count), !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            throw .implausible
        }
    }
}
