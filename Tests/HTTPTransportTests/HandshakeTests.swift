import Glibc
import HTTP
import HTTPTransport
import Testing
import MailTestSupport

/// How a server ends a connection before it is encrypted.
enum Cut: CaseIterable, Sendable {
    case closed, reset, closedMidway, resetMidway, refused, plain

    /// What the server sends before it ends the connection.
    var bytes: [UInt8] {
        switch self {
        case .closed, .reset: []
        case .closedMidway, .resetMidway: [22, 3, 3, 0, 50, 2]
        case .refused: [21, 3, 3, 0, 2, 2, 40]
        case .plain: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)
        }
    }

    var isReset: Bool { self == .reset || self == .resetMidway }
    var isAnswer: Bool { self == .refused || self == .plain }
}

@Suite(.timeLimit(.minutes(20)))
struct HandshakeTests {
    /// Fails when a network that breaks looks like a server whose encryption is refused, which is not tried again.
    @Test(arguments: Cut.allCases)
    func `a connection cut before it is secure is unreachable, a refused one is not`(_ cut: Cut)
        async throws
    {
        let (listener, port) = try Loopback.listen()
        TestThread.start {
            let connection = accept(listener, nil, nil)
            _ = Loopback.read(connection)
            Loopback.write(cut.bytes, to: connection)
            if cut.isReset {
                var atOnce = linger(l_onoff: 1, l_linger: 0)
                setsockopt(connection, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
            }
            close(connection)
            close(listener)
        }
        let client = try CurlClient(version: "1")
        let expected: HTTPError = cut.isAnswer ? .tlsFailed : .unreachable
        await #expect(throws: expected) { try await client.send(HTTPRequest(url: "https://127.0.0.1:\(port)/")) }
    }
}
