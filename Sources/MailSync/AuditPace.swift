internal import MailModel

/// When a slow check of all rows reads its next page: often enough to see everything within a week of idle time.
enum AuditPace {
    private static let weekMilliseconds: Int64 = 604_800_000
    private static let dayMilliseconds: Int64 = 86_400_000
    private static let pageRows = 100
    /// The shortest and the longest wait between two pages.
    private static let bounds: ClosedRange<Int64> = 60_000...3_600_000

    /// Messages that a pass may list again once a day, in fifty requests.
    static let relistableMax = 5_000

    /// Milliseconds between two pages of a cache with so many messages.
    static func intervalMilliseconds(messages: Int) -> Int64 {
        let pages = Int64(max(0, messages) / pageRows + 1)
        return min(max(weekMilliseconds / pages, bounds.lowerBound), bounds.upperBound)
    }

    /// Whether rows may be wrong and the last listing of everything began a day ago or more.
    ///
    /// A clock that went back makes it so once.
    static func isOverdue(_ state: SyncState, now milliseconds: Int64) -> Bool {
        guard state.isBootstrapped, !state.isBootstrapping, state.isDoubtful else { return false }
        guard let listed = state.listedAt, listed <= milliseconds else { return true }
        return milliseconds - listed >= dayMilliseconds
    }

    /// Whether a page is to be read now; a clock that went back does not stop the check for long.
    static func isDue(_ state: SyncState, messages: Int, now milliseconds: Int64) -> Bool {
        guard state.isBootstrapped, !state.isBootstrapping, state.pending.isEmpty else { return false }
        // A repair is a pass's work, and so is the end of an audit.
        if let relisting = state.relisting, relisting.purpose == .repair || relisting.isListed { return false }
        guard let last = state.relistedAt, last <= milliseconds else { return true }
        let interval =
            isOverdue(state, now: milliseconds) ? bounds.lowerBound : intervalMilliseconds(messages: messages)
        return milliseconds - last >= interval
    }
}
