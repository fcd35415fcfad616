import MailModel
import MailText
import Testing

@Suite struct SummaryTests {
    @Test(arguments: [
        ("2025-08-21T14:05:00.000Z", 0, "14:05"),
        ("2025-08-21T23:30:00.000Z", 3_600, "22 Aug"),
        ("2025-01-02T00:00:00.000Z", 0, "2 Jan"),
        ("2024-12-31T10:00:00.000Z", 0, "2024-12-31"),
        ("9999-12-31T23:30:00.000Z", 3_600, "?"),
        ("yesterday", 0, "?"),
    ])
    func `a date adapts to how far it is`(text: String, offset: Int, expected: String) {
        let now = Timestamp("2025-08-21T15:00:00.000Z").secondsSinceEpoch ?? 0
        #expect(displayDate(Timestamp(text), now: now, utcOffsetSeconds: offset) == expected)
    }

    @Test func `sent mail names its recipients`() {
        var summary = MessageSummary(
            id: MessageID("m"), threadID: ThreadID("t"), mailboxID: nil, direction: .inbound, folder: "inbox",
            fromAddress: "a@x.example", to: ["b@x.example", "c@x.example\u{1B}"], subject: "", snippet: "",
            receivedAt: nil, sentAt: nil, readAt: nil, starredAt: nil, hasAttachments: false,
            createdAt: Timestamp("2025-08-21T15:00:00.000Z"))
        #expect(counterparty(of: summary) == "a@x.example")
        summary.direction = .outbound
        #expect(counterparty(of: summary).hasPrefix("b@x.example, c@x.example"))
    }
}
