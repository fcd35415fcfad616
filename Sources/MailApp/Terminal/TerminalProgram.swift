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
    /// What the terminal said of its background.
    private(set) var background: Theme?
    var account: Account
    let backend: Backend
    let drawer: PictureDrawer
    var graphics: GraphicsChoice
    var reader: MailReader?
    var readerInode: UInt64?
    let live: LiveQueries
    var schedule: PassSchedule
    var listening = EventListening()
    var triage = TriageWork()
    var drains = DrainWork()
    var pass: Task<Void, Never>?
    var bodies: Task<Void, Never>?
    var search = ListSearch()
    var isQuitting = false
    /// The terminal while another program has it.
    var lending: Lending?
    /// Whether a key interrupted the other program, so that the same key's signal to this one is still to come.
    var awaitsStraySignal = false
    var files: FileWork
    private let ending: Ending
    let idle = IdleSignal()
    private var needsPaint = true
    /// Answers of the cache that the first frame waits for, so that it is the whole one.
    var awaited = 0
    var hasBegun = false

    /// How long the first frame waits for the cache.
    private static let firstFrame = Duration.milliseconds(100)

    /// Runs until the person quits; never returns.
    nonisolated static func run(_ account: Account, _ options: Command.TerminalOptions, demo: Demo?) -> Never {
        UILoop.blockSignals()
        Log.shared.open(account.places.logPath, level: account.settings.logLevel)
        let ending = Ending()
        Task { @UIActor in start(account, options, ending: ending) }
        UILoop.shared.run { Running.program?.receive($0) }
        ending.exitProcess(demo)
    }

    /// Starts the local server with the demo's mail and opens it.
    nonisolated static func runDemo(_ options: Command.TerminalOptions) throws(CommandFailure) -> Never {
        guard isatty(0) == 1, isatty(1) == 1 else {
            throw CommandFailure(TerminalError.notATerminal.message, .usage)
        }
        let demo = try Demo()
        run(demo.account, options, demo: demo)
    }

    private static func start(_ account: Account, _ options: Command.TerminalOptions, ending: Ending) {
        do {
            let program = try TerminalProgram(account: account, options, ending: ending)
            Running.program = program
            program.begin()
        } catch {
            ending.fail(error.message)
            UILoop.shared.stop()
        }
    }

    private init(
        account: Account, _ options: Command.TerminalOptions, ending: Ending
    ) throws(TerminalError) {
        self.ending = ending
        terminal = try Terminal(account.settings.terminalOptions(isPlain: options.isPlain))
        terminal.showsLinks = account.settings.hyperlinks ?? Hyperlinks.areKnown(Environment.value)
        drawer = PictureDrawer(colors: terminal.colors, isOriginLocal: account.isLoopback)
        graphics = GraphicsChoice(wish: account.settings.graphics)
        self.account = account
        backend = Backend(account: account) { progress in
            Task(executorPreference: UILoop.shared) { await Running.program?.passProgressed(progress) }
        } tell: { event in
            Task(executorPreference: UILoop.shared) { await Running.program?.outboxTold(event) }
        }
        files = FileWork(backend: backend)
        live = LiveQueries(path: account.cachePath, owner: account.owner)
        state = AppState(size: terminal.size, accountLabel: account.label)
        state.presentation = account.settings.presentation(isPlain: options.isPlain)
        // Letters of blocks are no ASCII, and nothing to be listened to.
        state.showsPictures = account.settings.showsPictures && !options.isPlain && !account.settings.isASCII
        state.ordersText = !TerminalKind.ordersText
        schedule = PassSchedule(isOffline: options.isOffline)
        state.saveDirectory = saveDirectory
        tellSettings()
    }

    private func begin() {
        idle.start()
        // Opening the program is using it.
        schedule.personActed(at: WallClock.bootMilliseconds())
        openReader()
        apply(.zone(WallClock.zone()))
        tellTime()
        tellLastSync(account.passJournal.history)
        apply(.offline(schedule.isOffline))
        apply(.started)
        UILoop.shared.setDeadline(.now + TerminalProgram.firstFrame)
        if awaited == 0 { paintFirst() }
    }

    /// Shows the first frame and only then starts what the first list does not need.
    func paintFirst() {
        guard !hasBegun else { return }
        (awaited, hasBegun) = (0, true)
        paint()
        Log.shared.note(.info, "terminal opened", .account(account), .flag("offline", schedule.isOffline))
        tick()
        followCommits()
        countOutbox()
        loadHistory()
        sweepOpenedFiles()
        if reader == nil { prepareCache() } else { showQueue() }
        indexInIdleTime()
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
                if case .background(let isDark) = input {
                    background = isDark ? .dark : .light
                    terminal.setTheme(isDark ? .dark : .light)
                    continue
                }
                if case .graphics(let isKnown) = input {
                    chooseGraphics { $0.isKnown = isKnown }
                    continue
                }
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
        replaceLostPictures()
        terminal.setTitle(state.windowTitle)
    }

    private func tellTime() {
        let now = WallClock.milliseconds() / 1_000
        apply(.clock(secondsSinceEpoch: now, utcOffsetSeconds: Environment.utcOffsetSeconds(at: now)))
    }

    func tick() {
        tellTime()
        startPassIfDue()
        tellTimers()
    }

    /// Stops the process once a pass under way has ended, so that its lock keeps nobody out meanwhile.
    func stopProcess() {
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
    func quit(signal: Int32? = nil) {
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
