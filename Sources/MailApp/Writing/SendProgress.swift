internal import MailModel
internal import MailStorage
internal import Synchronization

/// How far `herald send` has got, for whoever tells what it leaves behind when it is interrupted.
final class SendProgress: Sendable {
    private enum Stage: Sendable {
        /// Nothing is on the disk yet; the text may still be typed.
        case reading
        /// Interrupted while nothing was on the disk.
        case ended
        /// Being written to the disk; what is interrupted here leaves nothing.
        case keeping
        /// A draft on the disk that is not to be sent.
        case kept
        case queued(SendID)
    }

    /// That of this process, which runs one command.
    static let shared = SendProgress()

    /// How long a request that is under way may take to end: as long as the request gives itself.
    static let graceMilliseconds: Int64 = 5_000

    private let stage = Mutex(Stage.reading)

    /// Begins to write to the disk.
    ///
    /// - Throws: `CancellationError` when the command was interrupted before; nothing may be written then.
    func begin() throws(CancellationError) {
        let isEnded = stage.withLock { stage in
            if case .ended = stage { return true }
            stage = .keeping
            return false
        }
        if isEnded { throw CancellationError() }
    }

    func keep() { stage.withLock { $0 = .kept } }

    func queue(_ id: SendID) { stage.withLock { $0 = .queued(id) } }

    /// Ends the command if nothing is on the disk yet; answers whether something may be, so that it has to be waited for.
    func interrupt() -> Bool {
        stage.withLock { stage in
            guard case .reading = stage else { return true }
            stage = .ended
            return false
        }
    }

    /// What an interrupted command leaves behind, in sentences.
    func words(_ account: Account) -> String {
        switch stage.withLock({ $0 }) {
        case .reading, .ended, .keeping: "Nothing was queued, and nothing is kept."
        case .kept: "The draft is kept. The next pass saves it on the server."
        case .queued(let id): SendProgress.words(of: id, account)
        }
    }

    private static func words(of id: SendID, _ account: Account) -> String {
        guard let send = try? OutboxStore.send(id, path: account.outboxPath) else {
            return "“herald outbox show \(id)” tells what became of the mail."
        }
        if case .queued = send.status {
            return """
                The mail is queued: the next pass sends it, so do not send it anew. “herald outbox keep \(id)” makes it a \
                draft.
                """
        }
        return SendVerdict.words(send)
    }
}
