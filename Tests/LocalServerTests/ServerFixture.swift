internal import JSON
internal import LocalServer
internal import MailTestSupport
internal import Testing

/// A running server with the demo users, and short ways to ask it.
final class ServerFixture: Sendable {
    let server: RunningServer

    init() throws {
        var options = ServerOptions()
        options.hasDemoUsers = true
        server = try MailServer.start(options)
    }

    deinit { server.stop() }

    /// Asks the API; `target` is the path after `/api/v1`.
    func ask(
        _ method: String, _ target: String, _ body: String = "", as bearer: String? = "owner",
        type: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> WireAnswer {
        try #require(
            exchange(server.port, "/api/v1" + target, bearer: bearer, method: method, body: body, type: type),
            sourceLocation: sourceLocation)
    }

    /// Uses a verb of the control port, which must accept it.
    @discardableResult
    func control(_ target: String, _ body: String = "", sourceLocation: SourceLocation = #_sourceLocation) throws
        -> WireAnswer
    {
        let answer = try #require(
            exchange(server.controlPort, target, method: "POST", body: body), sourceLocation: sourceLocation)
        #expect(answer.status == 200, "\(answer.body)", sourceLocation: sourceLocation)
        return answer
    }

    /// Delivers a plain mail; answers the message's id.
    func deliver(
        to address: String = "support@example.test", subject: String = "Hello", id: String? = nil, header: String = "",
        text: String = "Line one\r\n\r\nLine two\r\n"
    ) throws -> String {
        let mail = """
            From: Ann <ann@client.example>\r\nTo: \(address)\r\nSubject: \(subject)\r\n\(header)\
            Date: Mon, 02 Nov 2026 10:00:00 +0000\r\nMessage-ID: <\(id ?? subject)@client.example>\r\n\r\n\(text)
            """
        return try #require(json(control("/deliver?to=\(address)", mail).body, "ids.0"))
    }

    /// Makes a draft; answers its id.
    func draft(_ body: String = "{}", as bearer: String = "owner") throws -> String {
        let answer = try ask("POST", "/drafts", body, as: bearer)
        try #require(answer.status == 201, "\(answer.body)")
        return try #require(json(answer.body, "id"))
    }

    /// Uploads a text file to a draft; answers the attachment's id.
    func upload(_ content: String, named name: String = "a.txt", to draft: String) throws -> String {
        let answer = try ask(
            "POST", "/drafts/\(draft)/attachments", form(content, named: name),
            type: "multipart/form-data; boundary=XbX")
        try #require(answer.status == 201, "\(answer.body)")
        return try #require(json(answer.body, "id"))
    }

    /// The kinds of change since a cursor, each with its id, and the next cursor.
    func changes(_ feed: String, since cursor: String, as bearer: String = "owner") throws -> [String] {
        let body = try ask("GET", "/\(feed)?cursor=\(cursor)", as: bearer).body
        var found: [String] = []
        while let type = json(body, "changes.\(found.count).type") {
            let place = "changes.\(found.count)"
            let ids = ["messageId", "draftId", "message.id", "draft.id"]
            found.append(type + " " + (ids.compactMap { json(body, place + "." + $0) }.first ?? ""))
        }
        return found
    }

    /// The feed's present cursor.
    func checkpoint(_ feed: String, as bearer: String = "owner") throws -> String {
        try #require(json(ask("GET", "/\(feed)", as: bearer).body, "nextCursor"))
    }
}

/// A form with one file.
func form(_ content: String, named name: String = "a.txt", field: String = "file") -> String {
    "--XbX\r\nContent-Disposition: form-data; name=\"\(field)\"; filename=\"\(name)\"\r\n"
        + "Content-Type: text/plain\r\n\r\n\(content)\r\n--XbX--\r\n"
}

/// The value at a path of names and indices: a string's text, or any other value as JSON; `nil` when absent.
func json(_ body: String, _ path: String) -> String? {
    var text = body
    for step in path.split(separator: ".") {
        let bytes = Array(text.utf8)
        var reader = JSONReader(bytes)
        var found: Range<Int>?
        func take(_ reader: inout JSONReader, _ isWanted: Bool) throws(JSONError) {
            _ = try reader.kind()
            let start = reader.position
            try reader.skip()
            if isWanted { found = start..<reader.position }
        }
        guard let kind = try? reader.kind() else { return nil }
        if kind == .object {
            try? reader.object { reader, name throws(JSONError) in try take(&reader, name == step) }
        } else if kind == .array, let wanted = Int(step) {
            var index = 0
            try? reader.array { reader throws(JSONError) in
                try take(&reader, index == wanted)
                index += 1
            }
        }
        guard let found else { return nil }
        text = String(decoding: bytes[found], as: UTF8.self)
    }
    var reader = JSONReader(Array(text.utf8))
    return (try? reader.string()) ?? text
}
