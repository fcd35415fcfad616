import HTTP
import HTTPTransport
import JSON
import LocalServer
import Testing

/// The local server's verbs for tests.
struct Control: Sendable {
    private let origin: String
    private let client: CurlClient

    init(_ server: RunningServer) throws {
        origin = "http://127.0.0.1:\(server.controlPort)"
        client = try CurlClient(version: "1")
    }

    private func ask(_ verb: String, body: String) async throws -> [UInt8] {
        let answer = try await client.send(
            HTTPRequest(method: "POST", url: origin + verb, body: Array(body.utf8)))
        try #require(answer.status == 200, "\(verb) \(String(decoding: answer.body, as: UTF8.self))")
        return answer.body
    }

    /// The ids a verb answers with.
    func ids(_ verb: String, body: String = "") async throws -> [String] {
        var reader = JSONReader(try await ask(verb, body: body))
        var ids: [String] = []
        try reader.object { reader, name throws(JSONError) in
            if name == "ids" { ids = try reader.strings() } else { try reader.skip() }
        }
        return ids
    }

    /// The count a verb answers with.
    func count(_ verb: String) async throws -> Int {
        var reader = JSONReader(try await ask(verb, body: ""))
        var count = -1
        try reader.object { reader, name throws(JSONError) in
            if name == "count" { count = try reader.int() } else { try reader.skip() }
        }
        return count
    }
}
