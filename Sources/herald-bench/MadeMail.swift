internal import MailModel

/// Made-up mail: the message of a number is always the same for the same seed.
///
/// Numbers count from the newest message back. Threads have one to five messages.
struct MadeMail {
    static let mailboxes = ["info", "sales", "support"].map {
        Mailbox(
            id: MailboxID("mbx_\($0)"), address: "\($0)@example.test", displayName: $0, isActive: true,
            accessLevel: .manager)
    }

    /// What every subject begins with.
    static let subjectStart = "Bench"

    static let newest: Int64 = 1_790_000_000_000
    private static let words = [
        "order", "invoice", "meeting", "delivery", "contract", "question", "offer", "report", "ticket", "travel",
        "budget", "release", "printer", "garden", "winter", "summer", "schedule", "account", "holiday", "review",
    ]
    /// The thread, within a group of five threads, of each of a group's fifteen messages.
    private static let threadOfPlace = [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4]

    let seed: UInt64

    func message(_ number: Int) -> MessageSummary {
        var numbers = SeededNumbers(seed: seed &+ UInt64(number) &* 0x1000_0001)
        let group = number / MadeMail.threadOfPlace.count
        let thread = group * 5 + MadeMail.threadOfPlace[number % MadeMail.threadOfPlace.count]
        let folder = MadeMail.folder(Int.random(in: 0..<20, using: &numbers))
        let isSent = folder == .sent
        let at = Timestamp(millisecondsSinceEpoch: MadeMail.newest - Int64(number) * 97_000)
        let isRead = isSent || Int.random(in: 0..<4, using: &numbers) > 0
        let person = "person\(Int.random(in: 0..<5_000, using: &numbers))@example.org"
        let mailbox = MadeMail.mailboxes[thread % MadeMail.mailboxes.count]
        return MessageSummary(
            id: MessageID(identifier("msg", number)), threadID: ThreadID(identifier("thr", thread)),
            mailboxID: mailbox.id,
            direction: isSent ? .outbound : .inbound, folder: folder.rawValue,
            fromAddress: isSent ? mailbox.address : person, to: [isSent ? person : mailbox.address],
            subject: "\(MadeMail.subjectStart) \(text(3, &numbers)) \(thread)", snippet: text(18, &numbers),
            receivedAt: isSent ? nil : at, sentAt: isSent ? at : nil, readAt: isRead ? at : nil,
            starredAt: Int.random(in: 0..<50, using: &numbers) == 0 ? at : nil,
            hasAttachments: Int.random(in: 0..<8, using: &numbers) == 0, createdAt: at)
    }

    /// An identifier as the server makes them: random, so that neighbours are nowhere near each other in an index.
    private func identifier(_ kind: String, _ number: Int) -> String {
        var numbers = SeededNumbers(seed: seed ^ UInt64(number) &* 0x2545_F491_4F6C_DD1D)
        func hexadecimal(_ value: UInt64) -> String {
            let digits = String(value, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        let digits = hexadecimal(numbers.next()) + hexadecimal(numbers.next())
        var text = kind + "_"
        for (place, digit) in digits.utf8.enumerated() {
            if [8, 12, 16, 20].contains(place) { text += "-" }
            text.unicodeScalars.append(Unicode.Scalar(digit))
        }
        return text
    }

    private static func folder(_ place: Int) -> Folder {
        switch place {
        case 0..<9: .inbox
        case 9..<13: .sent
        case 13..<17: .archived
        case 17..<19: .trash
        default: .catchall
        }
    }

    private func text(_ count: Int, _ numbers: inout SeededNumbers) -> String {
        (0..<count).map { _ in MadeMail.words[Int.random(in: 0..<MadeMail.words.count, using: &numbers)] }
            .joined(separator: " ")
    }

    /// A message as a line that the local server imports; made-up text needs no escapes.
    func payload(_ number: Int) -> String {
        let mail = message(number)
        func instant(_ stamp: Timestamp?) -> String { stamp.map { "\"\($0.text)\"" } ?? "null" }
        return """
            {"detail":{"id":"\(mail.id)","threadId":"\(mail.threadID)","mailboxId":null,\
            "direction":"\(mail.direction.rawValue)","folder":"\(mail.folder)","fromAddress":"\(mail.fromAddress)",\
            "to":["\(mail.to.joined())"],"subject":"\(mail.subject)","snippet":"\(mail.snippet)",\
            "receivedAt":\(instant(mail.receivedAt)),"sentAt":\(instant(mail.sentAt)),\
            "readAt":\(instant(mail.readAt)),"starredAt":\(instant(mail.starredAt)),\
            "hasAttachments":\(mail.hasAttachments),"createdAt":"\(mail.createdAt.text)",\
            "textBody":"\(mail.snippet)","cc":[],"bcc":[],"references":[],"attachments":[]},"html":null}

            """
    }
}
