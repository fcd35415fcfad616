internal import MailModel
internal import MailStorage

/// Mail that is sent, for the terminal program.
extension Backend {
    /// Queues a draft to be sent once it can no longer be taken back; `nil` for a draft that is not there.
    ///
    /// `seen` is the newest message that was sent in the conversation when the person wrote.
    func queueSend(_ draft: LocalDraftID, seen: MessageID?) async throws -> Send? {
        let now = WallClock.milliseconds()
        return try await current().outbox.store().queueSend(
            draft, notBefore: now + sendDelayMilliseconds, seen: seen, minder: try minding(), at: now)
    }

    /// Takes a send back; `false` when it is too late.
    func cancelSend(_ id: SendID) async throws -> Bool { try await current().outbox.store().cancelSend(id) }

    /// Has a send go at once that waits for its time; `false` when it does not wait any more.
    func sendNow(_ id: SendID) async throws -> Bool { try await current().outbox.store().sendNow(id) }

    /// Has a send go that waits for the person, or that may have arrived; `false` when it is not one of those.
    func sendAgain(_ id: SendID) async throws -> Bool { try await current().outbox.store().sendAgain(id) }

    /// Makes a send a draft again, also one that may have arrived; `false` when it is being sent or done.
    func keepAsDraft(_ id: SendID) async throws -> Bool { try await current().outbox.store().keepAsDraft(id) }

    /// Takes the person's word that a send went which may have arrived; `false` when it is not one of those.
    func declareSent(_ id: SendID) async throws -> Bool {
        try await current().outbox.store().declareSent(id, at: WallClock.milliseconds())
    }

    /// Mail of this program that can still be taken back, oldest first: what is asked about before it ends.
    func sendsToTakeBack() async throws -> [Send] {
        guard let minder = mindingNow else { return [] }
        return try await current().outbox.store().sends(of: minder)
    }

    /// Leaves this program's mail to whichever drain comes when its time is over: the person wants it to wait.
    func letGoSends() async throws {
        guard let minder = mindingNow else { return }
        _ = try await current().outbox.store().letGo(of: minder)
    }

    /// What is sent and not done, oldest first, and refused mail.
    func openSends() async throws -> [Send] { try await current().outbox.store().openSends() }
}
