import HTTP
import MailAPI
import MailModel
import Synchronization
import Testing

/// Answers every stream with the same pieces and remembers the requests.
private final class StreamingClient: HTTPStreamClient {
    private let status: Int
    private let pieces: [[UInt8]]
    private let asked = Mutex<[HTTPRequest]>([])

    init(_ status: Int = 200, _ pieces: [[UInt8]]) {
        self.status = status
        self.pieces = pieces
    }

    var requests: [HTTPRequest] { asked.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse { throw HTTPError.badRequest }

    func stream(_ request: HTTPRequest, silenceMax: Duration) async throws -> HTTPStream {
        asked.withLock { $0.append(request) }
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        for piece in pieces { continuation.yield(piece) }
        continuation.finish()
        let type = status == 200 ? "image/png" : "application/json"
        return HTTPStream(status: status, headers: [HTTPHeader("Content-Type", type)], body: stream)
    }
}

private func source(_ client: StreamingClient) -> HTTPAttachmentSource {
    HTTPAttachmentSource(origin: "http://127.0.0.1:8080", bearers: StaticBearer("secret"), client: client)
}

/// Fails when pieces come in another order, the address is another, or the token does not go with it.
@Test func `a file is asked for once and read in pieces`() async throws {
    let client = StreamingClient(200, [[1, 2], [3], [4, 5]])
    var read: [UInt8] = []
    let count = try await source(client).read(AttachmentID("att_1/../x"), bytesMax: 5) { read += $0 }
    #expect(count == 5 && read == [1, 2, 3, 4, 5])
    #expect(client.requests.map(\.url) == ["http://127.0.0.1:8080/api/v1/attachments/att_1%2F..%2Fx"])
    #expect(client.requests.first?.headers.value(of: "Authorization") == "Bearer secret")
}

/// Fails when more than was told is handed on, or an identifier that leaves its route is asked for.
@Test func `more bytes than a file has are not read`() async throws {
    var read = 0
    await #expect(throws: MailAPIError.transport(.tooLarge(limit: 4))) {
        _ = try await source(StreamingClient(200, [[1, 2], [3, 4], [5]])).read(AttachmentID("a"), bytesMax: 4) {
            read += $0.count
        }
    }
    #expect(read == 4)
    let client = StreamingClient(200, [])
    for id in ["", ".", ".."] {
        await #expect(throws: MailAPIError.notFound("")) {
            _ = try await source(client).read(AttachmentID(id), bytesMax: 1) { _ in }
        }
    }
    #expect(client.requests.isEmpty)
}

/// Fails when a refusal's text is taken for the file, or its code is lost.
@Test(arguments: [
    (404, #"{"error":{"code":"ATTACHMENT_NOT_FOUND","message":"x"}}"#, MailAPIError.notFound("ATTACHMENT_NOT_FOUND")),
    (403, #"{"error":{"code":"MAILBOX_FORBIDDEN","message":"x"}}"#, .forbidden("MAILBOX_FORBIDDEN")),
    (401, "", .signInNeeded("")), (302, "", .notJSON), (503, "", .server(503)), (429, "", .rateLimited),
])
func `a refusal is no file`(status: Int, body: String, error: MailAPIError) async throws {
    let half = body.utf8.count / 2
    let client = StreamingClient(status, [Array(body.utf8.prefix(half)), Array(body.utf8.dropFirst(half))])
    var read = 0
    await #expect(throws: error) {
        _ = try await source(client).read(AttachmentID("a"), bytesMax: 1_000) { read += $0.count }
    }
    #expect(read == 0)
}
