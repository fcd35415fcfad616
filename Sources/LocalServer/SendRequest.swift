/// The routes that send mail.
enum SendKind: String, Sendable {
    case send, reply, forward
}

/// The body of a request that sends mail.
struct SendRequest: Sendable {
    /// The message answered or forwarded; absent for a new one.
    private(set) var original: String?
    private(set) var from: String
    private(set) var to: [String]
    private(set) var cc: [String]
    private(set) var bcc: [String]
    private(set) var subject: String?
    private(set) var text: String
    private(set) var html: String?
    private(set) var attachments: [String]
    private(set) var draft: String?
    private(set) var includesOriginals = false

    static let recipientsMax = 50
    static let attachmentsMax = 20
    static let textMax = 100_000
    static let htmlMax = 200_000
    static let subjectMax = 200

    /// Reads a body by the rules of its route.
    ///
    /// - Throws: `VALIDATION_ERROR`.
    init(_ fields: BodyFields, _ kind: SendKind) throws(Refusal) {
        if kind != .send { original = try fields.requiredIdentifier("messageId") }
        from = try fields.address("from")
        to = try fields.addresses("to", isRequired: kind != .reply)
        cc = try fields.addresses("cc")
        bcc = try fields.addresses("bcc")
        if kind == .send || (kind == .forward && fields.has("subject")) {
            subject = try fields.text("subject", 1...SendRequest.subjectMax, isTrimmed: true)
        }
        text = try fields.text(
            "text", (kind == .forward ? 0 : 1)...SendRequest.textMax, isTrimmed: true,
            default: kind == .forward ? "" : nil)
        let html = try fields.text("html", 0...SendRequest.htmlMax, isTrimmed: true, default: "")
        if !html.isEmpty { self.html = html }
        attachments = try fields.identifiers("attachmentIds", atMost: SendRequest.attachmentsMax)
        if kind == .forward {
            includesOriginals = try fields.flag("includeOriginalAttachments", default: true)
        } else {
            draft = try fields.identifier("draftId", allowsNull: false)
        }
        // A reply without recipients goes to the original's sender.
        let recipients = max(to.count, 1) + cc.count + bcc.count
        guard recipients <= SendRequest.recipientsMax else { throw .tooManyRecipients }
    }
}
