package import MailModel

/// Whom an answer goes to.
package struct ReplyRecipients: Sendable, Hashable {
    package var to: [String]
    package var cc: [String]

    /// Whom an answer to a message goes to: its sender alone, or everybody in it.
    ///
    /// `own` are the addresses of the person's mailboxes, which never get a copy, unless the message went to them alone.
    /// An answer to the person's own mail goes to whom that mail went. No address comes twice, whatever its case. Empty
    /// when nobody is known to have sent it.
    package init(to message: MessageDetail, isToAll: Bool, own: [String]) {
        let sender = message.summary.fromAddress
        let mine = Set(own.map { $0.lowercased() })
        let isMine = message.summary.direction == .outbound || mine.contains(sender.lowercased())
        var seen: Set<String> = []
        func fresh(_ addresses: [String], besides: Set<String>) -> [String] {
            addresses.filter { address in
                let key = address.lowercased()
                return EmailAddress.isValid(address) && !besides.contains(key) && seen.insert(key).inserted
            }
        }
        if isMine {
            to = fresh(message.summary.to, besides: mine)
            cc = isToAll ? fresh(message.cc, besides: mine) : []
            // Mail that went to Cc or Bcc alone, or to the person alone.
            if to.isEmpty, cc.isEmpty { to = fresh(isToAll ? message.summary.to : [sender], besides: []) }
            return
        }
        to = fresh([sender], besides: [])
        cc = isToAll ? fresh(message.summary.to + message.cc, besides: mine) : []
    }
}

/// The subjects of answers and of mail that is passed on, as the server makes them (contract §3.13, §3.14).
package enum SubjectPrefix {
    /// `Re: ` before a subject that has none.
    package static func reply(_ subject: String) -> String {
        subject.lowercased().hasPrefix("re:") ? subject : "Re: " + subject
    }

    /// `Fwd: ` in place of one mark of the kind.
    package static func forward(_ subject: String) -> String {
        let lower = subject.lowercased()
        guard let mark = ["fwd:", "fw:"].first(where: { lower.hasPrefix($0) }) else { return "Fwd: " + subject }
        return "Fwd: " + WebText.trimmed(String(subject.dropFirst(mark.count)))
    }
}
