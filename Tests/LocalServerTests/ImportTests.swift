internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import Testing

struct ImportTests {
    /// A directory of a test's own, removed afterwards.
    private func inDirectory(_ body: (String) throws -> Void) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try body(scratch.path)
    }

    private func started(_ path: String, state: String? = nil) throws -> RunningServer {
        var options = ServerOptions()
        options.hasDemoUsers = true
        options.state = state
        options.imports = [ServerOptions.Import(path: path, address: "support@example.test")]
        return try MailServer.start(options)
    }

    private func get(_ server: RunningServer, _ target: String) throws -> WireAnswer {
        try #require(exchange(server.port, "/api/v1" + target, bearer: "owner"))
    }

    private func subjects(_ server: RunningServer) throws -> [String] {
        let body = try get(server, "/messages").body
        var found: [String] = []
        while let subject = json(body, "\(found.count).subject") { found.append(subject) }
        return found.sorted()
    }

    private func mail(_ subject: String) -> String {
        "From: a@b.example\nTo: support@example.test\nSubject: \(subject)\nMessage-ID: <\(subject)@b.example>\n\nText\n"
    }

    private func write(_ text: String, _ path: String) throws { try Files.replace(path, with: Array(text.utf8)) }

    @Test func `an mbox gives each of its messages`() throws {
        try inDirectory { directory in
            let box = ["one", "two"].map { "From a@b.example Mon Nov  2 10:00:00 2026\n\(mail($0))>From here\n\n" }
            try write(box.joined(), directory + "/box")
            let server = try started(directory + "/box")
            defer { server.stop() }

            #expect(try subjects(server) == ["one", "two"])
            let id = try #require(json(get(server, "/messages").body, "0.id"))
            #expect(json(try get(server, "/messages/\(id)").body, "textBody")?.contains("\nFrom here") == true)
        }
    }

    @Test func `a Maildir gives what is in cur and new`() throws {
        try inDirectory { directory in
            for name in ["cur", "new", "tmp"] {
                try Files.makeDirectory(directory + "/" + name)
                try write(mail(name), directory + "/\(name)/1:2,S")
            }
            let server = try started(directory)
            defer { server.stop() }

            #expect(try subjects(server) == ["cur", "new"])
        }
    }

    @Test func `an attachment of a payload has as many bytes as it says`() throws {
        try inDirectory { directory in
            let line = """
                {"source":"x","detail":{"id":"msg_1","threadId":"thr_1","mailboxId":"mbx_1","direction":"inbound",\
                "folder":"inbox","fromAddress":"a@b.example","to":["c@d.example"],"subject":"s","snippet":"t",\
                "receivedAt":"2026-11-02T10:00:00.000Z","sentAt":null,"readAt":null,"starredAt":null,\
                "hasAttachments":true,"createdAt":"2026-11-02T10:00:00.000Z","cc":[],"bcc":[],\
                "deliveredToAddress":null,"textBody":"t","htmlAvailable":false,"messageId":null,"inReplyTo":null,\
                "references":[],"attachments":[{"id":"att_1","messageId":"msg_1","filename":"f.bin",\
                "contentType":"application/x-test","sizeBytes":1000,"contentId":null,\
                "createdAt":"2026-11-02T10:00:00.000Z"}]}}
                """
            try write(line + "\n", directory + "/p.jsonl")
            let server = try started(directory + "/p.jsonl")
            defer { server.stop() }
            let id = try #require(json(get(server, "/messages").body, "0.id"))
            let attachment = try #require(json(get(server, "/messages/\(id)").body, "attachments.0.id"))

            let download = try get(server, "/attachments/\(attachment)")

            #expect(download.status == 200)
            #expect(download.headers["content-type"] == "application/x-test")
            #expect(download.body.utf8.count == 1_000)
        }
    }

    @Test func `a second start on a state imports nothing again and keeps what changed`() throws {
        try inDirectory { directory in
            try write(mail("one"), directory + "/one.eml")
            let first = try started(directory + "/one.eml", state: directory + "/state")
            let id = try #require(json(get(first, "/messages").body, "0.id"))
            _ = exchange(first.controlPort, "/touch?id=\(id)&action=star", method: "POST")
            first.stop()

            let second = try started(directory + "/one.eml", state: directory + "/state")
            defer { second.stop() }

            #expect(try subjects(second) == ["one"])
            #expect(json(try get(second, "/messages/\(id)").body, "starredAt") != "null")
        }
    }
}
