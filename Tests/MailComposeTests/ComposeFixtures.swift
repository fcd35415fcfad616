import MailModel

/// A message of a test.
func message(
    from: String = "dana@client.example", to: [String] = ["support@acme.example"], cc: [String] = [],
    subject: String = "Invoice 1042", text: String = "Hello,\n\nthe total on page two looks wrong.",
    isSent: Bool = false, hasAttachments: Bool = false
) -> MessageDetail {
    MessageDetail(
        summary: MessageSummary(
            id: MessageID("msg_1"), threadID: ThreadID("thr_1"), mailboxID: MailboxID("mbx_1"),
            direction: isSent ? .outbound : .inbound, folder: isSent ? "sent" : "inbox", fromAddress: from, to: to,
            subject: subject, snippet: "Hello,", receivedAt: isSent ? nil : Timestamp("2026-08-21T09:14:03.000Z"),
            sentAt: isSent ? Timestamp("2026-08-21T09:14:03.000Z") : nil, readAt: nil, starredAt: nil,
            hasAttachments: hasAttachments, createdAt: Timestamp("2026-08-21T09:14:04.000Z")),
        cc: cc, bcc: [], deliveredToAddress: nil, textBody: text, htmlAvailable: false, internetMessageID: nil,
        inReplyTo: nil, references: [], attachments: [])
}
