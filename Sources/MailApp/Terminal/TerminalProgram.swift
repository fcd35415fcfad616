internal import Glibc
internal import MailModel
internal import MailStorage
internal import MailSync
internal import MailUI
internal import Platform
internal import TerminalDriver
internal import TerminalUI

/// The terminal program: feeds events to the pure state, performs its effects, paints its grids.
@UIActor
final class TerminalProgram {
    var state: AppState
    let terminal: Terminal
    var account: Account
    let backend: Backend
    let drawer: PictureDrawer
    private(set) var reader: MailReader?
    private var readerInode: UInt64?
    private let live: LiveQueries
    var schedule: PassSchedule
    var listening = EventListening()
    private var pass: Task<Void, Never>?
    private var bodies: Task<Void, Never>?
    private var isQuitting = false
    /// The terminal while another program has it.
    var lending: Lending?
    /// Whether a key interrupted the other program, so that the same key's signal to this one is still to come.
    var awaitsStraySignal = false
    var files: FileWork
    private let ending: Ending
    private let idle = IdleSignal()
    private var needsPaint = true
    /// Answers of the cache that the first frame waits for, so that it is the whole one.
    private var awaited = 0
    private var hasBegun = false

    /// How long the first frame waits for the cache.
    private static let firstFrame = Duration.milliseconds(100)

    /// Runs until the person quits; never returns.
    nonisolated static func run(_ account: Account, offline: Bool, demo: Demo?) -> Never {
        UILoop.blockSignals()
        Log.shared.open(account.places.logPath, level: account.settings.logLevel)
        let ending = Ending()
        Task { @UIActor in start(account, offline: offline, ending: ending) }
        UILoop.shared.run { Running.program?.receive($0) }
        ending.exitProcess(demo)
    }

    /// Starts the local server with the demo's mail and opens it.
    nonisolated static func runDemo() throws(CommandFailure) -> Never {
        guard isatty(0) == 1, isatty(1) == 1 else {
            throw CommandFailure(TerminalError.notATerminal.message, .usage)
        }
        let demo = try Demo()
        run(demo.account, offline: false, demo: demo)
    }

    private static func start(_ account: Account, offline: Bool, ending: Ending) {
        do {
            let program = try TerminalProgram(account: account, offline: offline, ending: ending)
            Running.program = program
            program.begin()
        } catch {
            ending.fail(error.message)
            UILoop.shared.stop()
        }
    }

    private init(account: Account, offline: Bool, ending: Ending) throws(TerminalError) {
        self.ending = ending
        terminal = try Terminal(withoutColor: Environment.value("NO_COLOR") != nil || account.settings.isWithoutColor)
        terminal.showsLinks = account.settings.hyperlinks ?? Hyperlinks.areKnown(Environment.value)
        drawer = PictureDrawer(colors: terminal.colors, isOriginLocal: account.isLoopback)
        self.account = account
        backend = Backend(account: account) { progress in
            Task(executorPreference: UILoop.shared) { await Running.program?.passProgressed(progress) }
        }
        files = FileWork(backend: backend)
        live = LiveQueries(path: account.cachePath, owner: account.owner)
        state = AppState(size: terminal.size, accountLabel: account.label)
        state.showsPictures = account.settings.showsPictures
        state.ordersText = !TerminalKind.ordersText
        schedule = PassSchedule(isOffline: offline)
        state.saveDirectory = saveDirectory
        tellSettings()
    }

    private func begin() {
        idle.start()
        // Opening the program is using it.
        schedule.personActed(at: WallClock.bootMilliseconds())
        openReader()
        tellTime()
        tellLastSync(account.passJournal.history)
        apply(.offline(schedule.isOffline))
        apply(.started)
        UILoop.shared.setDeadline(.now + TerminalProgram.firstFrame)
        if awaited == 0 { paintFirst() }
    }

    /// Shows the first frame and only then starts what the first list does not need.
    private func paintFirst() {
        guard !hasBegun else { return }
        (awaited, hasBegun) = (0, true)
        paint()
        Log.shared.note(.info, "terminal opened", .account(account), .flag("offline", schedule.isOffline))
        tick()
        followCommits()
        loadHistory()
        sweepOpenedFiles()
        if reader == nil { prepareCache() }
        paint()
    }

    /// Handles what the loop reports.
    func receive(_ event: LoopEvent) {
        paintFirst()
        if isStray(event) { return }
        if lending != nil { return receiveWhileLent(event) }
        switch event {
        case .input(let events):
            for input in events {
                schedule.note(input, at: WallClock.bootMilliseconds())
                apply(.input(input))
            }
        case .resized(let size):
            terminal.resize(to: size)
            apply(.resized(size))
        case .signal(SIGCONT): terminal.repaint()
        case .signal(SIGTSTP): stopProcess()
        case .signal(SIGUSR1): reloadSettings()
        case .signal(let signal): quit(signal: signal)
        case .deadline: tick()
        case .hangup: quit(signal: SIGHUP)
        }
        needsPaint = true
        paint()
    }

    /// Feeds one event to the state and performs what it asks for.
    func apply(_ event: AppEvent) {
        for effect in state.update(event) { perform(effect) }
        needsPaint = true
    }

    /// Applies an event that arrived between two rounds of the loop, and shows it.
    func applyAndPaint(_ event: AppEvent) {
        apply(event)
        paint()
    }

    func paint() {
        guard needsPaint, !isQuitting, awaited == 0 else { return }
        needsPaint = false
        terminal.paint(state.draw())
    }

    private func tellTime() {
        let now = WallClock.milliseconds() / 1_000
        apply(.clock(secondsSinceEpoch: now, utcOffsetSeconds: Environment.utcOffsetSeconds(at: now)))
    }

    func tick() {
        tellTime()
        startPassIfDue()
        UILoop.shared.setDeadline(.now + .seconds(1))
    }

    /// Stops the process once a pass under way has ended, so that its lock keeps nobody out meanwhile.
    private func stopProcess() {
        guard let pass else { return stopNow() }
        pass.cancel()
        Task(executorPreference: UILoop.shared) {
            await pass.value
            await self.stopNow()
        }
    }

    private func stopNow() {
        terminal.stopProcess()
        schedule.hurry()
        applyAndPaint(.resized(terminal.size))
    }

    /// Gives the terminal back at once, then closes the cache and ends the loop.
    private func quit(signal: Int32? = nil) {
        guard !isQuitting else { return }
        isQuitting = true
        ending.note(signal: signal)
        terminal.close()
        let (backend, listening) = (backend, listening.task)
        listening?.cancel()
        effect {
            await listening?.value
            await self.endFiles()
            await backend.close()
            UILoop.shared.stop()
        }
    }
}

/// Effects.
extension TerminalProgram {
    /// Does something beside the loop; until it is over the program is not idle.
    @discardableResult
    func effect(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        idle.begin()
        let idle = idle
        return Task(executorPreference: UILoop.shared) {
            await work()
            idle.end()
        }
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .loadCounts: load { .countsLoaded(try await $0.mailboxCounts()) }
        case .loadConversations(let scope, let filter, let limit, let generation):
            load { reader in
                let words = filter.split(separator: " ").map(String.init)
                let rows = try await reader.conversations(in: scope, words: words, limit: limit + 1)
                return .conversationsLoaded(
                    scope, generation: generation, rows: Array(rows.prefix(limit)), hasMore: rows.count > limit)
            }
        case .loadDrafts: load { .draftsLoaded(try await $0.drafts(mailbox: nil)) }
        case .loadConversation(let thread): load { .conversationLoaded(thread, try await $0.conversation(thread)) }
        case .fetchBodies(let thread, let first): fetchBodies(thread, first: first)
        case .syncNow: syncNow()
        case .drawPicture(let request): drawPicture(request)
        case .loadRemoteImages(let message): loadRemoteImages(message)
        case .trustSender(let message): trustSender(message)
        case .openAddress(let address): openAddress(address)
        case .copy(let text): copy(text)
        case .remember(let line): remember(line)
        case .changeSetting(let text): changeSetting(text)
        case .reloadSettings: reloadSettings()
        case .save(let request): save(request)
        case .openAttachment(_, let attachment): openAttachment(attachment)
        case .pipe(let message, let command): pipe(message, to: command)
        case .completePath(let typed): completePath(typed)
        case .cancelFiles: cancelFiles()
        case .quit: quit()
        case .suspend: stopProcess()
        case .redraw: terminal.repaint()
        case .bell: terminal.ring()
        }
    }

    /// Answers an effect from the cache; a failed read becomes a sentence.
    private func load(_ question: @escaping @Sendable (MailReader) async throws -> AppEvent) {
        guard let reader else { return }
        if !hasBegun { awaited += 1 }
        effect {
            do {
                await self.took(try await question(reader))
            } catch {
                await self.readFailed(error)
            }
        }
    }

    /// Shows an answer of the cache; the last that the first frame waited for shows them all.
    private func took(_ answer: AppEvent) {
        apply(answer)
        if hasBegun { return paint() }
        awaited -= 1
        if awaited == 0 { paintFirst() }
    }

    /// Tells of a failed read; a damaged cache is set aside and fetched anew, unless that has to wait for a network.
    private func readFailed(_ error: any Error) {
        took(.notice(Failures.failure(error).message))
        guard (error as? StoreError) == .damaged, !schedule.isOffline else { return }
        schedule.hurry()
        prepareCache()
    }

    private func fetchBodies(_ thread: ThreadID, first: [MessageID]) {
        guard let reader else { return }
        if schedule.isOffline { return apply(.bodiesFailed(thread, "This text was not fetched before going offline.")) }
        let backend = backend
        // Hundreds of requests for a thread that nobody looks at any more would hold up those for the next one.
        bodies?.cancel()
        bodies = effect {
            do {
                for id in first { try await backend.fetchBodies([id]) }
                let missing = try await reader.conversation(thread).filter {
                    $0.detail == nil || ($0.detail?.htmlAvailable == true && $0.html == nil)
                }
                try await backend.fetchBodies(missing.map(\.summary.id))
                let filled = try await reader.conversation(thread)
                await self.applyAndPaint(.conversationLoaded(thread, filled))
            } catch is CancellationError {
                return
            } catch {
                await self.applyAndPaint(.bodiesFailed(thread, Failures.failure(error).message))
            }
        }
    }
}

/// The cache and its passes.
extension TerminalProgram {
    /// Opens the cache for the first screen, when there is one.
    private func openReader() {
        do {
            guard let opened = try MailReader(path: account.cachePath, owner: account.owner) else { return }
            (reader, readerInode) = (opened, opened.inode)
        } catch {
            apply(.notice(error.message))
        }
    }

    /// Makes a first cache; it is opened when the watch finds it.
    private func prepareCache() {
        let backend = backend
        effect {
            do {
                try await backend.prepare()
            } catch {
                await self.applyAndPaint(.syncFailed(Failures.failure(error).message))
            }
        }
    }

    /// Shows what this process and others commit, as it comes.
    private func followCommits() {
        let live = live
        Task(executorPreference: UILoop.shared) {
            for await event in await live.events() { await self.took(event) }
        }
    }

    private func took(_ event: LiveQueries.Event) async {
        switch event {
        case .changed(let change): applyAndPaint(.storeChanged(change))
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

    private func syncNow() {
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
    private func tellLastSync(_ history: PassHistory) {
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
