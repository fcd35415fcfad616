package import MailModel

/// What a pass did.
package struct PassReport: Sendable, Hashable {
    package var inserted: Int
    package var updated: Int
    package var deleted: Int
    /// Whether all folders were listed, at first or again.
    package var isBootstrap: Bool
    /// Whether the account's drafts could be read with this sign-in.
    package var hasDrafts: Bool
    package var requests: Int
    package var bytes: Int
    package var durationMilliseconds: Int

    package init(
        counts: CommitCounts = CommitCounts(), isBootstrap: Bool = false, hasDrafts: Bool = true, requests: Int = 0,
        bytes: Int = 0, durationMilliseconds: Int = 0
    ) {
        inserted = counts.inserted
        updated = counts.updated
        deleted = counts.deleted
        self.isBootstrap = isBootstrap
        self.hasDrafts = hasDrafts
        self.requests = requests
        self.bytes = bytes
        self.durationMilliseconds = durationMilliseconds
    }
}
