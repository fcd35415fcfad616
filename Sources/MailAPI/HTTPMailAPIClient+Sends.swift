internal import HTTP
internal import JSON
package import MailModel
internal import MailWire

/// What is read before a mail is sent, and to find out whether it was.
package protocol SendReading: Sendable {
    /// What the server can do; throws `MailAPIError`.
    func features() async throws -> ServerFeatures
    /// One message with its text; throws `MailAPIError`.
    func message(_ id: MessageID) async throws -> MessageDetail
    /// The readable messages of a message's thread, oldest first, at most 100; throws `MailAPIError`.
    func thread(of id: MessageID) async throws -> [MessageDetail]
    /// A page of what a mailbox has sent, or all mailboxes for `nil`, newest first; throws `MailAPIError`.
    func sent(of mailbox: MailboxID?, next: String?) async throws -> MessagePage
}

extension HTTPMailAPIClient: SendReading {
    package func sent(of mailbox: MailboxID?, next: String?) async throws -> MessagePage {
        var query: [(name: String, value: String)] = [
            ("folder", "sent"), ("limit", String(HTTPMailAPIClient.pageRows)),
        ]
        if let mailbox { query.append(("mailboxId", mailbox.rawValue)) }
        if let next { query.append(("cursor", next)) }
        let (response, asked) = try await get("/messages", query)
        let messages = try HTTPMailAPIClient.rows(response) { reader throws(JSONError) in
            MessageSummary(try MessageSummaryWire(from: &reader))
        }
        return MessagePage(messages: messages, next: try PageCursor.next(in: response, asked: asked))
    }
}

extension HTTPMailAPIClient: MailSending {
    /// The server hands the mail on before it answers, with all its files.
    private static let sendTimeout = Duration.seconds(120)

    package func send(_ mail: OutgoingMail, requestID: SendID) async throws -> MessageSummary {
        let headers = [
            HTTPHeader("Accept", "application/json"), HTTPHeader("Content-Type", "application/json"),
            HTTPHeader("X-Request-Id", requestID.rawValue),
        ]
        // Whatever happens to the connection, nobody may send this a second time but the person.
        let request = HTTPRequest(
            method: "POST", url: base + mail.path, headers: headers, body: mail.json,
            timeout: HTTPMailAPIClient.sendTimeout, responseBytesMax: HTTPMailAPIClient.jsonBytesMax,
            isRepeatable: false)
        let response = try await answer(to: request)
        let copy: MessageSummary
        do {
            copy = try HTTPMailAPIClient.decode(response) { reader throws(JSONError) in
                MessageSummary(try MessageSummaryWire(from: &reader))
            }
        } catch {
            throw WriteFailure(.done, error, status: response.status)
        }
        guard copy.direction == .outbound else { throw WriteFailure(.done, .implausible, status: response.status) }
        return copy
    }
}

extension OutgoingMail {
    /// The route below the API's base.
    fileprivate var path: String {
        switch route {
        case .send: "/send"
        case .reply: "/reply"
        case .forward: "/forward"
        }
    }

    /// The body of the request (contract §3.12 to §3.14).
    fileprivate var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            switch route {
            case .send:
                writer.member("subject", subject)
            case .reply(let original):
                writer.member("messageId", original.rawValue)
            case .forward(let original, let withFiles):
                writer.member("messageId", original.rawValue)
                writer.member("includeOriginalAttachments", withFiles)
                if !subject.isEmpty { writer.member("subject", subject) }
            }
            writer.member("from", from)
            writer.member("to", to)
            writer.member("cc", cc)
            writer.member("bcc", bcc)
            writer.member("text", text)
            if !html.isEmpty { writer.member("html", html) }
            writer.member("attachmentIds", attachments.map(\.rawValue))
            if let draft, !isForward { writer.member("draftId", draft.rawValue) }
        }
        return writer.bytes
    }

    /// Whether the route takes no draft (§3.14).
    private var isForward: Bool {
        if case .forward = route { true } else { false }
    }
}
