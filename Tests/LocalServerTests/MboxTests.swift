internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import Testing

struct MboxTests {
    /// Fails when a line of a body begins a message, or a separator does not.
    @Test(arguments: [
        ("mboxo-unescaped", 3), ("mboxrd", 3), ("crlf", 3), ("content-length-lies", 3), ("no-blank-between", 3),
        ("truncated-last", 3), ("weird-from-lines", 3), ("empty", 0),
    ])
    func `an mbox has as many messages as its writer put in`(_ name: String, _ count: Int) {
        guard let bytes = SharedFolder.read("mail/synthetic-edge/mbox/\(name).mbox") else { return }
        #expect(Mbox.messages(bytes).count == count)
    }

    /// Fails when a true length does not protect a body, or a wrong one is believed.
    @Test(arguments: [(0, 1), (7, 2)])
    func `a length is believed only when it ends at a separator`(_ wrongBy: Int, _ count: Int) {
        let body = "Text\n\nFrom a@b.example Tue Jul  1 10:00:00 2025\nSubject: in a body\n\nMore\n"
        let text =
            "From x@y.example Tue Jul  1 10:00:00 2025\nSubject: s\nContent-Length: \(body.utf8.count - wrongBy)\n\n"
        #expect(Mbox.messages(Array((text + body).utf8)).count == count)
    }

    /// Fails when files that hold no mail become mail, or the counts lie.
    @Test func `a folder gives its mail and tells what it passed over`() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let mail = "From: a@b.example\nSubject: s\nMessage-ID: <1@b.example>\n\nText\n"
        let files = [
            "one.eml": mail, "again.eml": mail, "plain": mail.replacingOne(), "LICENSE": "Terms: none\n\nText\n",
            "list.tsv": "a\tb\n", "page.html": "<html>\n", "none.mbox": "",
        ]
        for (name, text) in files { try Files.replace(scratch.path + "/" + name, with: Array(text.utf8)) }
        var options = ServerOptions()
        options.imports = [ServerOptions.Import(path: scratch.path, address: "a@b.example")]
        let server = try MailServer.start(options)
        defer { server.stop() }
        let report = try #require(server.imports.first)
        #expect((report.imported, report.duplicates, report.passedOver) == (2, 1, 3))
        #expect(report.sentence.hasSuffix("2 imported, 1 there already, 3 files passed over."))
    }

    /// Fails when two servers write one database, or the second says nothing of it.
    @Test func `a state directory has one server`() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        var options = ServerOptions()
        options.state = scratch.path
        let first = try MailServer.start(options)
        #expect(throws: ServerError.inUse(path: scratch.path)) { try MailServer.start(options) }
        first.stop()
        // A program that another test starts shares the lock until it has begun.
        let isFree = comesTrue { (try? MailServer.start(options).stop()) != nil }
        #expect(isFree)
    }

    /// Fails when mail goes to something that is no address.
    @Test(arguments: ["notanaddress", "@b.example", "a@", "a b@c.example", "a@b@c.example"])
    func `mail is imported to an address only`(_ text: String) {
        #expect {
            try ServerOptions(arguments: ["--import", "x", "--to", text])
        } throws: {
            ($0 as? ServerError)?.exitCode == 64
        }
    }
}

extension String {
    /// The same mail under another id.
    fileprivate func replacingOne() -> String { split(separator: "<1@").joined(separator: "<2@") }
}
