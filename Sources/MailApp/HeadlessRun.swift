internal import CSystem
internal import Glibc
internal import MailStorage
internal import MailSync
internal import Platform
internal import TerminalDriver

/// Runs a command on the shared pool while the main thread waits, and ends the process.
struct HeadlessRun {
    let command: Command
    /// The account it works on; `nil` when it works on all, or on none yet.
    let account: Account?

    /// How long work that was told to end may take to do so; what it has not committed then is not there.
    private static let graceMilliseconds: Int64 = 1_000

    private var options: Command.SyncOptions? {
        switch command {
        case .syncOnce(let options), .rebuildCache(let options): options
        default: nil
        }
    }

    /// Runs the command; never returns.
    func run(_ perform: @escaping @Sendable () async throws -> Void) throws(CommandFailure) -> Never {
        let signals = tellsWhatRemains ? EndingSignals() : nil
        if signals == nil { HeadlessRun.letSignalsEnd() }
        OpenedFiles.sweepAll()
        var failure = outcome(perform, signals)
        if failure == nil, Output.isIncomplete {
            let lost = CommandFailure("The output cannot be written.", .inputOutput)
            // Whoever reads another code than 0 sends the mail a second time.
            if hasSent { Output.failure("The mail was sent. " + lost.message) } else { failure = lost }
        }
        if case .syncOnce(let options) = command, options.quiet, let account {
            HeadlessRun.endQuietly(failure, notice: FailureNotice(account: account))
        }
        if let failure { throw failure }
        if opensTerminal { try openTerminal() }
        HeadlessRun.end(.done)
    }

    /// Ends a quiet pass: failures are told when they begin and then daily.
    static func endQuietly(_ failure: CommandFailure?, notice: FailureNotice) -> Never {
        guard let failure else {
            notice.clear()
            end(.done)
        }
        if notice.shouldTell(failure.exitCode, now: WallClock.milliseconds()) {
            Output.failure(failure.message)
        }
        end(failure.exitCode)
    }

    /// Ends the process at once.
    ///
    /// Not by `exit`: libraries take themselves down there while the network's thread may still be at work in them.
    static func end(_ code: ExitCode) -> Never {
        Log.shared.flush()
        _exit(code.rawValue)
    }

    /// Waits for the work, up to the deadline when there is one.
    private func outcome(
        _ perform: @escaping @Sendable () async throws -> Void, _ signals: EndingSignals?
    ) -> CommandFailure? {
        let outcome = BlockingOutcome()
        let account = account
        let work = Task.detached(priority: .userInitiated) {
            do {
                try await perform()
                outcome.finish(.done)
            } catch is CancellationError {
                outcome.finish(.cancelled)
            } catch {
                if let account { Log.shared.failed("command failed", error, account) }
                outcome.finish(.failed(Failures.failure(error)))
            }
        }
        let seconds = options?.deadlineSeconds
        var ending = outcome.wait(milliseconds: seconds.map { Int64($0) * 1_000 }, or: signals?.descriptor ?? -1)
        if ending == .interrupted, let signals {
            work.cancel()
            giveTime(to: outcome)
            tellWhatRemains()
            Log.shared.flush()
            signals.end()
        }
        if ending == nil {
            work.cancel()
            ending = outcome.wait(milliseconds: HeadlessRun.graceMilliseconds)
        }
        switch ending {
        case .done: return nil
        case .failed(let failure): return failure
        case .cancelled, .interrupted, nil:
            Output.endProgress()
            return CommandFailure("This did not end in \(seconds ?? 0) s. The next run goes on from there.", .tryLater)
        }
    }

    /// Waits for interrupted work to end; for a mail that is under way longer, and with a word.
    private func giveTime(to outcome: BlockingOutcome) {
        guard case .send = command else {
            _ = outcome.wait(milliseconds: HeadlessRun.graceMilliseconds)
            return
        }
        guard SendProgress.shared.interrupt(), outcome.wait(milliseconds: HeadlessRun.graceMilliseconds) == nil else {
            return
        }
        Output.failure("The mail is under way. Its answer is waited for, a few seconds at most.")
        _ = outcome.wait(milliseconds: SendProgress.graceMilliseconds)
    }

    /// Whether a command that ended without a failure has sent a mail.
    private var hasSent: Bool {
        guard case .send(let options) = command else { return false }
        return !options.isDraft
    }

    /// Whether the command has queued what a signal must not leave untold.
    private var tellsWhatRemains: Bool {
        switch command {
        case .apply(let options): !options.isDryRun
        case .outbox(let options): options.sends
        case .send: true
        default: false
        }
    }

    private func tellWhatRemains() {
        Output.endProgress()
        if case .send = command, let account {
            return Output.failure("Interrupted. " + SendProgress.shared.words(account))
        }
        guard let account, let counts = try? OutboxStore.counts(path: account.outboxPath, owner: account.owner)
        else { return }
        Output.failure("Interrupted. " + Outbox.remains(counts.own))
    }

    /// A signal that asks the program to end does so, also when the parent had blocked it.
    private static func letSignalsEnd() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGTERM, SIGINT, SIGHUP] {
            sigaddset(&signals, number)
            if Output.hasTerminal { clearProgress(on: number) }
        }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Leaves no half line of progress on the terminal, then lets the signal do what it does.
    private static func clearProgress(on number: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { number in
            let line: StaticString = "\r\u{1B}[K"
            _ = write(2, line.utf8Start, line.utf8CodeUnitCount)
            raise(number)
        }
        // Once only, so that the second one has its own effect.
        action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
        var old = sigaction()
        // A signal that the parent has ignored, as nohup does, stays ignored.
        guard sigaction(number, nil, &old) == 0, unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 0
        else { return }
        sigaction(number, &action, nil)
    }

    /// A rebuild on a terminal opens the program afterwards; from cron it ends.
    private var opensTerminal: Bool {
        guard case .rebuildCache(let options) = command else { return false }
        return !options.isOnce && isatty(0) == 1 && isatty(1) == 1
    }

    /// Begins anew as the terminal program, which must be there before any other thread.
    private func openTerminal() throws(CommandFailure) {
        account?.toEnvironment()
        ThisProgram.begin(account.map { ["--account", $0.label] } ?? [])
        throw CommandFailure("The cache was rebuilt, but Herald could not be opened.", .failed)
    }
}
