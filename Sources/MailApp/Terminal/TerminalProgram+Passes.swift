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
            (reader, readerInode) = (opened, opened.inode)
        } catch {
            apply(.notice(error.message))
        }
    }

    /// Makes a first cache; it is opened when the watch finds it.
    func prepareCache() {
        let backend = backend
        effect {
            do {
                try await backend.prepare()
            } catch {
                await self.applyAndPaint(.syncFailed(Failures.failure(error).message))
            }
        }
    }

    /// Has the cache show what waits, also when no pass will.
    func showQueue() {
        let backend = backend
        effect {
            do {
                try await backend.showQueue()
            } catch {
                await self.applyAndPaint(.syncFailed(Failures.failure(error).message))
            }
        }
    }

    /// Shows what this process and others commit, as it comes.
    func followCommits() {
        let live = live
        Task(executorPreference: UILoop.shared) {
            for await event in await live.events() { await self.took(event) }
        }
    }

    private func took(_ event: LiveQueries.Event) async {
        switch event {
        case .changed(let change):
            applyAndPaint(.storeChanged(change))
            countOutbox()
        case .replaced:
            do {
                guard let opened = try await backend.openReader(unless: readerInode) else {
                    return await showMissed()
                }
                (reader, readerInode) = (opened, opened.inode)
                applyAndPaint(.storeChanged(.everything))
            } catch {
                applyAndPaint(.notice(Failures.failure(error).message))
            }
        }
    }

    /// Shows what was committed after the cache was opened and before its commits were followed.
    private func showMissed() async {
        guard let reader, await reader.hasMissedCommits else { return }
        applyAndPaint(.storeChanged(.everything))
    }

    func startPassIfDue() {
        if !isQuitting, schedule.isDue(at: WallClock.bootMilliseconds()) { startPass() }
    }

    func syncNow() {
        guard !schedule.isOffline else {
            return apply(.notice("Herald was started with --offline and asks no server. Start it without to fetch."))
        }
        startPass()
    }

    private func startPass() {
        guard let plan = schedule.begin(at: WallClock.bootMilliseconds()) else { return }
        apply(.syncStarted)
        let backend = backend
        pass = effect {
            do {
                let outcome = try await backend.pass(includingDrafts: plan.includesDrafts)
                await self.passFinished(outcome)
            } catch is CancellationError {
                await self.passFinished(nil)
            } catch {
                await self.passFailed(error)
            }
        }
    }

    func passProgressed(_ progress: SyncProgress) {
        guard progress.isBootstrap else { return }
        applyAndPaint(.syncProgress(AppEvent.SyncProgress(done: progress.messages, total: progress.total)))
    }

    private func passFinished(_ outcome: Backend.PassOutcome?) {
        pass = nil
        let now = WallClock.bootMilliseconds()
        if case .elsewhere = outcome { schedule.endedElsewhere(at: now) } else { schedule.end(nil, at: now) }
        // A pass that was cut short has not synced anything to tell of; another follows.
        guard let outcome else { return }
        if case .elsewhere(let history) = outcome {
            tellLastSync(history)
            return paint()
        }
        apply(.offline(false))
        applyAndPaint(.syncFinished)
        listening.passed()
        listen()
        let backend = backend
        Task { await backend.useIdleTime() }
    }

    /// Tells how old the mail is that another run or process has fetched.
    func tellLastSync(_ history: PassHistory) {
        apply(.syncedAt(secondsSinceEpoch: history.succeededAtMilliseconds.map { $0 / 1_000 }))
    }

    private func passFailed(_ error: any Error) {
        pass = nil
        Log.shared.failed("pass failed", error, account)
        let failure = error as? SyncError
        schedule.end(failure ?? .alreadyRunning, at: WallClock.bootMilliseconds())
        if failure?.needsSignIn == true { listening.isSignedOut = true }
        apply(.offline(failure?.isUnreachable == true))
        applyAndPaint(.syncFailed(Failures.failure(error).message))
    }
}
