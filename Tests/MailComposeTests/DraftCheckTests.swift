import MailCompose
import MailModel
import Testing

@Suite struct DraftCheckTests {
    private let good = DraftContent(from: "me@acme.example", to: "a@b.example", subject: "Hi", text: "Hello")
    private let senders = ["Me@acme.example"]

    private func changed(_ change: (inout DraftContent) -> Void) -> DraftContent {
        var content = good
        change(&content)
        return content
    }

    @Test func `a whole draft can be sent`() {
        #expect(DraftCheck.refusals(good, files: [], senders: senders).isEmpty)
    }

    /// Fails when something that the server refuses is sent all the same.
    @Test func `what the server refuses is told before`() {
        let many = (0..<51).map { "u\($0)@b.example" }.joined(separator: ",")
        let cases: [(DraftContent, DraftRefusal)] = [
            (changed { $0.from = "" }, .noSender),
            (changed { $0.from = "x@y.example" }, .foreignSender("x@y.example")),
            (changed { $0.to = "" }, .noRecipient),
            (changed { $0.cc = "bob" }, .incomplete("bob")),
            (changed { $0.to = many }, .tooManyRecipients(51)),
            (changed { $0.subject = " \u{3000}" }, .emptySubject),
            (changed { $0.subject = String(repeating: "s", count: 201) }, .longSubject(201)),
            (changed { $0.text = "\n\n" }, .emptyText),
            (changed { $0.text = String(repeating: "x", count: 100_001) }, .longText(100_001)),
        ]
        for (content, refusal) in cases {
            #expect(DraftCheck.refusals(content, files: [], senders: senders) == [refusal])
        }
    }

    @Test func `an answer needs no subject, and mail passed on no text`() {
        let reply = changed { ($0.origin, $0.subject) = (.reply(to: MessageID("m")), "") }
        let forward = changed { ($0.origin, $0.text) = (.forward(of: MessageID("m"), withFiles: true), "") }

        #expect(DraftCheck.refusals(reply, files: [], senders: senders).isEmpty)
        #expect(DraftCheck.refusals(forward, files: [], senders: senders).isEmpty)
        #expect(
            DraftCheck.refusals(
                forward, files: [], senders: senders, forwarded: String(repeating: "x", count: 100_000))
                == [.longText(100_002)])
    }

    private func file(_ bytes: Int) -> DraftFile {
        DraftFile(id: DraftFileID("f"), filename: "f", contentType: "a/b", sizeBytes: bytes, sha256: nil)
    }

    @Test func `files are held to the limits, and sizes are told exactly enough`() {
        let most = DraftLimits.bytesMax

        #expect(DraftCheck.refusals(good, files: [file(most)], senders: senders).isEmpty)
        #expect(DraftCheck.refusals(good, files: [file(most + 1)], senders: senders) == [.largeFile("f", most + 1)])
        #expect(DraftCheck.refusals(good, files: [file(most), file(1)], senders: senders) == [.largeFiles(most + 1)])
        #expect(
            DraftCheck.refusals(good, files: Array(repeating: file(1), count: 21), senders: senders)
                == [.tooManyFiles(21)])
        #expect(ByteCount.words(most) == "25 MiB")
        #expect(ByteCount.words(most + 1) == "25.1 MiB")
    }

    @Test(arguments: [
        ("see the attached file", "attached"), ("Im Anhang findest du", "Anhang"), ("en pièce jointe", "pièce"),
        ("请见附件", "附件"), ("Adjunto el documento", "Adjunto"), ("unattached people", nil),
        ("> attached\nyes", nil), ("hi\n-- \nattachment", nil), ("", nil),
    ])
    func `a file that is spoken of is missed`(text: String, word: String?) {
        let warnings = DraftCheck.warnings(changed { $0.text = text }, files: [])

        #expect(warnings == (word.map { [.missingFile($0)] } ?? []))
        #expect(DraftCheck.warnings(changed { $0.text = text }, files: [file(1)]).isEmpty)
    }

    @Test func `originals that cannot be answered well are told`() {
        let reply = changed { $0.origin = .reply(to: MessageID("m")) }
        let own = ["me@acme.example"]
        let noReply = changed { ($0.origin, $0.to) = (.reply(to: MessageID("m")), "no-reply@shop.example") }

        #expect(
            DraftCheck.warnings(reply, files: [], original: message(from: "unknown", to: own), own: own)
                == [.unknownSender])
        #expect(
            DraftCheck.warnings(reply, files: [], original: message(to: ["list@x.example"]), own: own)
                == [.notAddressedToMe])
        #expect(
            DraftCheck.warnings(noReply, files: [], original: message(to: own), own: own)
                == [.noReply("no-reply@shop.example")])
        #expect(!NoReplyAddress.isLikely("reply@x.example"))
    }
}
