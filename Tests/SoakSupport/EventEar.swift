internal import Glibc
internal import HTTP
internal import MailTestSupport

/// An open stream of the server's events.
final class EventEar {
    private let end: Int32
    private var heard: [UInt8] = []

    /// Opens the stream and waits for its greeting.
    ///
    /// - Throws: `WireError` or `HTTPError` when there is none.
    init(_ port: Int, token: String) throws {
        end = try WireClient(port: port, secondsMax: 30).begin(
            "GET", "/api/v1/events",
            headers: [("Authorization", "Bearer \(token)"), ("Accept", "text/event-stream")])
        guard try hears("\nid: ") else { throw HTTPError.badResponse }
    }

    deinit { close(end) }

    /// Whether an event came; waits for one until the server is silent for half a minute.
    ///
    /// - Throws: `HTTPError` when the stream ended.
    func hasRung() throws -> Bool { try hears("event: changed") }

    private func hears(_ text: String) throws -> Bool {
        let wanted = Array(text.utf8)
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while heard.firstRange(of: wanted) == nil {
            let count = read(end, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return false }
            guard count > 0 else { throw HTTPError.interrupted }
            heard += buffer[..<count]
            // Heartbeats alone would keep this going for ever.
            guard heard.count < 65_536 else { return false }
        }
        return true
    }
}
