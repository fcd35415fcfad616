internal import Glibc
internal import MailTestSupport

/// The body of a 200 answer to the owner's request.
func ask(_ port: Int, _ target: String, method: String = "GET", body: String = "") throws -> [UInt8] {
    let owner = ("Authorization", "Bearer hqb_access_owner")
    let answer = try WireClient(port: port).send(method, target, headers: [owner], body: Array(body.utf8))
    guard answer.status == 200 else {
        throw SetupError.noAnswer("\(target): \(answer.status) \(answer.body.prefix(300))")
    }
    return answer.bytes
}

/// A server that gives every request one fixed answer.
final class ScriptedServer {
    private let listener: LoopbackListener

    init(type: String, body: String, status: String = "200 OK") throws {
        let head = "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nConnection: close\r\n"
        let answer = head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
        listener = try LoopbackListener()
        listener.serve { connection in
            if Loopback.readRequest(connection) != nil { Loopback.write(answer, to: connection) }
            // Closed when the client does, so that it can read all of it.
            shutdown(connection, Int32(SHUT_WR))
            while Loopback.read(connection) != nil {}
            close(connection)
        }
    }

    deinit { listener.stop() }

    var port: Int { listener.port }
}
