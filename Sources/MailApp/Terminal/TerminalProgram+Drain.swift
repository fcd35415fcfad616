internal import MailModel
internal import MailOutbox
internal import MailUI

/// When what waits is sent, besides at the start of each pass.
struct DrainWork {
    /// The wait for more to be queued, or for the server's leave.
    var wake: Task<Void, Never>?
    /// When the first thing was queued that waits for the wake, by the continuous clock.
    var since: ContinuousClock.Instant?
    /// Whether the person was told that another sign-in's operations wait.
    var hasToldOfReset = false

    /// How long after the last thing was queued all of it is sent, so that a key held down is one drain.
    static let quiet = Duration.milliseconds(150)
    /// Nothing waits longer, however fast more is queued.
    static let longest = Duration.seconds(1)
    /// When to look again after another process was at it.
    static let busy = Duration.seconds(1)

    /// How long to wait after something was queued.
    mutating func delay(now: ContinuousClock.Instant = .now) -> Duration {
        let first = since ?? now
        since = first
        return max(.zero, min(DrainWork.quiet, DrainWork.longest - (now - first)))
    }
}

extension TerminalProgram {
    /// Sends what waits, a moment after the last thing was queued.
    func drainSoon() {
        if schedule.isOffline { return }
        wakeDrain(after: drains.delay())
    }

    private func wakeDrain(after delay: Duration) {
        drains.wake?.cancel()
        let backend = backend
        drains.wake = effect {
            do {
                try await Task.sleep(for: delay)
                await self.drainBegins()
                await self.drained(try await backend.drain())
            } catch is CancellationError {
                return
            } catch {
                await self.applyAndPaint(.notice(Failures.failure(error).message))
            }
        }
    }

    private func drainBegins() {
        // What is queued from now on has another wake; this one is not to be cancelled any more.
        drains.wake = nil
        drains.since = nil
    }

    private func drained(_ report: DrainReport) {
        guard !isQuitting else { return }
        switch report.ending?.code {
        case .busy where !report.counts.isEmpty: if drains.wake == nil { wakeDrain(after: DrainWork.busy) }
        case .rateLimited:
            let wait = (report.ending?.notBefore ?? 0) - WallClock.milliseconds()
            if drains.wake == nil { wakeDrain(after: .milliseconds(max(wait, 1_000))) }
        default: break
        }
        guard report.done > 0 else { return }
        schedule.hurry()
        startPassIfDue()
    }

    /// Takes what the queue tells.
    func outboxTold(_ event: OutboxEvent) {
        switch event {
        case .mutationDropped(_, _, let verdict): applyAndPaint(.notice(verdict.sentence + " The outbox tells which one."))
        case .resetRequired:
            guard !drains.hasToldOfReset else { return }
            drains.hasToldOfReset = true
            applyAndPaint(
                .notice("Another sign-in has queued what waits here. “herald outbox adopt” sends it with this one."))
        case .failed(nil, .local): applyAndPaint(.notice("The outbox cannot be used. “herald outbox” tells why."))
        case .queueDepth(let counts): counted(counts)
        case .failed, .deadLetter: break
        }
    }
}
