internal import MailSync

/// When the next pass is due, from the cadence and from whether the person is here.
///
/// Times are milliseconds of a clock that never goes back.
struct PassSchedule: Sendable, Hashable {
    let isOffline: Bool
    private var cadence = SyncCadence()
    private var isRunning = false
    private var nextAt: Int64 = 0
    private var actedAt: Int64 = 0

    /// A person counts as here for this long after a key.
    private static let presence: Int64 = 120_000

    init(isOffline: Bool) {
        self.isOffline = isOffline
    }

    /// Whether a pass should begin now.
    func isDue(at now: Int64) -> Bool { !isOffline && !isRunning && now >= nextAt }

    /// Marks a pass as begun; `false` when one runs already or the program is offline.
    mutating func begin() -> Bool {
        if isOffline || isRunning { return false }
        isRunning = true
        return true
    }

    /// Marks the pass as ended and sets the next one.
    mutating func end(_ error: SyncError?, at now: Int64) {
        isRunning = false
        if let error { cadence.failed(error) } else { cadence.succeeded() }
        let isActive = now - actedAt < PassSchedule.presence
        nextAt = now + Int64(cadence.delaySeconds(isActive: isActive)) * 1_000
    }

    /// Notes a key; a person who comes back does not wait for the slow beat.
    mutating func personActed(at now: Int64) {
        if cadence.failures == 0, now - actedAt > PassSchedule.presence { nextAt = min(nextAt, now) }
        actedAt = now
    }
}
