internal import MailModel

/// Mail counts as read once it was open for a while; moving the cursor never does that.
extension AppState {
    /// Begins to wait with what is newly in sight: unfolded, and here with its text.
    mutating func armReadTimers() -> [Effect] {
        guard var pane = reader, pane.isLoaded, openThread != nil else { return [] }
        let waiting = pane.readTimers.values.reduce(into: Set<MessageID>()) { $0.formUnion($1) }
        var groups: [Int: Set<MessageID>] = [:]
        for message in pane.messages where countsAsSeen(message, in: pane) && !waiting.contains(message.summary.id) {
            if let delay = markDelay(message.summary) { groups[delay, default: []].insert(message.summary.id) }
        }
        guard !groups.isEmpty else { return [] }
        var effects: [Effect] = []
        for (delay, ids) in groups.sorted(by: { $0.key < $1.key }) {
            triage.lastTimer += 1
            pane.readTimers[triage.lastTimer] = ids
            effects.append(.wake(timer: triage.lastTimer, milliseconds: delay))
        }
        reader = pane
        return effects
    }

    /// Marks what was in sight from the beginning of the wait to its end.
    mutating func takeTimer(_ timer: Int) -> [Effect] {
        guard let pane = reader, let ids = pane.readTimers[timer] else { return [] }
        reader?.readTimers[timer] = nil
        let seen = pane.messages.filter { ids.contains($0.summary.id) && countsAsSeen($0, in: pane) }
        return seen.isEmpty ? [] : markRead(seen.map(\.summary))
    }

    private func countsAsSeen(_ message: ConversationMessage, in pane: ReaderState) -> Bool {
        let id = message.summary.id
        return message.summary.isUnread && !message.awaitsBody && !pane.folded.contains(id)
            && !pane.keptUnread.contains(id)
    }

    /// How long a message has to be in sight, in milliseconds; `nil` where nothing is marked by itself.
    private func markDelay(_ message: MessageSummary) -> Int? {
        let settings = triage.settings
        guard !settings.markAfterIn.isEmpty, let mailbox = counts(of: message.mailboxID).mailbox,
            let own = settings.markAfterIn[mailbox.address.lowercased()]
        else { return settings.markAfter }
        return own
    }
}
