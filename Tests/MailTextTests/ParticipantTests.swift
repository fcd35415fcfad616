import MailModel
import MailText
import Testing

@Suite struct ParticipantTests {
    private func row(
        from: String = "dana@client.example", to: [String] = ["info@acme.example"], isSent: Bool = false,
        people: [String] = []
    ) -> ConversationRow {
        let message = MessageSummary(
            id: MessageID("m"), threadID: ThreadID("t"), mailboxID: nil, direction: isSent ? .outbound : .inbound,
            folder: "inbox", fromAddress: from, to: to, subject: "", snippet: "", receivedAt: nil, sentAt: nil,
            readAt: nil, starredAt: nil, hasAttachments: false, createdAt: Timestamp("2025-08-21T15:00:00.000Z"))
        return ConversationRow(
            threadID: message.threadID, newest: message, shown: message, isStarred: false, hasAttachments: false,
            messageCount: 3, unreadCount: 0, shownUnread: 0, people: people)
    }

    private func text(_ row: ConversationRow, columns: Int = 30) -> String {
        Participants(row, own: ["info@acme.example"]).text(columns: columns)
    }

    @Test func `one person is shown with the whole address`() {
        #expect(text(row()) == "dana@client.example")
        #expect(text(row(), columns: 18) == "dana")
        #expect(text(row(people: ["Dana@Client.example", "info@acme.example"])) == "dana@client.example")
    }

    @Test func `several people are shown whole where they fit and by short names elsewhere`() {
        let others = row(people: ["lee@other.example", "noreply@shop.co.uk", "news@mail.tide.example"])
        #expect(
            text(others, columns: 90)
                == "dana@client.example, lee@other.example, noreply@shop.co.uk, news@mail.tide.example")
        #expect(text(others) == "dana, lee, shop, tide")
    }

    @Test func `sent mail names those it went to`() {
        #expect(text(row(to: ["dana@client.example"], isSent: true)) == "To: dana@client.example")
        let many = row(to: ["dana@client.example", "sam@client.example"], isSent: true, people: ["sam@client.example"])
        #expect(text(many) == "To: dana, sam")
        #expect(text(row(to: [], isSent: true)) == "dana@client.example")
    }

    /// Fails when an address can steer the terminal or is taken apart wrongly.
    @Test func `odd addresses are shown as they are`() {
        #expect(
            text(row(from: "unknown", people: ["a@b\u{1B}[2J", "@", "", "info@localhost", "x@y@z"]), columns: 9)
                .contains("\u{1B}") == false)
        #expect(text(row(from: "unknown", people: ["support@localhost"]), columns: 4) == "unknown, localhost")
        #expect(text(row(from: "")) == "")
    }
}
