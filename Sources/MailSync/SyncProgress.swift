/// How far a pass is.
package struct SyncProgress: Sendable, Hashable {
    /// Messages written by this pass so far.
    package var messages: Int
    package var isBootstrap: Bool
    /// How many there will be about; `nil` when nothing tells, as the server does not.
    package var total: Int?
    /// How long the rest takes at the pace so far; `nil` when that is not known.
    package var secondsLeft: Int?

    package init(messages: Int, isBootstrap: Bool, total: Int? = nil, secondsLeft: Int? = nil) {
        self.messages = messages
        self.isBootstrap = isBootstrap
        self.total = total
        self.secondsLeft = secondsLeft
    }
}

/// Tells from the pace of a listing how long its rest takes.
struct ProgressEstimate {
    /// A pace is believed after this long and this many messages.
    private static let settledMilliseconds: Int64 = 2_000
    private static let settledMessages = 500

    /// How many messages there will be about, when a cache of before tells.
    var total: Int?
    private let startedAt: Int64

    init(total: Int?, startedAt milliseconds: Int64) {
        self.total = total
        startedAt = milliseconds
    }

    /// The progress at an instant of the same clock.
    func progress(messages: Int, isBootstrap: Bool, at milliseconds: Int64) -> SyncProgress {
        // More than there were before: the estimate has lost its ground.
        guard let total, messages <= total else { return SyncProgress(messages: messages, isBootstrap: isBootstrap) }
        return SyncProgress(
            messages: messages, isBootstrap: isBootstrap, total: total,
            secondsLeft: secondsLeft(messages: messages, of: total, at: milliseconds))
    }

    private func secondsLeft(messages: Int, of total: Int, at milliseconds: Int64) -> Int? {
        let spent = milliseconds - startedAt
        guard spent >= ProgressEstimate.settledMilliseconds, messages >= ProgressEstimate.settledMessages else {
            return nil
        }
        return Int((Double(total - messages) * Double(spent) / Double(messages) / 1_000).rounded(.up))
    }
}
