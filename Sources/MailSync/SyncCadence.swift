internal import MailAPI

/// When the next pass is due: a steady beat, doubled by each failure in a row up to a cap.
///
/// After a failure the wait is shortened by up to half, at random, so that not all who lost a server come back to it at
/// once.
package struct SyncCadence: Sendable, Hashable {
    /// Seconds between passes while a person is at the screen.
    package static let activeSeconds = 15
    /// Seconds between passes otherwise.
    package static let idleSeconds = 60
    /// The longest wait.
    package static let secondsMax = 300

    package private(set) var failures = 0
    /// The least wait the last failure asked for.
    private var floor = 0
    /// How much of half the wait after the last failure is left out, from 0 to 1.
    private var jitter = 0.0

    package init() {}

    /// Whether the last failure forbids an early try: a rate limit, or what only the person can mend.
    package var isHeld: Bool { floor > 0 }

    /// Notes a pass that ended well.
    package mutating func succeeded() {
        failures = 0
        floor = 0
    }

    /// Forgets failures without lifting what holds, after a sleep that may have brought another network.
    package mutating func slept() { failures = 0 }

    /// Notes a pass that failed; a cancelled one is not noted.
    ///
    /// `jitter` from 0 to 1 shortens the wait by up to half.
    package mutating func failed(_ error: SyncError, jitter: Double = 0) {
        failures += 1
        self.jitter = min(max(jitter, 0), 1)
        // A rate limit's windows are a minute long and not told (contract §1.5).
        floor = error == .server(.rateLimited) ? 60 : error.isRetryable ? 0 : SyncCadence.secondsMax
    }

    /// Seconds from the end of a pass until the server's doorbell may start another.
    ///
    /// A burst of events is one pass a second; a server in trouble is not asked more often than by the steady beat.
    package var bellDelaySeconds: Int { failures == 0 ? 1 : max(floor, SyncCadence.activeSeconds) }

    /// Seconds until the next pass.
    package func delaySeconds(isActive: Bool) -> Int {
        let beat = isActive ? SyncCadence.activeSeconds : SyncCadence.idleSeconds
        let wait = min(SyncCadence.secondsMax, beat << min(failures, 8))
        return max(floor, failures == 0 ? wait : wait - Int(Double(wait) * jitter / 2))
    }
}
