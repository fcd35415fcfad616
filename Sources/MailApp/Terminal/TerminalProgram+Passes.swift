internal import MailModel
internal import MailStorage
internal import MailSync
internal import MailUI
internal import Platform
internal import TerminalDriver

/// The cache and its passes.
extension TerminalProgram {
    /// Opens the cache for the first screen, when there is one.
    func openReader() {
        do {
            guard let opened = try MailReader(path: account.cachePath, owner: account.owner) else { return }
            (current.reader, current.readerInode) = (opened, opened.inode)
        } catch {
            apply(.notice(error.message))
        }
    }

    /// Makes a first cache; it is opened when the watch finds it.
    func prepareCache(_ run: AccountRun) {
        let backend = run.backend
        effect {
            do {
                try await backend.prepare()
            } catch {
                await self.cacheFailed(error, run)
            }
        }
    }

    private func cacheFailed(_ error: any Error, _ run: AccountRun) {
        if let change = error as? AccountChange { return follow(change, run) }
        tellAndPaint(.syncFailed(Failures.failure(error).message), run)
    }

    /// Has the cache show what waits, also when no pass will.
    func showQueue(_ run: AccountRun) {
        let backend = run.backend
        effect {
            do {
                try await backend.showQueue()
            } catch {
                await self.cacheFailed(error, run)
            }
        }
    }

    /// Shows what this process and others commit, as it comes.
    func followCommits(_ run: AccountRun) {
        let live = run.live
        run.following = Task(executorPreference: UILoop.shared) {
            for await event in await live.events() { await self.took(event, run) }
        }
        hearOutbox(run)
    }

    private func took(_ event: LiveQueries.Event, _ run: AccountRun) async {
        switch event {
        case .changed(let change):
            tellAndPaint(.storeChanged(change), run)
            countOutbox(run)
            expectNewMail(change, run)
            await ring(for: change, run)
        case .gone:
            do {
                try await run.backend.checkIsKept()
            } catch {
                follow(error, run)
            }
        case .replaced:
            do {
                guard let opened = try await run.backend.openReader(unless: run.readerInode) else {
                    return await showMissed(run)
                }
                (run.reader, run.readerInode) = (opened, opened.inode)
                tellAndPaint(.storeChanged(.everything), run)
            } catch {
                tellAndPaint(.notice(Failures.failure(error).message), run)
            }
        }
    }

    /// Shows what was committed after the cache was opened and before its commits were followed.
    private func showMissed(_ run: AccountRun) async {
        guard let reader = run.reader, await reader.hasMissedCommits else { return }
        tellAndPaint(.storeChanged(.everything), run)
    }

    func startPassIfDue(_ run: AccountRun) {
        if !isQuitting, !run.isClosed, run.schedule.isDue(at: WallClock.bootMilliseconds()) { startPass(run) }
    }

    func syncNow(_ run: AccountRun) {
        guard !isOffline else {
            return apply(.notice("Herald was started with --offline and asks no server. Start it without to fetch."))
        }
        startPass(run)
    }

    private func startPass(_ run: AccountRun) {
        guard let plan = run.schedule.begin(at: WallClock.bootMilliseconds()) else { return }
        tell(.syncStarted, run)
        let backend = run.backend
        run.pass = effect {
            do {
                let outcome = try await backend.pass(includingDrafts: plan.includesDrafts)
                await self.passFinished(outcome, run)
            } catch is CancellationError {
                await self.passFinished(nil, run)
            } catch {
                await self.passFailed(error, run)
            }
        }
    }

    func passProgressed(_ progress: SyncProgress, of label: String) {
        guard progress.isBootstrap, let run = run(of: label) else { return }
        tellAndPaint(.syncProgress(AppEvent.SyncProgress(done: progress.messages, total: progress.total)), run)
    }

    private func passFinished(_ outcome: Backend.PassOutcome?, _ run: AccountRun) {
        run.pass = nil
        let now = WallClock.bootMilliseconds()
        if case .elsewhere = outcome { run.schedule.endedElsewhere(at: now) } else { run.schedule.end(nil, at: now) }
        // A pass that was cut short has not synced anything to tell of; another follows.
        guard let outcome, !run.isClosed else { return }
        if case .elsewhere(let history) = outcome {
            tellLastSync(history, run)
            return paint()
        }
        tell(.offline(false), run)
        tellAndPaint(.syncFinished, run)
        run.listening.passed()
        listen(run)
        let backend = run.backend
        effect { await self.tellNewMail(run) }
        followSignInAge(run)
        Task { await backend.useIdleTime() }
    }

    /// Tells how old the mail is that another run or process has fetched.
    func tellLastSync(_ history: PassHistory, _ run: AccountRun) {
        tell(.syncedAt(secondsSinceEpoch: history.succeededAtMilliseconds.map { $0 / 1_000 }), run)
    }

    private func passFailed(_ error: any Error, _ run: AccountRun) {
        run.pass = nil
        // What quitting cuts short has not failed.
        if isQuitting { return }
        if let change = error as? AccountChange { return follow(change, run) }
        Log.shared.failed("pass failed", error, run.account)
        let failure = error as? SyncError
        run.schedule.end(
            failure ?? .alreadyRunning, at: WallClock.bootMilliseconds(), jitter: .random(in: 0...1))
        if run.isClosed { return }
        let isSignedOut = failure?.needsSignIn == true
        if isSignedOut { run.listening.isSignedOut = true }
        tell(.signInEnded(isSignedOut), run)
        tell(.offline(failure?.isUnreachable == true), run)
        tellAndPaint(.syncFailed(Failures.failure(error).message), run)
    }
}
