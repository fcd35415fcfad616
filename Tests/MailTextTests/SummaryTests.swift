import MailModel
import MailText
import Testing

@Suite struct SummaryTests {
    private static let now = "2025-08-21T15:00:00.000Z"

    @Test(arguments: [
        ("2025-08-21T14:05:00.000Z", 0, "14:05", "14:05"),
        ("2025-08-20T23:30:00.000Z", 3_600, "00:30", "00:30"),
        ("2025-08-20T23:30:00.000Z", 0, "Wed 23:30", "Wed"),
        ("2025-08-15T00:00:00.000Z", 0, "Fri 00:00", "Fri"),
        ("2025-08-14T23:59:00.000Z", 0, "14 Aug", "14 Aug"),
        ("2025-08-21T23:30:00.000Z", 3_600, "22 Aug", "22 Aug"),
        ("2025-08-22T00:30:00.000Z", 0, "22 Aug", "22 Aug"),
        ("2025-01-02T00:00:00.000Z", 0, "2 Jan", "2 Jan"),
        ("2024-12-31T10:00:00.000Z", 0, "2024-12-31", "2024"),
        ("2031-01-01T10:00:00.000Z", 0, "2031-01-01", "2031"),
        ("9999-12-31T23:30:00.000Z", 3_600, "?", "?"),
        ("yesterday", 0, "?", "?"),
    ])
    func `a date adapts to how far it is`(text: String, offset: Int, expected: String, short: String) {
        let now = Timestamp(SummaryTests.now).secondsSinceEpoch ?? 0
        let zone = ZoneOffsets(fixed: offset)
        #expect(displayDate(Timestamp(text), now: now, zone: zone) == expected)
        #expect(shortDisplayDate(Timestamp(text), now: now, zone: zone) == short)
        #expect(expected.count <= 10 && short.count <= 6)
    }

    /// Fails when mail of the summer moves by an hour in the winter.
    @Test func `an instant is shown by the clocks of its own day`() {
        let zone = ZoneOffsets([
            ZoneOffsets.Change(start: 0, seconds: 3_600),
            ZoneOffsets.Change(start: Timestamp("2025-03-30T01:00:00.000Z").secondsSinceEpoch ?? 0, seconds: 7_200),
            ZoneOffsets.Change(start: Timestamp("2025-10-26T01:00:00.000Z").secondsSinceEpoch ?? 0, seconds: 3_600),
        ])
        #expect(displayMoment(Timestamp("2025-07-01T10:00:00.000Z"), zone: zone) == "Tue 1 Jul 2025, 12:00")
        #expect(displayMoment(Timestamp("2025-12-01T10:00:00.000Z"), zone: zone) == "Mon 1 Dec 2025, 11:00")
        #expect(displayMoment(Timestamp("2025-10-26T00:59:59.000Z"), zone: zone) == "Sun 26 Oct 2025, 02:59")
        #expect(displayMoment(Timestamp("1969-07-01T10:00:00.000Z"), zone: zone) == "Tue 1 Jul 1969, 11:00")
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
