package import HTTP
internal import MailTestSupport
internal import Synchronization

/// A verb of the control port that the server did not carry out.
package struct RefusedVerb: Error {
    package let target: String
}

/// A client that holds its thread until the answer is there, so that requests never overtake each other.
package final class LoopbackClient: HTTPClient {
    private struct State {
        var sent = 0
        var diesAt: Int?
        var secondsMax = 120.0
    }

    private let state = Mutex(State())
    private let pageRows: Int?
    private let beforeEach: @Sendable (String) -> Void
    private let note: @Sendable (String) -> Void

    /// A client that calls `beforeEach` with the path of a request before it is sent, so that things happen meanwhile.
    ///
    /// `note` is told of each request and its end. `pageRows` asks for pages of that length, so that a little mail
    /// has many.
    package init(
        pageRows: Int? = nil, beforeEach: @escaping @Sendable (String) -> Void = { _ in },
        note: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.pageRows = pageRows
        self.beforeEach = beforeEach
        self.note = note
    }

    /// Has the client stop for ever before the n-th request from now, and sets how long it waits.
    package func plan(diesAt: Int?, secondsMax: Double) {
        state.withLock { state in
            state = State(sent: 0, diesAt: diesAt, secondsMax: secondsMax)
        }
    }

    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let (dies, secondsMax) = state.withLock { state in
            state.sent += 1
            return (state.diesAt.map { state.sent >= $0 } ?? false, state.secondsMax)
        }
        guard !dies else { throw Killed() }
        guard let url = URLParts(request.url), url.isLoopback else { throw HTTPError.badURL }
        beforeEach(url.path)
        var target = url.path + (url.query.map { "?" + $0 } ?? "")
        if let pageRows { target = target.replacing("limit=100", with: "limit=\(pageRows)") }
        let wire = WireClient(port: url.port, secondsMax: secondsMax, bytesMax: request.responseBytesMax + 65_536)
        do {
            let answer = try LoopbackClient.answer(of: wire, target, request)
            note("  \(LoopbackClient.short(target)): \(answer.status), \(answer.body.count) bytes")
            return answer
        } catch {
            note("  \(LoopbackClient.short(target)): \(error)")
            throw error
        }
    }

    /// The answer as the real transport would give it, failures included.
    private static func answer(
        of wire: WireClient, _ target: String, _ request: HTTPRequest
    ) throws(HTTPError) -> HTTPResponse {
        do throws(WireError) {
            let headers = request.headers.map { ($0.name, $0.value) }
            let answer = try wire.send(request.method, target, headers: headers, body: request.body)
            guard answer.isComplete else { throw .cut }
            return HTTPResponse(
                status: answer.status, headers: answer.fields.map { HTTPHeader($0.name, $0.value) }, body: answer.bytes)
        } catch {
            switch error {
            case .refused: throw .unreachable
            case .cut: throw .interrupted
            case .timedOut: throw .timedOut
            case .tooLong: throw .tooLarge(limit: request.responseBytesMax)
            case .noAnswer: throw .badResponse
            }
        }
    }

    /// A target with the end of its cursor only.
    private static func short(_ target: String) -> String {
        guard let cursor = target.firstRange(of: "cursor=")?.upperBound else { return target }
        return target[..<cursor] + ".." + target[cursor...].suffix(9)
    }
}

/// Thrown where a real process would have died.
package struct Killed: Error {}
