internal import MailModel
internal import MailOutbox
internal import MailStorage
internal import MailUI
internal import TerminalDriver

/// When what waits is sent, besides at the start of each pass.
struct DrainWork {
    /// The wait for more to be queued, or for the server's leave.
    var wake: Task<Void, Never>?
    /// When the first thing was queued that waits for the wake, by the continuous clock.
    var since: ContinuousClock.Instant?
    /// When mail is due, by the clock that goes on while the machine sleeps; `nil` for never.
    var mailAt: Int64?
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
    func drainSoon(_ run: AccountRun) {
        if isOffline { return }
        wakeDrain(run, after: run.drains.delay())
    }

    private func wakeDrain(_ run: AccountRun, after delay: Duration) {
        run.drains.wake?.cancel()
        let backend = run.backend
        run.drains.wake = effect {
            do {
                try await Task.sleep(for: delay)
                await self.drainBegins(run)
                await self.drained(try await backend.drain(), run)
            } catch is CancellationError {
                return
            } catch let change as AccountChange {
                await self.follow(change, run)
            } catch {
                await self.announce(Failures.failure(error).message, run)
            }
        }
    }

    /// Has what waits sent when its time has come, in milliseconds since 1970; `nil` for never.
    func drainMail(_ run: AccountRun, at instant: Int64?) {
        run.drains.mailAt = instant.map { WallClock.bootMilliseconds() + max(0, $0 - WallClock.milliseconds()) }
    }

    /// Sends mail whose time has come.
    func drainMailIfDue(_ run: AccountRun, now: Int64) {
        guard let due = run.drains.mailAt, due <= now, !isOffline else { return }
        run.drains.mailAt = nil
        drainSoon(run)
    }

    private func drainBegins(_ run: AccountRun) {
        // What is queued from now on has another wake; this one is not to be cancelled any more.
        run.drains.wake = nil
        run.drains.since = nil
    }

    private func drained(_ report: DrainReport, _ run: AccountRun) {
        guard !isQuitting, !run.isClosed else { return }
        drainMail(run, at: report.nextAt)
        switch report.ending?.code {
        case .busy where !report.counts.isEmpty:
            if run.drains.wake == nil { wakeDrain(run, after: DrainWork.busy) }
        case .rateLimited:
            let wait = (report.ending?.notBefore ?? 0) - WallClock.milliseconds()
            if run.drains.wake == nil { wakeDrain(run, after: .milliseconds(max(wait, 1_000))) }
        default: break
        }
        guard report.done + report.saved > 0 else { return }
        run.schedule.localWrite(isDraft: report.sent > 0, at: WallClock.bootMilliseconds())
        startPassIfDue(run)
    }

    /// Hears what becomes of what waits, also where another process sends it.
    func hearOutbox(_ run: AccountRun) {
        let (path, owner, label) = (run.account.outboxPath, run.account.owner, run.label)
        run.hearing = Task(executorPreference: UILoop.shared) {
            let events = await OutboxEvents(path: path, owner: owner).stream()
            for await event in events { await self.outboxTold(event, of: label) }
        }
    }

    /// Takes what an account's queue tells.
    func outboxTold(_ event: OutboxEvent, of label: String) {
        guard let run = run(of: label) else { return }
        switch event {
        case .mutationDropped(_, _, let verdict): announce(verdict.sentence + " The outbox tells which one.", run)
        case .resetRequired:
            guard !run.drains.hasToldOfReset else { return }
            run.drains.hasToldOfReset = true
            let command = OutboxError.adoption(path: run.account.outboxPath)
            announce("Another sign-in has queued what waits here. \(command) sends it with this one.", run)
        case .failed(nil, .local): announce("The outbox cannot be used. :outbox tells why.", run)
        case .queueDepth(let counts): counted(counts, run)
        case .draftWaits, .conflictAutoMerged: performWriting(.loadDrafts, run)
        case .upload(let file, _, let event): uploadTold(file, event, run)
        case .sendChanged(let id, _, let status):
            performWriting(.loadDrafts, run)
            // What the person just sent is followed on the status line.
            if run !== current || !state.watches(id) { sendChanged(status, run) }
        case .failed: tellAndPaint(.outboxChanged, run)
        case .deadLetter: break
        }
    }

    /// Tells the person what they would not expect of their mail; the rest is in the outbox.
    private func sendChanged(_ status: SendStatus, _ run: AccountRun) {
        switch status {
        case .held(let reason): announce("Mail is held: \(SendText.words(reason)). The outbox tells which.", run)
        case .refused(let code): announce("Mail was not sent: \(SendText.words(code)). Its text is a draft.", run)
        case .unknown: announce("It is unknown whether mail was sent. Its copy is looked for.", run)
        case .sent: announce("Mail was sent.", run)
        case .queued, .inFlight: break
        }
    }

    /// Tells the person what happened to their work, whichever account is shown.
    private func announce(_ sentence: String, _ run: AccountRun) {
        guard !run.isClosed else { return }
        applyAndPaint(.notice(run === current ? sentence : "\(run.label): \(sentence)"))
    }
}
