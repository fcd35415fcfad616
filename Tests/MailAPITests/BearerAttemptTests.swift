import HTTP
import MailAPI
import MailModel
import Synchronization
import Testing

/// Hands out bearers in order, and notes what it is told.
private final class ListedBearers: BearerSource {
    private struct State {
        var rest: [String]
        var refused: [String] = []
        var accepted: [String] = []
        var given: [String] = []
    }

    private let state: Mutex<State>

    init(_ bearers: [String]) { state = Mutex(State(rest: bearers)) }

    var refused: [String] { state.withLock { $0.refused } }
    var accepted: [String] { state.withLock { $0.accepted } }
    /// Those in place of which another was asked for.
    var given: [String] { state.withLock { $0.given } }

    func bearer() -> String { state.withLock { $0.rest.removeFirst() } }

    func bearer(insteadOf refused: String) -> String? {
        state.withLock { state in
            state.given.append(refused)
            return state.rest.isEmpty ? nil : state.rest.removeFirst()
        }
    }

    func noteRefused(_ bearer: String) { state.withLock { $0.refused.append(bearer) } }

    func noteAccepted(_ bearer: String) { state.withLock { $0.accepted.append(bearer) } }
}

/// A server that takes one bearer only.
private struct PickyServer: HTTPStreamClient {
    let bearer: String

    private func isRight(_ request: HTTPRequest) -> Bool {
        request.headers.value(of: "Authorization") == "Bearer \(bearer)"
    }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let type = HTTPHeader("Content-Type", "application/json")
        return HTTPResponse(status: isRight(request) ? 200 : 401, headers: [type], body: Array("[]".utf8))
    }

    func stream(_ request: HTTPRequest, silenceMax: Duration) async throws -> HTTPStream {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        continuation.finish()
        let type = request.url.hasSuffix("/events") ? "text/event-stream" : "image/png"
        return HTTPStream(
            status: isRight(request) ? 200 : 401, headers: [HTTPHeader("Content-Type", type)], body: stream)
    }
}

/// What is asked for with a bearer.
private enum Question: CaseIterable {
    case list, file, events

    func ask(_ source: ListedBearers, _ server: PickyServer) async throws {
        let origin = "http://127.0.0.1:1"
        switch self {
        case .list: _ = try await HTTPMailAPIClient(origin: origin, bearers: source, client: server).mailboxes()
        case .file:
            let files = HTTPAttachmentSource(origin: origin, bearers: source, client: server)
            _ = try await files.read(AttachmentID("a"), bytesMax: 1) { _ in }
        case .events:
            _ = try await HTTPEventFeed(origin: origin, bearers: source, client: server).open(lastEventID: "")
        }
    }
}

/// Fails when requests, files and events do not all try another bearer, or try the first one again.
@Test(arguments: Question.allCases, [1, 2, 3])
private func `a refused bearer is followed by another`(_ question: Question, _ right: Int) async throws {
    let source = ListedBearers(["1", "2", "3", "4"])
    try await question.ask(source, PickyServer(bearer: "\(right)"))
    #expect(source.given == ["1", "2", "3"].prefix(right - 1).map(\.self))
    #expect(source.accepted == (right == 1 ? [] : ["\(right)"]))
    #expect(source.refused.isEmpty)
}

/// Fails when bearers are tried without end, or nobody is told that none helps.
@Test(arguments: Question.allCases, [1, 2, 4])
private func `after three bearers, or the last, the sign-in is over`(_ question: Question, _ count: Int) async throws {
    let source = ListedBearers(["1", "2", "3", "4"].prefix(count).map(\.self))
    await #expect(throws: (any Error).self) { try await question.ask(source, PickyServer(bearer: "none")) }
    #expect(source.refused == ["\(min(count, 3))"])
}
