internal import MailSync
internal import TerminalUI

/// When the next pass is due and what it reads, from the cadence and from whether the person is here.
///
/// Times are milliseconds of a clock that never goes back and counts the machine's sleep, so that a wait that was
/// slept through is over when the machine wakes.
struct PassSchedule: Sendable, Hashable {
    /// What a pass reads beside mail.
    struct Plan: Sendable, Hashable {
        var includesDrafts: Bool
    }

    let isOffline: Bool
    private var cadence = SyncCadence()
    private var running: Plan?
    private var nextAt: Int64 = 0
    private var actedAt: Int64 = 0
    /// A terminal that does not report its focus counts as focused.
    private var isFocused = true
    private var endedAt: Int64?
    /// When drafts were last read; a failed pass does not move it.
    private var draftsAt: Int64?
    private var begunAt: Int64 = 0
    private var isDraftWritten = false
    /// Whether something happened during a pass that it may not have seen.
    private var isWantedAgain = false
    /// Whether another pass is to follow the running one however it ends.
    private var isUrgent = false
    /// Whether the doorbell rang and no pass has begun since.
    private var isRung = false
    /// Whether the running pass answers the doorbell.
    private var answersBell = false

    /// A person counts as here for this long after a key.
    private static let presence: Int64 = 120_000
    /// How long a list of drafts holds.
    private static let draftsLifetime: Int64 = 60_000
    /// The least time between a pass and one that a change of focus asks for, after a success and a failure.
    private static let focusPause: (good: Int64, bad: Int64) = (2_000, 15_000)
    /// A wait this much too long was slept through.
    private static let oversleep: Int64 = 30_000

    init(isOffline: Bool) {
        self.isOffline = isOffline
    }

    /// Whether a pass should begin now.
    func isDue(at now: Int64) -> Bool { !isOffline && running == nil && now >= nextAt }

    /// Marks a pass as begun and says what it reads; `nil` offline, or while one runs, which is then followed by
    /// another.
    mutating func begin(at now: Int64) -> Plan? {
        if isOffline { return nil }
        if running != nil {
            isWantedAgain = true
            return nil
        }
        if endedAt != nil, now - nextAt > PassSchedule.oversleep { cadence.slept() }
        let areDraftsDue = draftsAt.map { now - $0 >= PassSchedule.draftsLifetime } ?? true
        let plan = Plan(includesDrafts: areDraftsDue || isDraftWritten)
        isDraftWritten = false
        begunAt = now
        running = plan
        (answersBell, isRung) = (isRung, false)
        return plan
    }

    /// Makes the next pass due as soon as none runs.
    mutating func hurry() {
        isUrgent = running != nil
        nextAt = 0
    }

    /// Marks the pass as ended and sets the next one.
    ///
    /// `jitter` from 0 to 1 shortens the wait after a failure.
    mutating func end(_ error: SyncError?, at now: Int64, jitter: Double = 0) {
        let plan = running
        running = nil
        endedAt = now
        if let error {
            cadence.failed(error, jitter: jitter)
        } else {
            cadence.succeeded()
            if plan?.includesDrafts == true { draftsAt = begunAt }
        }
        let isAgain = isUrgent || (isWantedAgain && error == nil)
        (isWantedAgain, isUrgent) = (false, false)
        nextAt = isAgain ? now : now + Int64(cadence.delaySeconds(isActive: isActive(at: now))) * 1_000
        if isRung { answerSoon() }
    }

    /// Marks a pass as not made because another process makes one, which may have begun before the doorbell rang.
    mutating func endedElsewhere(at now: Int64) {
        isRung = isRung || answersBell
        end(nil, at: now)
    }

    /// Notes that the server has news; however often it rings, one pass at a time answers.
    mutating func ring(at now: Int64) {
        isRung = true
        if running == nil { answerSoon() }
    }

    private mutating func answerSoon() {
        hasten(to: (endedAt ?? 0) + Int64(cadence.bellDelaySeconds) * 1_000)
    }

    private func isActive(at now: Int64) -> Bool { isFocused && now - actedAt < PassSchedule.presence }

    /// Notes what came from the terminal: a key, or a change of focus.
    mutating func note(_ input: InputEvent, at now: Int64) {
        switch input {
        case .focusGained: focusChanged(true, at: now)
        case .focusLost: focusChanged(false, at: now)
        default: personActed(at: now)
        }
    }

    /// Notes a key; a person who comes back does not wait for the slow beat.
    mutating func personActed(at now: Int64) {
        isFocused = true
        if cadence.failures == 0, now - actedAt > PassSchedule.presence { hasten(to: now) }
        actedAt = now
    }

    /// Notes that the terminal got or lost the focus; with it a pass is due at once.
    mutating func focusChanged(_ isFocused: Bool, at now: Int64) {
        defer { self.isFocused = isFocused }
        guard isFocused, !self.isFocused, !cadence.isHeld else { return }
        let pause = cadence.failures == 0 ? PassSchedule.focusPause.good : PassSchedule.focusPause.bad
        hasten(to: max(now, (endedAt ?? now - pause) + pause))
        actedAt = now
    }

    /// Notes that something was written on the server, so that its answer is fetched at once.
    mutating func localWrite(isDraft: Bool = false, at now: Int64) {
        if isDraft { isDraftWritten = true }
        if running != nil { isWantedAgain = true }
        if !cadence.isHeld { hasten(to: now) }
    }

    private mutating func hasten(to instant: Int64) {
        nextAt = min(nextAt, instant)
    }
}
