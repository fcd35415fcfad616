import HTTP
import HTTPTransport
import LocalServer
import MailAPI
import MailModel
import MailTestSupport
import Testing

/// Actions on the local server, over sockets.
@Suite(.timeLimit(.minutes(20)))
struct WriteTests {
    private let server: RunningServer
    private let api: HTTPMailAPIClient
    private let requestID = OperationID(milliseconds: 1_767_312_000_000, random: (1, 2))

    init() throws {
        var options = ServerOptions()
        options.hasDemoUsers = true
        server = try MailServer.start(options)
        api = try WriteTests.client(server.origin)
    }

    private static func client(_ origin: String, user: String = "owner") throws -> HTTPMailAPIClient {
        HTTPMailAPIClient(origin: origin, token: "hqb_access_\(user)", client: try CurlClient(version: "1"))
    }

    private func control(_ target: String, _ body: String = "") throws -> String {
        let answer = try WireClient(port: server.controlPort).send("POST", target, body: Array(body.utf8))
        return answer.body
    }

    private func deliver() throws -> MessageID {
        let mail = "From: a@client.example\r\nTo: info@example.test\r\nSubject: One\r\n\r\nHello\r\n"
        let answer = try control("/deliver?to=info@example.test", mail)
        let id = answer.split(separator: "\"").first { $0.hasPrefix("msg_") }
        return MessageID(String(try #require(id)))
    }

    private func failure(_ api: HTTPMailAPIClient, _ message: MessageID) async throws -> WriteFailure {
        try await #require(throws: WriteFailure.self) {
            _ = try await api.act(.star, on: message, requestID: requestID)
        }
    }

    @Test func `every action is answered with the message as it is then`() async throws {
        defer { server.stop() }
        let id = try deliver()
        var message = try await api.message(id).summary
        for action in TriageAction.allCases {
            let answer = try await api.act(action, on: id, requestID: requestID)
            let expected = action.applied(to: message, at: answer.readAt ?? answer.starredAt ?? message.createdAt)
            #expect(answer.id == id && answer.folder == expected.folder)
            #expect((answer.readAt == nil) == (expected.readAt == nil), "\(action)")
            #expect((answer.starredAt == nil) == (expected.starredAt == nil), "\(action)")
            message = answer
        }
        let log = try control("/writes")
        #expect(log.contains("/api/v1/messages/\(id)/archive") && log.contains(requestID.rawValue))
    }

    /// Fails when the queue would take a refusal for another, or not know that the server may have acted.
    @Test(arguments: [
        (403, "MAILBOX_FORBIDDEN", WriteFailure.Reach.refused), (403, "INSUFFICIENT_SCOPE", .refused),
        (404, "MESSAGE_NOT_FOUND", .refused), (400, "VALIDATION_ERROR", .refused), (418, "TEAPOT", .refused),
        (302, "MOVED", .refused), (429, "RATE_LIMITED", .refused), (500, "INTERNAL_ERROR", .unknown),
        (503, "INTERNAL_ERROR", .unknown), (401, "INVALID_OAUTH_TOKEN", .refused),
    ])
    func `a refusal keeps status and code`(status: Int, code: String, reach: WriteFailure.Reach) async throws {
        defer { server.stop() }
        let id = try deliver()
        _ = try control("/fault?kind=status&method=POST&status=\(status)&code=\(code)")
        let failure = try await failure(api, id)
        #expect(failure.reach == reach && failure.status == status && failure.code == code)
        #expect(failure.retryAfterMilliseconds == nil)
    }

    @Test(arguments: [
        ("close", WriteFailure.Reach.unknown), ("close&after=1", .unknown), ("cut&bytes=5", .unknown),
        ("page", .elsewhere), ("broken", .done), ("type&member=id", .done),
    ])
    func `an answer that is lost or spoilt says how far the write got`(
        fault: String, reach: WriteFailure.Reach
    ) async throws {
        defer { server.stop() }
        let id = try deliver()
        // More than once, since the transport may repeat an action when a connection breaks.
        _ = try control("/fault?kind=\(fault)&method=POST&times=9")
        #expect(try await failure(api, id).reach == reach)
    }

    @Test func `nothing was sent to a server that is not there`() async throws {
        server.stop()
        let failure = try await failure(api, MessageID("m"))
        #expect(failure.reach == .notSent && failure.status == nil)
        #expect(failure.error.isUnreachable)
    }

    @Test func `the rights of the account decide`() async throws {
        defer { server.stop() }
        let id = try deliver()
        let nobody = try WriteTests.client(server.origin, user: "nogrant")
        #expect(try await failure(nobody, id).code == "MAILBOX_FORBIDDEN")
        #expect(try await failure(api, MessageID("msg_none")).code == "MESSAGE_NOT_FOUND")
        #expect(try await failure(try WriteTests.client(server.origin, user: "unknown"), id).status == 401)
    }

    @Test(arguments: ["", ".", ".."])
    func `no message has a name that would climb out of its route`(id: String) async throws {
        defer { server.stop() }
        #expect(try await failure(api, MessageID(id)).reach == .refused)
        #expect(try control("/writes") == #"{"ok":true,"writes":[]}"#)
    }
}

/// Answers that the local server does not give.
struct WriteAnswerTests {
    private struct OneAnswer: HTTPClient {
        let response: HTTPResponse
        func send(_ request: HTTPRequest) async throws -> HTTPResponse { response }
    }

    private func failure(_ status: Int, _ headers: [HTTPHeader], body: String = "") async throws -> WriteFailure {
        let response = HTTPResponse(status: status, headers: headers, body: Array(body.utf8))
        let api = HTTPMailAPIClient(
            origin: "http://127.0.0.1:1", token: "t", client: OneAnswer(response: response))
        return try await #require(throws: WriteFailure.self) {
            _ = try await api.act(.read, on: MessageID("m"), requestID: OperationID("0123456789"))
        }
    }

    @Test(arguments: [
        ("60", Int64(60_000)), (" 7 ", 7_000), ("0", 0), ("99999999999999999999", 3_600_000), ("86400", 3_600_000),
        ("Mon, 30 Nov 2026 15:00:10 GMT", 10_000), ("Mon, 30 Nov 2026 14:00:00 GMT", 0), ("soon", nil), ("-1", nil),
        ("", nil),
    ])
    func `the wait of a refusal is read in both forms and has a bound`(text: String, wait: Int64?) async throws {
        let headers = [HTTPHeader("Retry-After", text), HTTPHeader("Date", "Mon, 30 Nov 2026 15:00:00 GMT")]
        #expect(try await failure(429, headers).retryAfterMilliseconds == wait)
    }

    /// Fails when a proxy's or a network's own page could make the queue throw something away.
    @Test(arguments: [200, 302, 303, 403, 404, 400, 407, 451])
    func `a page is not the server's word`(status: Int) async throws {
        let failure = try await failure(status, [HTTPHeader("Content-Type", "text/html")], body: "<html>")
        #expect(failure.reach == .elsewhere && failure.error == .notJSON)
    }

    /// Fails when a failure to ask for a message could be taken for an action that may have been done.
    @Test(arguments: [
        (200, "application/json", "{", WriteFailure.Reach.refused), (200, "text/html", "<html>", .elsewhere),
        (503, "application/json", #"{"error":{"code":"X","message":"x"}}"#, .notSent),
        (404, "application/json", #"{"error":{"code":"MESSAGE_NOT_FOUND","message":"x"}}"#, .refused),
    ])
    func `asking for a message does nothing, however it ends`(
        status: Int, type: String, body: String, reach: WriteFailure.Reach
    ) async throws {
        let response = HTTPResponse(
            status: status, headers: [HTTPHeader("Content-Type", type)], body: Array(body.utf8))
        let api = HTTPMailAPIClient(
            origin: "http://127.0.0.1:1", token: "t", client: OneAnswer(response: response))
        let failure = try await #require(throws: WriteFailure.self) { _ = try await api.current(MessageID("m")) }
        #expect(failure.reach == reach && failure.status == status)
    }

    @Test func `an answer about another message is not this one's`() async throws {
        let body = """
            {"id":"m9","threadId":"t1","mailboxId":null,"direction":"inbound","folder":"inbox",\
            "fromAddress":"unknown","to":[],"subject":"S","snippet":"x","receivedAt":null,"sentAt":null,\
            "readAt":null,"starredAt":null,"hasAttachments":false,"createdAt":"2026-08-21T09:14:05.412Z"}
            """
        let failure = try await failure(200, [HTTPHeader("Content-Type", "application/json")], body: body)
        #expect(failure.reach == .done && failure.error == .implausible)
    }
}
