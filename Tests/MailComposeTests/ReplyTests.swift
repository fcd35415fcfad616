import MailCompose
import MailModel
import Testing

@Suite struct ReplyTests {
    private let own = ["Support@acme.example", "sales@acme.example"]

    @Test func `an answer goes to the sender`() {
        let recipients = ReplyRecipients(to: message(cc: ["x@y.example"]), isToAll: false, own: own)

        #expect(recipients.to == ["dana@client.example"])
        #expect(recipients.cc.isEmpty)
    }

    /// Fails when an answer to all goes to oneself, twice to somebody, or leaves somebody out.
    @Test func `an answer to all leaves out myself and doubles`() {
        let original = message(
            to: ["support@ACME.example", "eve@y.example", "Dana@client.example"],
            cc: ["EVE@y.example", "sales@acme.example", "tom@y.example"])

        let recipients = ReplyRecipients(to: original, isToAll: true, own: own)

        #expect(recipients.to == ["dana@client.example"])
        #expect(recipients.cc == ["eve@y.example", "tom@y.example"])
    }

    @Test func `an answer to my own mail goes to whom it went`() {
        let sent = message(
            from: "support@acme.example", to: ["dana@client.example", "sales@acme.example"], cc: ["tom@y.example"],
            isSent: true)

        #expect(ReplyRecipients(to: sent, isToAll: false, own: own).to == ["dana@client.example"])
        #expect(ReplyRecipients(to: sent, isToAll: true, own: own).cc == ["tom@y.example"])
    }

    @Test func `mail to myself alone is answered to myself`() {
        let note = message(from: "support@acme.example", to: ["support@acme.example"], isSent: true)

        #expect(ReplyRecipients(to: note, isToAll: false, own: own).to == ["support@acme.example"])
        #expect(ReplyRecipients(to: note, isToAll: true, own: own).to == ["support@acme.example"])
    }

    @Test func `an unknown sender is no recipient`() {
        let recipients = ReplyRecipients(to: message(from: "unknown"), isToAll: false, own: own)

        #expect(recipients.to.isEmpty)
    }

    @Test(arguments: [
        ("Hi", "Re: Hi", "Fwd: Hi"), ("RE: Hi", "RE: Hi", "Fwd: RE: Hi"),
        ("FW: Fwd: x", "Re: FW: Fwd: x", "Fwd: Fwd: x"),
    ])
    func `subjects are prefixed as the server does`(subject: String, reply: String, forward: String) {
        #expect(SubjectPrefix.reply(subject) == reply)
        #expect(SubjectPrefix.forward(subject) == forward)
    }

    /// The examples of the contract, §3.13 and §3.14.
    @Test func `originals are quoted and passed on as the server does`() {
        let original = message(text: "Hello,\r\n\r\nthe total on page two looks wrong.\r\n")

        #expect(
            Quotation.quote(of: original.summary, text: original.textBody) == """
                On 2026-08-21 at 09:14 UTC, dana@client.example wrote:
                > Hello,
                >
                > the total on page two looks wrong.
                """)
        #expect(
            Quotation.forwarded(original, text: "Hello,\n…") == """
                ---------- Forwarded message ---------
                From: dana@client.example
                Date: Fri, 21 Aug 2026 09:14:03 GMT
                Subject: Invoice 1042
                To: support@acme.example

                Hello,
                …
                """)
        #expect(Quotation.forwarded(message(cc: ["a@b.co", "c@d.co"]), text: "").contains("\nCc: a@b.co, c@d.co\n"))
    }
}
