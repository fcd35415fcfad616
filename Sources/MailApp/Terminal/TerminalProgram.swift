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
    /// The accounts, in the order of the sidebar; the one shown is among them, unless there is none yet.
    var runs: [AccountRun]
    /// The account that is shown, and that keys are about.
    var current: AccountRun
    let drawer: PictureDrawer
    var graphics: GraphicsChoice
    let isOffline: Bool
    /// Whether the mail is made up, so that nobody is told of it.
    let isDemo: Bool
    /// The try to sign in that is under way.
    var signingIn = SigningIn()
    var isQuitting = false
    /// The terminal while another program has it.
    var lending: Lending?
    /// Whether a key interrupted the other program, so that the same key's signal to this one is still to come.
    var awaitsStraySignal = false
    var files: FileWork
    let ending: Ending
    let idle = IdleSignal()
    private var needsPaint = true
    /// Answers of the cache that the first frame waits for, so that it is the whole one.
    var awaited = 0
    var hasBegun = false

    /// How long the first frame waits for the cache.
    private static let firstFrame = Duration.milliseconds(100)

    /// Runs until the person quits; never returns.
    nonisolated static func run(_ accounts: OpenedAccounts, _ options: Command.TerminalOptions, demo: Demo?) -> Never {
        UILoop.blockSignals()
        Log.shared.open(accounts.places.logPath, level: accounts.settings.logLevel)
        let ending = Ending()
        let isDemo = demo != nil
        Task { @UIActor in start(accounts, options, isDemo: isDemo, ending: ending) }
        UILoop.shared.run { Running.program?.receive($0) }
        ending.exitProcess(demo)
    }

    /// Starts the local server with the demo's mail and opens it.
    nonisolated static func runDemo(_ options: Command.TerminalOptions) throws(CommandFailure) -> Never {
        guard isatty(0) == 1, isatty(1) == 1 else {
            throw CommandFailure(TerminalError.notATerminal.message, .usage)
        }
        let demo = try Demo()
        run(OpenedAccounts(only: demo.account), options, demo: demo)
    }

    private static func start(
        _ accounts: OpenedAccounts, _ options: Command.TerminalOptions, isDemo: Bool, ending: Ending
    ) {
        do {
            let program = try TerminalProgram(accounts, options, isDemo: isDemo, ending: ending)
            Running.program = program
            program.begin(accounts, options)
        } catch {
            ending.fail(error.message)
            UILoop.shared.stop()
        }
    }

    private init(
        _ accounts: OpenedAccounts, _ options: Command.TerminalOptions, isDemo: Bool, ending: Ending
    ) throws(TerminalError) {
        self.ending = ending
        let settings = accounts.settings
        terminal = try Terminal(settings.terminalOptions(isPlain: options.isPlain))
        terminal.showsLinks = settings.hyperlinks ?? Hyperlinks.areKnown(Environment.value)
        drawer = PictureDrawer(colors: terminal.colors)
        graphics = GraphicsChoice(wish: settings.graphics)
        isOffline = options.isOffline
        self.isDemo = isDemo
        runs = accounts.all.map { AccountRun(account: $0, isOffline: options.isOffline) }
        current =
            runs.first { $0.label == accounts.first } ?? runs.first
            ?? AccountRun.nobody(accounts.places, settings)
        files = FileWork(saver: current.saver)
        state = AppState(size: terminal.size, accountLabel: current.label)
        state.presentation = settings.presentation(isPlain: options.isPlain)
        // Letters of blocks are no ASCII, and nothing to be listened to.
        state.showsPictures = settings.showsPictures && !options.isPlain && !settings.isASCII
        state.ordersText = !TerminalKind.ordersText
        state.canAddAccounts = accounts.canAdd
        state.saveDirectory = saveDirectory
        tellSettings()
    }

    private func begin(_ accounts: OpenedAccounts, _ options: Command.TerminalOptions) {
        idle.start()
        // Opening the program is using it.
        for run in runs { run.schedule.personActed(at: WallClock.bootMilliseconds()) }
        openReader()
        apply(.zone(WallClock.zone()))
        tellTime()
        tellAccounts()
        for run in runs { tellStanding(run) }
        if runs.isEmpty { state.welcome() } else { apply(.started) }
        if let draft = options.draft { openAtStart(LocalDraftID(draft)) }
        if let notice = accounts.notice { apply(.notice(notice)) }
        UILoop.shared.setDeadline(.now + TerminalProgram.firstFrame)
        if awaited == 0 { paintFirst() }
    }

    /// Shows the first frame and only then starts what the first list does not need.
    func paintFirst() {
        guard !hasBegun else { return }
        (awaited, hasBegun) = (0, true)
        paint()
        Log.shared.note(.info, "terminal opened", .account(account), .flag("offline", isOffline))
        // Before anything of the outbox is tidied up.
        for run in runs { recoverEdited(run) }
        tick()
        loadHistory()
        sweepOpenedFiles()
        for run in runs { follow(run) }
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
                for run in runs { run.schedule.note(input, at: WallClock.bootMilliseconds()) }
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
        for run in runs { startPassIfDue(run) }
        tellTimers()
    }

    /// Stops the process once a pass under way has ended, so that its lock keeps nobody out meanwhile.
    func stopProcess() {
        let passes = runs.compactMap(\.pass)
        if passes.isEmpty { return stopNow() }
        for pass in passes { pass.cancel() }
        Task(executorPreference: UILoop.shared) {
            for pass in passes { await pass.value }
            await self.stopNow()
        }
    }

    private func stopNow() {
        terminal.stopProcess()
        for run in runs { run.schedule.hurry() }
        applyAndPaint(.resized(terminal.size))
    }

    /// Gives the terminal back at once, then closes the cache and ends the loop.
    func quit(signal: Int32? = nil) {
        guard !isQuitting else { return }
        isQuitting = true
        ending.note(signal: signal)
        terminal.close()
        let runs = runs
        let unsaved = state.unsavedWriting.map { (current, $0) }
        for run in runs { run.listening.task?.cancel() }
        signingIn.task?.cancel()
        effect {
            if let (run, writing) = unsaved { await self.saveLast(writing, run) }
            for run in runs { await self.sendLast(run) }
            for run in runs { await run.listening.task?.value }
            await self.endFiles()
            // Who quits has said what is to become of their mail; whom a signal ends has not.
            if signal == nil { for run in runs { try? await run.backend.letGoSends() } }
            for run in runs { await run.backend.close() }
            UILoop.shared.stop()
        }
    }
}

/// The account that is shown, for all that is about one account.
extension TerminalProgram {
    var account: Account { current.account }
    var backend: Backend { current.backend }
    var reader: MailReader? { current.reader }
    var schedule: PassSchedule {
        get { current.schedule }
        set { current.schedule = newValue }
    }
}
