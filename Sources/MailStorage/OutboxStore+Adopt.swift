package import MailModel
internal import Platform
internal import SQLite

extension OutboxStore {
    /// How much waits in the outbox at a path, whoever queued it; `nil` when there is none.
    ///
    /// Only reads.
    /// - Throws: `OutboxError`.
    package static func counts(path: String) throws(OutboxError) -> OutboxCounts? {
        guard Files.exists(path) else { return nil }
        return try OutboxFile.counts(path)
    }

    /// How much waits in the outbox at a path for `owner`, and how much another sign-in of the same server queued.
    ///
    /// The latter is not sent as `owner`. `nil` when there is no outbox. Only reads.
    /// - Throws: `OutboxError`; of another server too.
    package static func counts(
        path: String, owner: String
    ) throws(OutboxError) -> (own: OutboxCounts, anothers: OutboxCounts)? {
        guard Files.exists(path) else { return nil }
        return try OutboxFile.counts(path, owner: owner)
    }

    /// One send of the outbox at a path, for who cannot wait for the store; `nil` when there is none, or not any more.
    ///
    /// Only reads.
    /// - Throws: `OutboxError`.
    package static func send(_ id: SendID, path: String) throws(OutboxError) -> Send? {
        guard Files.exists(path) else { return nil }
        return try OutboxFile.send(id, path)
    }

    /// What waits in an outbox of another sign-in of the same server; `nil` when it is `owner`'s, or there is none.
    ///
    /// - Throws: `OutboxError`; of another server too.
    package static func foreign(path: String, owner: String) throws(OutboxError) -> OutboxCounts? {
        guard Files.exists(path) else { return nil }
        do {
            let store = try OutboxStore(path: path, owner: owner)
            _ = consume store
            return nil
        } catch .anothers {
            return try OutboxFile.inspect(path, owner: owner)
        }
    }

    /// Makes an outbox of another sign-in of the same server that of `owner`, with all that waits in it.
    ///
    /// What the other one did cannot be undone any more.
    /// - Throws: `OutboxError`.
    package static func adopt(path: String, owner: String) throws(OutboxError) {
        try OutboxFile.takeOver(path, owner: owner)
    }
}
