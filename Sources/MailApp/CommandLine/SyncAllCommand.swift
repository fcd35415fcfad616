internal import MailSync
internal import Platform

/// `herald --sync-once` with several accounts: a pass of each, side by side.
///
/// What fails in one account touches no other, and a server that does not answer delays nobody but itself.
struct SyncAllCommand {
    let options: Command.SyncOptions
    let accounts: [FoundAccount]

    /// Makes the passes and tells of each; answers the worst exit code.
    func run() async -> ExitCode {
        let end = options.deadlineSeconds.map { ContinuousClock.now + .milliseconds($0 * 800) }
        var outcomes: [String: SyncOutcome] = [:]
        await withTaskGroup(of: SyncOutcome.self) { group in
            for found in accounts { group.addTask { await outcome(of: found, until: end) } }
            for await outcome in group { outcomes[outcome.label] = outcome }
        }
        let ordered = accounts.compactMap { outcomes[$0.label] }
        if options.json { Output.write(SyncCommand.json(ordered)) }
        let worst = ExitCode.worst(ordered.map { $0.failure?.exitCode ?? .done })
        return Output.isIncomplete ? ExitCode.worst([worst, .inputOutput]) : worst
    }

    private func outcome(of found: FoundAccount, until end: ContinuousClock.Instant?) async -> SyncOutcome {
        var outcome = SyncOutcome(label: found.label)
        do {
            let account = try found.account.get()
            do {
                let (session, report) = try await SyncCommand(
                    options: options, account: account, isOneOfSeveral: true
                ).passAlone()
                defer { session.close() }
                outcome.report = report
                tell(report, found.label)
                outcome.failure = try await SyncCommand.afterwards(session, until: end)
            } catch {
                Log.shared.failed("command failed", error, account)
                (outcome.failure, outcome.failureCode) = (failure(error), Failures.code(error).map { "\($0)" })
            }
            finish(outcome, FailureNotice(account: account))
        } catch {
            (outcome.failure, outcome.failureCode) = (
                Failures.failure(error), Failures.code(error).map { "\($0)" }
            )
            finish(outcome, nil)
        }
        return outcome
    }

    private func failure(_ error: any Error) -> CommandFailure {
        guard error is CancellationError, let seconds = options.deadlineSeconds else { return Failures.failure(error) }
        return CommandFailure("This did not end in \(seconds) s. The next run goes on from there.", .tryLater)
    }

    /// Tells what a pass did as soon as it is over.
    private func tell(_ report: PassReport, _ label: String) {
        guard !options.quiet, !options.json else { return }
        Output.aboveProgress { Output.line("\(label): \(SyncCommand.sentence(report))") }
    }

    /// Tells what failed; quietly, when it begins and then once a day.
    private func finish(_ outcome: SyncOutcome, _ notice: FailureNotice?) {
        guard let failure = outcome.failure else {
            if options.quiet { notice?.clear() }
            return
        }
        if options.quiet, let notice, !notice.shouldTell(failure.exitCode, now: WallClock.milliseconds()) { return }
        Output.aboveProgress { Output.failure("\(outcome.label): \(failure.message)") }
    }
}

extension ExitCode {
    /// The code of a run of which some parts failed: first what only a person can mend, last what mends itself.
    static func worst(_ codes: [ExitCode]) -> ExitCode {
        let order: [ExitCode] = [
            .failed, .inputOutput, .cannotCreate, .unexpected, .configuration, .signInNeeded, .contractBroken, .refused,
            .usage, .badInput, .unreachable, .tryLater, .operationsRemain,
        ]
        return order.first { codes.contains($0) } ?? .done
    }
}
