package import MailAPI
internal import MailCompose
package import MailModel

extension DraftUpload {
    /// What of a content is saved: whole addresses only, the rest stays here (contract §6.25).
    package init(_ content: DraftContent) {
        var (replyTo, forwardOf) = (MessageID?.none, MessageID?.none)
        switch content.origin {
        case .new: break
        case .reply(let message): replyTo = message
        // The server copies the original's files into mail of a draft that names it (contract §3.12).
        case .forward(let message, let withFiles): forwardOf = withFiles ? message : nil
        }
        self.init(
            mailbox: content.mailbox, replyTo: replyTo, forwardOf: forwardOf, from: content.from,
            to: AddressList(content.to).addresses, cc: AddressList(content.cc).addresses,
            bcc: AddressList(content.bcc).addresses, subject: content.subject, text: content.text, html: content.html)
    }
}
