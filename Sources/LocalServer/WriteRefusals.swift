extension Refusal {
    static let invalidJSON = Refusal(
        status: 400, code: "INVALID_JSON", message: "Request body must be valid JSON.")
    static let draftConflict = Refusal(
        status: 409, code: "DRAFT_CONFLICT", message: "This draft changed in another session.")
    static let fileRequired = Refusal(status: 400, code: "FILE_REQUIRED", message: "Choose a file.")
    static let attachmentsTooLarge = Refusal(
        status: 413, code: "ATTACHMENTS_TOO_LARGE", message: "Attachments may total at most 25 MiB.")
    static let attachmentsTooMany = Refusal(
        status: 400, code: "ATTACHMENTS_TOO_MANY", message: "A forwarded message may contain at most 20 attachments.")
    static let attachmentsUnavailable = Refusal(
        status: 404, code: "ATTACHMENT_NOT_FOUND", message: "One or more attachments are unavailable.")
    static let forwardedUnavailable = Refusal(
        status: 404, code: "ATTACHMENT_NOT_FOUND", message: "A forwarded attachment object is unavailable.")
    static let mailboxDisabled = Refusal(
        status: 400, code: "MAILBOX_DISABLED", message: "Disabled mailboxes cannot send email.")
    static let rateLimited = Refusal(
        status: 429, code: "RATE_LIMITED", message: "Too many requests. Try again later.")
    static let notMultipart = Refusal(
        status: 500, code: "INTERNAL_ERROR",
        message: "Can't decode form data from body because of incorrect MIME type/boundary")
    static let brokenMultipart = Refusal(
        status: 500, code: "INTERNAL_ERROR", message: "Can't decode form data from body")
    static let conversationFolder = validation(
        "Invalid option: expected one of \"inbox\"|\"sent\"|\"starred\"|\"archived\"|\"trash\"|\"catchall\"")
    static let tooManyRecipients = validation("Cloudflare Email Sending allows up to 50 total recipients.")
}
