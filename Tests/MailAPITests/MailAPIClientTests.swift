import HTTP
import JSON
import MailAPI
import MailModel
import Synchronization
import Testing

/// Answers every request with one response and remembers the requests.
private final class ScriptedClient: HTTPClient {
    private let response: Result<HTTPResponse, HTTPError>
    private let asked = Mutex<[HTTPRequest]>([])

    init(_ response: Result<HTTPResponse, HTTPError>) { self.response = response }

    convenience init(
        _ status: Int, _ body: String, type: String = "application/json; charset=utf-8", headers: [HTTPHeader] = []
    ) {
        let headers = [HTTPHeader("Content-Type", type)] + headers
        self.init(.success(HTTPResponse(status: status, headers: headers, body: Array(body.utf8))))
    }

    var requests: [HTTPRequest] { asked.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        asked.withLock { $0.append(request) }
        return try response.get()
    }
}

private func api(_ client: ScriptedClient) -> HTTPMailAPIClient {
    HTTPMailAPIClient(origin: "http://127.0.0.1:8080", token: "secret", client: client)
}

private func envelope(_ code: String) -> String { #"{"error":{"code":"\#(code)","message":"text"}}"# }

private let summary = """
    {"id":"m1","threadId":"t1","mailboxId":null,"direction":"sideways","folder":"inbox","fromAddress":"unknown","to":["a@b.example"],\
    "subject":"S","snippet":"x","receivedAt":"2026-08-21T09:14:03.000Z","sentAt":null,"readAt":null,"starredAt":null,\
    "hasAttachments":false,"createdAt":"2026-08-21T09:14:05.412Z","later":[1]}
    """

@Test func `a page of messages carries the token and the cursor of its link`() async throws {
    let link = "<http://127.0.0.1:8080/api/v1/messages?folder=inbox&limit=100&cursor=a%2Bb+c>; rel=\"next\""
    let client = ScriptedClient(200, "[\(summary)]", headers: [HTTPHeader("Link", link)])
    let page = try await api(client).messages(listing: .folder(.inbox), next: "x/y", limit: 100)
    #expect(page.next == "a+b c")
    #expect(page.messages.map(\.id) == [MessageID("m1")])
    #expect(page.messages.first?.direction == .inbound)
    #expect(client.requests.first?.url == "http://127.0.0.1:8080/api/v1/messages?folder=inbox&limit=100&cursor=x%2Fy")
    #expect(client.requests.first?.headers.value(of: "Authorization") == "Bearer secret")
}

@Test(arguments: [
    "<http://elsewhere.example/api/v1/messages?cursor=a>; rel=\"next\"",
    "<http://127.0.0.1:8081/api/v1/messages?cursor=a>; rel=\"next\"",
    "<http://127.0.0.1:8080/api/v1/drafts?cursor=a>; rel=\"next\"",
    "<http://127.0.0.1:8080/api/v1/messages?limit=100>; rel=\"next\"",
    "<http://127.0.0.1:8080/api/v1/messages?cursor=%zz>; rel=\"next\"",
    "</api/v1/messages?cursor=a>; rel=\"next\"",
])
func `a link that leads elsewhere is not followed`(link: String) async throws {
    let client = ScriptedClient(200, "[]", headers: [HTTPHeader("Link", link)])
    await #expect(throws: MailAPIError.foreignLink) {
        _ = try await api(client).messages(listing: .folder(.inbox), next: nil, limit: 100)
    }
    #expect(client.requests.count == 1)
}

@Test(arguments: [
    (401, envelope("INVALID_OAUTH_TOKEN"), MailAPIError.signInNeeded("INVALID_OAUTH_TOKEN"), Int32(77)),
    (401, "", .signInNeeded(""), 77),
    (403, envelope("INSUFFICIENT_SCOPE"), .forbidden("INSUFFICIENT_SCOPE"), 77),
    (404, envelope("NOT_FOUND"), .notFound("NOT_FOUND"), 76),
    (404, "<html>", .notJSON, 76),
    (302, "", .notJSON, 76),
    (410, envelope("CHANGE_CURSOR_EXPIRED"), .invalidCursor, 76),
    (400, envelope("INVALID_CHANGE_CURSOR"), .invalidCursor, 76),
    (400, envelope("INVALID_CURSOR"), .invalidCursor, 76),
    (400, envelope("INVALID_LIMIT"), .refused(400, "INVALID_LIMIT"), 76),
    (429, "", .rateLimited, 75),
    (500, envelope("INTERNAL_ERROR"), .server(500), 69),
    (503, "<html>", .server(503), 69),
])
func `a refusal is told apart by status and code`(
    status: Int, body: String, error: MailAPIError, exitCode: Int32
) async {
    await #expect(throws: error) { _ = try await api(ScriptedClient(status, body)).changes(cursor: "c") }
    #expect(error.exitCode == exitCode)
    #expect(error.message.hasSuffix("."))
}

@Test func `a sign-in page is not mail`() async {
    await #expect(throws: MailAPIError.notJSON) {
        _ = try await api(ScriptedClient(200, "<html>", type: "text/html")).mailboxes()
    }
}

@Test func `a broken answer is malformed`() async {
    await #expect(throws: MailAPIError.malformed(.missing("threadId"))) {
        _ = try await api(ScriptedClient(200, #"[{"id":"m"}]"#))
            .messages(listing: .folder(.sent), next: nil, limit: 100)
    }
}

@Test func `a failed exchange keeps its cause`() async {
    await #expect(throws: MailAPIError.transport(.unreachable)) {
        _ = try await api(ScriptedClient(.failure(.unreachable))).mailboxes()
    }
    #expect(MailAPIError.transport(.unreachable).isRetryable)
    #expect(MailAPIError.transport(.unreachable).exitCode == 69)
}

@Test func `features are read without the token`() async throws {
    let client = ScriptedClient(200, #"{"openapi":"3.1.0","paths":{"/api/v1/changes":{"get":{}},"/api/v1/send":{}}}"#)
    let features = try await api(client).features()
    #expect(features == ServerFeatures(hasChanges: true, hasDraftChanges: false, hasEvents: false))
    #expect(client.requests.first?.headers.value(of: "Authorization") == nil)
}

@Test func `a server without a change feed is too old`() async {
    let client = api(ScriptedClient(404, envelope("NOT_FOUND")))
    await #expect(throws: MailAPIError.tooOld) { _ = try await client.features() }
    await #expect(throws: MailAPIError.tooOld) { _ = try await client.changes(cursor: nil) }
    await #expect(throws: MailAPIError.notFound("NOT_FOUND")) { _ = try await client.changes(cursor: "c") }
}

@Test func `changes of unknown kinds are passed over`() async throws {
    let body = """
        {"changes":[{"type":"upsert","message":\(summary)},{"type":"rename","x":1},\
        {"type":"delete","messageId":"m2","mailboxId":null}],"nextCursor":"n","hasMore":true}
        """
    let page = try await api(ScriptedClient(200, body)).changes(cursor: "c")
    #expect(page.changes.count == 2)
    #expect(page.changes.last == .delete(MessageID("m2")))
    #expect(page.hasMore && page.nextCursor == "n")
}

@Test func `mailboxes keep a missing level and read an unknown one as the lowest`() async throws {
    let body = #"[{"id":"a","address":"a@x","accessLevel":null},{"id":"b","address":"b@x","accessLevel":"emperor"}]"#
    let mailboxes = try await api(ScriptedClient(200, body)).mailboxes()
    #expect(mailboxes.map(\.accessLevel) == [nil, .read])
}

@Test func `a message without HTML has none, other missing things are an error`() async throws {
    let none = ScriptedClient(404, envelope("MESSAGE_HTML_NOT_FOUND"))
    #expect(try await api(none).html(of: MessageID("m"), loadRemoteImages: true) == nil)
    #expect(none.requests.first?.url.hasSuffix("/messages/m/html?loadRemoteImages=1") == true)
    await #expect(throws: MailAPIError.notFound("MESSAGE_NOT_FOUND")) {
        _ = try await api(ScriptedClient(404, envelope("MESSAGE_NOT_FOUND"))).message(MessageID("m"))
    }
}

@Test(arguments: ["", ".", ".."])
func `an identifier cannot climb out of its route`(id: String) async {
    let client = ScriptedClient(200, "")
    await #expect(throws: MailAPIError.notFound("")) { _ = try await api(client).attachment(AttachmentID(id)) }
    #expect(client.requests.isEmpty)
}

@Test func `traffic is counted`() async throws {
    let client = api(ScriptedClient(200, "bytes", type: "image/png"))
    #expect(try await client.attachment(AttachmentID("a/b")) == Array("bytes".utf8))
    #expect(client.traffic == Traffic(requests: 1, bytes: 5))
}
