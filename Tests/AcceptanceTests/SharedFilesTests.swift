internal import JSON
internal import LocalServer
internal import MailModel
internal import MailStorage
internal import MailTestSupport
internal import Platform
internal import SoakSupport
internal import Testing

/// Drafts whose files belong to sent mail, seen from a machine that did not send it.
@Suite(.serialized, .ownThread)
struct SharedFilesTests {
    private let server: RunningServer
    private let first: Herald
    private let second: Herald

    init() throws {
        var options = ServerOptions()
        options.hasDemoUsers = true
        options.tier = .release
        let mail = try Scratch()
        try mail.write("a.mbox", SharedFilesTests.mbox)
        options.imports = [ServerOptions.Import(path: mail.path, address: "info@example.test")]
        server = try MailServer.start(options)
        (first, second) = (try Herald(origin: server.origin), try Herald(origin: server.origin))
        for herald in [first, second] { #expect(try herald.run("--sync-once").code == 0) }
    }

    private static let mbox = """
        From ann@client.example Mon Nov  2 10:00:00 2026
        From: ann@client.example
        To: info@example.test
        Subject: An invoice
        Date: Mon, 02 Nov 2026 10:00:00 +0000
        Message-ID: <m@client.example>
        MIME-Version: 1.0
        Content-Type: multipart/mixed; boundary="cut"

        --cut
        Content-Type: text/plain

        See the file.
        --cut
        Content-Type: application/pdf; name="a.pdf"
        Content-Disposition: attachment; filename="a.pdf"
        Content-Transfer-Encoding: base64

        JVBERi0xLjQK
        --cut--

        """

    /// Passes the invoice on, with a file of one's own.
    private func passOn(_ more: String...) async throws {
        let original = try #require(try await first.shown().first).id.rawValue
        try Files.replace(first.home.path + "/own.txt", with: Array("My own file.".utf8))
        try Files.replace(first.home.path + "/note", with: Array("FYI".utf8))
        let words = [
            "send", "--forward", original, "--to", "bo@client.example", "--attach", first.home.path + "/own.txt",
            "--body", first.home.path + "/note",
        ]
        let ended = try first.run(words + more)
        #expect(ended.code == 0, "\(ended.errors)")
    }

    private func serverDrafts() throws -> Int {
        String(decoding: try ask(server.port, "/api/v1/drafts"), as: UTF8.self)
            .split(separator: "\"version\":", omittingEmptySubsequences: false).count - 1
    }

    /// The newest sent mail, as the server tells it.
    private func sentMail() throws -> String {
        var rows: [Row] = []
        var reader = JSONReader(try ask(server.port, "/api/v1/messages?folder=sent"))
        try reader.array { reader throws(JSONError) in rows.append(try Row(&reader)) }
        let id = try #require(rows.first).id
        return String(decoding: try ask(server.port, "/api/v1/messages/\(id)"), as: UTF8.self)
    }

    /// How many files of the newest sent mail can be read.
    private func readableFiles() throws -> Int {
        let ids = try sentMail().split(separator: "\"id\":\"att_").dropFirst().map { "att_" + $0.prefix { $0 != "\"" } }
        return try ids.count { id in
            try WireClient(port: server.port).send(
                "GET", "/api/v1/attachments/\(id)", headers: [("Authorization", "Bearer hqb_access_owner")]
            ).status == 200
        }
    }

    /// Throws away what a machine shows of the drafts.
    private func discardAll(_ herald: Herald) async throws {
        let reader = try #require(try MailReader(path: try herald.cachePath(), owner: try herald.owner()))
        let outbox = try herald.outbox()
        for draft in try await reader.drafts(mailbox: nil) {
            try await outbox.discardDraft(try await outbox.takeDraft(draft, at: Environment.millisecondsSinceEpoch).id)
        }
        #expect(try herald.run("outbox", "retry").code == 0)
    }

    /// Fails when throwing a draft away destroys files of mail that another machine sent.
    @Test func `a draft that another machine's mail shares files with is not deleted`() async throws {
        defer { server.stop() }
        try await passOn()
        #expect(try readableFiles() == 2 && serverDrafts() == 1)
        #expect(try second.run("--sync-once").code == 0)

        try await discardAll(second)

        #expect(try readableFiles() == 2)
        for _ in 0..<2 {
            #expect(try second.run("--sync-once").code == 0)
            #expect(try second.run("list", "drafts", "--json").text.contains("\"items\":[]"))
        }
    }

    /// Fails when taking a file off such a draft destroys it in the mail.
    @Test func `a file that another machine's mail has is not deleted`() async throws {
        defer { server.stop() }
        try await passOn()
        #expect(try second.run("--sync-once").code == 0)
        let reader = try #require(try MailReader(path: try second.cachePath(), owner: try second.owner()))
        let outbox = try second.outbox()
        let listed = try #require(try await reader.drafts(mailbox: nil).first)
        let taken = try await outbox.takeDraft(listed, at: Environment.millisecondsSinceEpoch)
        try await outbox.removeFile(try #require(taken.files.first).id)

        #expect(try second.run("outbox", "retry").code == 0)

        #expect(try readableFiles() == 2)
        #expect(try await outbox.removedFiles(of: taken.id).isEmpty)
    }

    /// Fails when mail that needs none of the server's help leaves a draft with its files behind.
    @Test func `mail without the original's files leaves no draft behind`() async throws {
        defer { server.stop() }
        try await passOn("--without-files")
        #expect(try readableFiles() == 1 && serverDrafts() == 0)
        #expect(try sentMail().contains("---------- Forwarded message ---------"))
    }

    /// Fails when caution keeps drafts for ever that nobody sent.
    @Test func `a draft with files that nobody sent is deleted`() async throws {
        defer { server.stop() }
        try await passOn("--without-files")
        try Files.replace(first.home.path + "/other.txt", with: Array("Another file.".utf8))
        let ended = try first.run(
            "send", "--draft", "--to", "bo@client.example", "--subject", "Not yet", "--attach",
            first.home.path + "/other.txt", "--body", first.home.path + "/note")
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(try serverDrafts() == 1)
        #expect(try second.run("--sync-once").code == 0)

        try await discardAll(second)

        #expect(try serverDrafts() == 0 && readableFiles() == 1)
    }
}
