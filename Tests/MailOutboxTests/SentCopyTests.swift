import MailModel
import MailOutbox
import Testing

/// What is taken for the Sent copy of a mail whose answer was lost.
struct SentCopyTests {
    private static func copy(
        subject: String = " Hello ", text: String = "\nA word.\n",
        after: Timestamp? = Timestamp("2026-01-02T00:00:00.500Z")
    ) throws -> SentCopy {
        let content = SentContent(
            from: "me@x.example", to: ["A@x.example", "b@x.example"], cc: ["c@x.example"], bcc: ["d@x.example"],
            subject: subject, text: text)
        return try #require(
            SentCopy(
                Send(
                    id: SendID("s"), draft: LocalDraftID("d"), revision: 1, status: .unknown, notBefore: 0,
                    content: content, postedAt: 1_767_312_000_000, sentAfter: after,
                    createdAt: Timestamp("2026-01-01T00:00:00.000Z"))))
    }

    private static func detail(
        _ text: String = "A word.", subject: String = "Hello", change: (inout MessageDetail) -> Void = { _ in }
    ) -> MessageDetail {
        var summary = SendMachineTests.message("m", at: "2026-01-02T00:00:01.000Z")
        (summary.to, summary.subject) = (["b@x.example", "a@x.example"], subject)
        var detail = MessageDetail(
            summary: summary, cc: ["c@x.example"], bcc: ["d@x.example"], deliveredToAddress: nil, textBody: text,
            htmlAvailable: false, internetMessageID: nil, inReplyTo: nil, references: [], attachments: [])
        change(&detail)
        return detail
    }

    @Test func `the copy is known by who, to whom, what and when`() throws {
        #expect(try Self.copy().matches(Self.detail()))
    }

    /// Fails when mail is told as sent because of another one.
    @Test(arguments: [
        detail { $0.summary.fromAddress = "you@x.example" }, detail { $0.summary.to = ["a@x.example"] },
        detail { $0.summary.to.append("e@x.example") }, detail { $0.cc = [] }, detail { $0.bcc = [] },
        detail { $0.bcc = ["e@x.example"] }, detail { $0.summary.subject = "Hello again" },
        detail { $0.summary.direction = .inbound },
        detail { $0.summary.createdAt = Timestamp("2026-01-01T23:59:50.000Z") }, detail("A wor"), detail(""),
        detail("A word.\nAnd more."), detail("a word."),
    ])
    func `another mail is not the copy`(other: MessageDetail) throws {
        #expect(try !Self.copy().matches(other))
    }

    @Test func `an answer is known though the server makes its subject and quotes below it`() throws {
        let answer = try Self.copy(subject: "")
        #expect(
            answer.matches(Self.detail("A word.\n\nOn 2026-01-01 at 09:14 UTC, x wrote:\n> y", subject: "RE: Plans")))
        #expect(!answer.matches(Self.detail("A word.", subject: "Plans")))
        #expect(!answer.matches(Self.detail("A word. And more.\n\nOn 2026-01-01", subject: "Re: Plans")))
        #expect(!answer.matches(Self.detail("Other.\n\nOn 2026", subject: "Re: Plans")))
    }

    @Test func `a note is known above what it passes on, and without a note`() throws {
        let block = "---------- Forwarded message ---------\nFrom: x"
        #expect(try Self.copy().matches(Self.detail("A word.\n\n" + block)))
        #expect(try Self.copy(text: " \n").matches(Self.detail(block)))
        #expect(try !Self.copy(text: " \n").matches(Self.detail("Any words.")))
        #expect(try !Self.copy().matches(Self.detail("A word.\n\n-----\nAnd more.")))
    }

    /// Fails when this machine's clock decides though the server told its own time.
    @Test func `the server's clock counts where it is known`() throws {
        let early = Self.detail { $0.summary.createdAt = Timestamp("2026-01-01T23:58:00.000Z") }
        #expect(try !Self.copy().matches(early))
        #expect(try Self.copy(after: nil).matches(early))
    }
}
