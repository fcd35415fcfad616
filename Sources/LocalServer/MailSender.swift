/// Too many sends in one window, counted by user and route.
struct SendCounts: Sendable {
    private static let windowMilliseconds: Int64 = 60_000
    private static let limit = 60
    private var window: Int64 = 0
    private var counts: [String: Int] = [:]

    /// Counts a request; `false` when it is over the limit.
    mutating func count(_ user: String, _ kind: SendKind, at milliseconds: Int64) -> Bool {
        // The windows are fixed and begin at whole minutes.
        let now = milliseconds / SendCounts.windowMilliseconds
        if now != window {
            window = now
            counts = [:]
        }
        counts[user + " " + kind.rawValue, default: 0] += 1
        return counts[user + " " + kind.rawValue, default: 0] <= SendCounts.limit
    }
}

/// A mail as it is handed to the mail sender.
struct OutgoingMail: Sendable {
    var from = ""
    var to: [String] = []
    var cc: [String] = []
    var bcc: [String] = []
    var subject = ""
    var text = ""
    var html: String?
    /// The identifiers of the header, for a reply; absent otherwise.
    var inReplyTo: String?
    var references: [String] = []
    var files: [File] = []

    /// A file of the mail.
    struct File: Sendable {
        var filename = ""
        var contentType = ""
        var sizeBytes = 0
        /// The name by which the HTML shows it; absent for a plain attachment.
        var contentID: String?
        /// Where its content is kept.
        var objectKey = ""
    }
}

/// What stands for the mail service behind the server: it sends nothing and remembers what it was given.
struct MailSender: Sendable {
    /// The most mails remembered.
    private static let remembered = 1_000
    private var mails: [[UInt8]] = []
    private var failures = 0
    private var failsAfterwards = false
    private var failureMessage = ""

    /// Makes the next calls fail, before or after the mail was taken.
    mutating func failNext(_ count: Int, isAfterwards: Bool, message: String) {
        failures = count
        failsAfterwards = isAfterwards
        failureMessage = message
    }

    /// Takes a mail; answers its Message-ID.
    ///
    /// - Throws: the server's 500 with the service's words, when a failure was asked for.
    mutating func take(_ mail: OutgoingMail, at instant: String) throws(Refusal) -> String {
        let domain = mail.from.split(separator: "@").last.map(String.init) ?? "localhost"
        let id = "<\(Store.id("").dropFirst())@\(domain)>"
        let isFailing = failures > 0
        if isFailing { failures -= 1 }
        if !isFailing || failsAfterwards {
            mails.append(MailSender.json(mail, id, instant))
            if mails.count > MailSender.remembered { mails.removeFirst() }
        }
        guard isFailing else { return id }
        throw Refusal(status: 500, code: "INTERNAL_ERROR", message: failureMessage)
    }

    /// The mails taken, oldest first, as an answer of the control port.
    func list() -> JSONText {
        var text = JSONText()
        text.raw("{\"ok\":true,\"count\":\(mails.count),\"mails\":[")
        for (index, mail) in mails.enumerated() {
            if index > 0 { text.raw(",") }
            text.raw(mail)
        }
        text.raw("]}")
        return text
    }

    private static func json(_ mail: OutgoingMail, _ id: String, _ instant: String) -> [UInt8] {
        var text = JSONText()
        text.member("{\"messageId\":", id)
        text.member(",\"at\":", instant)
        text.member(",\"from\":", mail.from)
        text.member(",\"to\":", json: JSONText.array(mail.to))
        if !mail.cc.isEmpty { text.member(",\"cc\":", json: JSONText.array(mail.cc)) }
        if !mail.bcc.isEmpty { text.member(",\"bcc\":", json: JSONText.array(mail.bcc)) }
        text.member(",\"subject\":", mail.subject)
        text.member(",\"text\":", mail.text)
        if let html = mail.html { text.member(",\"html\":", html) }
        if let inReplyTo = mail.inReplyTo {
            text.member(",\"headers\":{\"In-Reply-To\":", inReplyTo)
            text.member(",\"References\":", mail.references.joined(separator: " "))
            text.raw("}")
        }
        text.raw(",\"attachments\":[")
        for (index, file) in mail.files.enumerated() {
            if index > 0 { text.raw(",") }
            text.member("{\"disposition\":", file.contentID == nil ? "attachment" : "inline")
            if let contentID = file.contentID { text.member(",\"contentId\":", contentID) }
            text.member(",\"filename\":", file.filename)
            text.member(",\"type\":", file.contentType)
            text.member(",\"size\":", json: "\(file.sizeBytes)}")
        }
        text.raw("]}")
        return text.bytes
    }
}
