import Glibc
import Synchronization
import MailTestSupport

/// What the server does with one request.
struct Reply: Sendable {
    enum End { case keepOpen, close, hold }

    var text: String
    var end: End

    /// A complete answer on a connection that stays open.
    static func ok(_ body: String, status: String = "200 OK", headers: String = "") -> Reply {
        Reply(
            text: "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\(headers)\r\n\(body)", end: .keepOpen)
    }
}

/// A server on a loopback port that answers as its script says; each connection has its own thread.
final class LoopbackServer: Sendable {
    struct Seen: Sendable {
        var connections = 0
        var requests: [String] = []
    }

    /// Every request as it arrives.
    let arrivals: AsyncStream<String>
    /// One element for every connection that ended.
    let endings: AsyncStream<Void>
    private let listener: LoopbackListener
    private let script: @Sendable (_ request: String, _ number: Int) -> Reply
    private let log = Mutex(Seen())
    private let arrival: AsyncStream<String>.Continuation
    private let ending: AsyncStream<Void>.Continuation

    init(_ script: @escaping @Sendable (_ request: String, _ number: Int) -> Reply) throws {
        listener = try LoopbackListener()
        (arrivals, arrival) = AsyncStream.makeStream()
        (endings, ending) = AsyncStream.makeStream()
        self.script = script
        listener.serve { [self] connection in
            log.withLock { $0.connections += 1 }
            serve(connection)
        }
    }

    var port: Int { listener.port }

    var seen: Seen { log.withLock { $0 } }
    func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    /// Wakes the accepting thread, which ends.
    func stop() { listener.stop() }

    private func serve(_ connection: Int32) {
        defer {
            close(connection)
            ending.yield()
        }
        while let request = Loopback.readRequest(connection) {
            let number = log.withLock { seen in
                seen.requests.append(request)
                return seen.requests.count
            }
            arrival.yield(request)
            let reply = script(request, number)
            Loopback.write(reply.text, to: connection)
            switch reply.end {
            case .keepOpen: continue
            case .close: return
            case .hold: while Loopback.read(connection) != nil {}
            }
        }
    }
}
