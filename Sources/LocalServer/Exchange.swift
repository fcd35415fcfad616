/// One request as the routes see it.
struct ServerRequest: Sendable {
    var method = "GET"
    var path = ""
    var query: [QueryItem] = []
    var authorization: String?
    var cookie: String?
    /// The origin of the page that a browser sent the request from.
    var pageOrigin: String?
    var requestID: String?
    var lastEventID: String?
    var contentType: String?
    var host = ""
    var body: [UInt8] = []
    /// Whether the body was dropped because it is longer than any route takes.
    var isBodyTooLong = false

    /// The first value of a parameter; `nil` when it is absent.
    func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The origin the caller used, which the URLs in an answer carry.
    var origin: String { "http://" + host }
}

/// One parameter of a request's query.
struct QueryItem: Sendable {
    let name: String
    let value: String
}

/// One answer, before the headers every answer carries.
struct ServerAnswer: Sendable {
    /// How the bytes go out; all but `whole` are faults.
    enum Sending: Sendable, Hashable {
        case whole, none
        case cut(bytes: Int)
        /// Silent after so many bytes, or before the answer.
        case stalled(milliseconds: Int, bytes: Int?)
    }

    var status: UInt32 = 200
    var contentType: String? = "application/json"
    var headers: [QueryItem] = []
    var body: [UInt8] = []
    /// What goes on after the headers, in place of `body`.
    var stream: EventSubscription?
    var sending = Sending.whole

    /// A successful JSON answer.
    static func json(_ text: JSONText, status: UInt32 = 200) -> ServerAnswer {
        ServerAnswer(status: status, body: text.bytes)
    }

    /// The error envelope.
    static func failure(_ refusal: Refusal) -> ServerAnswer {
        var text = JSONText()
        text.raw("{\"error\":{\"code\":")
        text.string(refusal.code)
        text.raw(",\"message\":")
        text.string(refusal.message)
        text.raw("}}")
        var answer = ServerAnswer(status: refusal.status, body: text.bytes)
        // The router's own 404 is the one error without a charset.
        if refusal != .notFound { answer.contentType = "application/json; charset=utf-8" }
        if let challenge = refusal.challenge {
            answer.headers.append(QueryItem(name: "www-authenticate", value: challenge))
        }
        return answer
    }
}

/// A request refused with a code of the contract.
struct Refusal: Error, Hashable, Sendable {
    let status: UInt32
    let code: String
    let message: String
    var challenge: String?

    static let notFound = Refusal(status: 404, code: "NOT_FOUND", message: "Route not found.")
    static let signInRequired = Refusal(status: 401, code: "UNAUTHENTICATED", message: "Sign in is required.")
    static let messageNotFound = Refusal(status: 404, code: "MESSAGE_NOT_FOUND", message: "Message not found.")
    static let htmlNotFound = Refusal(status: 404, code: "MESSAGE_HTML_NOT_FOUND", message: "HTML body not found.")
    static let htmlObjectNotFound = Refusal(
        status: 404, code: "MESSAGE_HTML_OBJECT_NOT_FOUND", message: "HTML body not found.")
    static let attachmentNotFound = Refusal(
        status: 404, code: "ATTACHMENT_NOT_FOUND", message: "Attachment not found.")
    static let objectNotFound = Refusal(
        status: 404, code: "ATTACHMENT_OBJECT_NOT_FOUND", message: "Attachment object not found.")
    static let draftNotFound = Refusal(status: 404, code: "DRAFT_NOT_FOUND", message: "Draft not found.")
    static let mailboxNotFound = Refusal(
        status: 404, code: "MAILBOX_NOT_FOUND", message: "Sending mailbox not found.")
    static let mailboxForbidden = Refusal(
        status: 403, code: "MAILBOX_FORBIDDEN", message: "You do not have access to this mailbox.")
    static let messageForbidden = Refusal(
        status: 403, code: "MAILBOX_FORBIDDEN", message: "You do not have access to this message.")
    static let draftMismatch = Refusal(
        status: 400, code: "DRAFT_MAILBOX_MISMATCH",
        message: "Draft sender does not belong to the selected mailbox.")
    static let inlineUnsupported = Refusal(
        status: 415, code: "INLINE_MEDIA_UNSUPPORTED", message: "Attachment cannot be displayed inline.")
    static let invalidLimit = Refusal(
        status: 400, code: "INVALID_LIMIT", message: "Limit must be an integer from 1 to 100.")
    static let invalidCursor = Refusal(status: 400, code: "INVALID_CURSOR", message: "Message cursor is invalid.")
    static let invalidDraftCursor = Refusal(
        status: 400, code: "INVALID_DRAFT_CURSOR", message: "Draft cursor is invalid.")
    static let invalidConversationCursor = Refusal(
        status: 400, code: "INVALID_CONVERSATION_CURSOR", message: "Conversation cursor is invalid.")
    static let invalidChangeCursor = Refusal(
        status: 400, code: "INVALID_CHANGE_CURSOR", message: "Change cursor is invalid.")
    static let invalidDraftChangeCursor = Refusal(
        status: 400, code: "INVALID_DRAFT_CHANGE_CURSOR", message: "Draft change cursor is invalid.")
    static let changeFilter = Refusal(
        status: 400, code: "INVALID_CHANGE_FILTER",
        message: "The changes feed does not accept mailbox, folder, or search filters.")
    static let draftChangeFilter = Refusal(
        status: 400, code: "INVALID_DRAFT_CHANGE_FILTER",
        message: "The draft changes feed does not accept mailbox, folder, search, or timestamp filters.")
    static let patternTooLong = Refusal(
        status: 500, code: "INTERNAL_ERROR", message: "LIKE or GLOB pattern too complex")
    static let internalError = Refusal(status: 500, code: "INTERNAL_ERROR", message: "Internal error.")

    /// A query or body that breaks the schema.
    static func validation(_ message: String) -> Refusal {
        Refusal(status: 400, code: "VALIDATION_ERROR", message: message)
    }
}
