internal import DisplayText
internal import MailModel
internal import TerminalUI

extension SendEntry {
    /// What the outbox's list knows it by; identifiers of operations and sends are of one kind and never the same.
    var outboxID: OperationID { OperationID(send.id.rawValue) }
}

/// Mail in the outbox's list.
extension AppState {
    /// What a key of the outbox does with the selected mail; `nil` where it moves.
    mutating func performOnMail(_ id: ActionID, _ entry: SendEntry) -> [Effect]? {
        let isArmed = outbox.armedDrop == entry.outboxID
        switch id {
        case .retry:
            // What may have arrived is only sent again by somebody who was told so.
            if entry.send.status == .unknown, !isArmed {
                outbox.armedDrop = entry.outboxID
                notice = "It may have been sent. \(keyText(.retry) ?? ":retry") once more sends it, perhaps twice."
                return [.bell]
            }
            outbox.armedDrop = nil
            if case .refused = entry.send.status { return openRefused(entry) }
            notice = "It is sent."
            return [.writing(.sendAgain(entry.send.id))]
        case .drop:
            if entry.send.status == .unknown, !isArmed {
                outbox.armedDrop = entry.outboxID
                notice = "It may have been sent. \(keyText(.drop) ?? ":drop") once more makes it a draft."
                return [.bell]
            }
            (outbox.armedDrop, notice) = (nil, "It is a draft again.")
            return [.writing(.keepAsDraft(entry.send.id))]
        case .declareSent:
            notice = "Taken as sent."
            return [.writing(.declareSent(entry.send.id))]
        default: return nil
        }
    }

    private mutating func openRefused(_ entry: SendEntry) -> [Effect] {
        writing.lastNumber += 1
        return [.writing(.open(writing.lastNumber, entry.send.draft)), .writing(.loadAddresses)]
    }

    /// Why a key of the outbox does nothing with a mail; `nil` when it does.
    func mailReason(_ id: ActionID, _ entry: SendEntry) -> String? {
        switch (id, entry.send.status) {
        case (_, .inFlight): "It is being sent."
        case (.declareSent, .unknown): nil
        case (.declareSent, _): "Only of mail that may have been sent it can be said that it was."
        default: nil
        }
    }

    /// What a key of the outbox does with a mail, in the words that stand below its line.
    func mailName(_ action: Action, _ entry: SendEntry) -> String {
        switch (action.id, entry.send.status) {
        case (.retry, .refused): "open"
        case (.drop, .refused): "take away"
        case (.retry, .unknown): "send once more"
        case (.retry, _): "send"
        case (.drop, _): "make a draft"
        default: action.name
        }
    }

    /// A mail and how it stands.
    func lines(of entry: SendEntry) -> [OutboxLine] {
        let subject = MailDisplay.subject(entry.send.content?.subject ?? entry.subject ?? "")
        let to = entry.recipients.isEmpty ? "" : " to " + MailDisplay.line(entry.recipients)
        let told = Formatting.wrapped(MailDisplay.line(standing(of: entry)), columns: size.columns - 5).map {
            OutboxLine(text: "  " + $0, style: Style(dim: true), operation: entry.outboxID)
        }
        return [OutboxLine(text: "“\(subject)”\(to)", operation: entry.outboxID, isHead: true)] + told
    }

    private func standing(of entry: SendEntry) -> String {
        let retry = keyText(.retry) ?? ":retry"
        let drop = keyText(.drop) ?? ":drop"
        let reason = entry.reason.map { ": " + $0 } ?? ""
        switch entry.send.status {
        case .queued:
            let left = (entry.send.notBefore + 999) / 1_000 - now
            return left > 0
                ? "Queued, sends in \(left) s. \(drop) makes it a draft." : "Queued\(reason). \(drop) makes it a draft."
        case .inFlight: return "Sending"
        case .unknown:
            return "Unknown\(reason). It may have been sent; Herald looks for its copy in Sent. "
                + "\(keyText(.declareSent) ?? ":declare-sent") it was sent, \(retry) send it once more, \(drop) make it a draft."
        case .held(let hold): return "Held: \(hold.sentence) \(retry) sends it, \(drop) makes it a draft."
        case .refused: return "Refused\(reason) Its text is a draft; \(retry) opens it, \(drop) takes this line away."
        case .sent: return "Sent"
        }
    }
}
