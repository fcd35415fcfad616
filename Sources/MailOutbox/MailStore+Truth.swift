package import MailModel
package import MailStorage

extension MailStore: ServerTruth {
    package func apply(serverAnswers: [MessageSummary], ending: Set<MessageID>) throws {
        try apply(serverAnswers, ending: ending)
    }

    package func showQueue() throws { try rematerialise() }

    package func address(of mailbox: MailboxID) throws -> String? { try mailboxAddress(mailbox) }
}

extension MailStore: SentCopies {}
