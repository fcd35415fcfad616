internal import MailModel

/// What the list of drafts tells of those written here.
extension AppState {
    /// A word before the subject of a draft that is not simply saved; empty for all others.
    func draftMark(_ draft: Draft) -> String {
        guard let local = writing.local(draft.id) else { return "" }
        if let entry = writing.sends.first(where: { $0.send.draft == local.id }), let word = entry.send.status.draftWord
        {
            return "[\(word)] "
        }
        if local.copyOf != nil { return "[conflicted copy] " }
        switch local.state {
        case .blocked(.conflictUnresolved): return "[changed elsewhere] "
        case .blocked(.credentialRefused), .blocked(.refused): return "[not on the server] "
        case .waiting, .inFlight, .retrying: return local.isUnsaved ? "[saved here] " : ""
        }
    }
}

extension SendStatus {
    /// What the list of drafts says of a draft that is to be sent; `nil` where that is over.
    var draftWord: String? {
        switch self {
        case .queued: "queued"
        case .inFlight: "sending"
        case .unknown: "perhaps sent"
        case .held: "held"
        case .refused: "not sent"
        case .sent: nil
        }
    }
}
