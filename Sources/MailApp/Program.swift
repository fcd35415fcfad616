internal import CSystem
internal import Glibc
internal import MailStorage
internal import Pictures
internal import Platform

/// The whole program behind `main`.
package enum Program {
    /// Runs the command line and ends the process with its exit code; never returns.
    package static func run(_ arguments: [String]) -> Never {
        Files.fillStandardDescriptors()
        if arguments.first == PictureProcess.flag { PictureProcess.run(Array(arguments.dropFirst())) }
        signal(SIGPIPE, SIG_IGN)
        // Swift's runtime would tell where each thread is and wait for a key.
        signal(SIGQUIT, SIG_DFL)
        // A file that may not grow is a failed write, as a full disk is.
        signal(SIGXFSZ, SIG_IGN)
        // SQLite and the local server choose no rights of their own; mail is for its owner's eyes only.
        umask(0o077)
        // A core file would hold tokens and mail.
        herald_deny_core()
        setlocale(LC_ALL, "")
        do {
            var parser = CommandParser(arguments)
            let command = try parser.parse()
            try start(command)
        } catch {
            end(error)
        }
    }

    private static func end(_ failure: CommandFailure) -> Never {
        Output.failure(failure.message)
        HeadlessRun.end(failure.exitCode)
    }

    private static func start(_ command: Command) throws(CommandFailure) -> Never {
        switch command {
        case .help(let topic): Output.line(HelpText.text(topic))
        case .version: Output.line("herald \(HelpText.version)")
        case .serve(let arguments): try ServerProcess.replaceThisProcess(arguments)
        case .demo(let options): try TerminalProgram.runDemo(options)
        case .config(let options): try printSettings(options)
        case .interactive(let options): TerminalProgram.run(try opened(options), options, demo: nil)
        case .account(let options): try runAccounts(options)
        case .doctor(let json): try HeadlessRun(command: command, account: nil).run { try await Doctor.run(json: json) }
        case .status(let options):
            let accounts = try accounts(options.account)
            try HeadlessRun(command: command, account: nil).run {
                if options.unread { return try await UnreadCommand(accounts: accounts).run() }
                try await StatusCommand(json: options.json, accounts: accounts).run()
            }
        case .watch(let options):
            let accounts = try accounts(options.account)
            try HeadlessRun(command: command, account: nil).run {
                try await WatchCommand(options: options, accounts: accounts).run()
            }
        case .syncOnce(let options) where options.account == nil:
            try syncAll(command, options)
        case .list, .show, .search, .apply, .compose, .send, .outbox, .syncOnce, .rebuildCache:
            let account = try account(for: command)
            try HeadlessRun(command: command, account: account).run { try await perform(command, account: account) }
        }
        if Output.isIncomplete { throw CommandFailure("The output cannot be written.", .inputOutput) }
        HeadlessRun.end(.done)
    }

    private static func printSettings(_ options: Command.ConfigOptions) throws(CommandFailure) {
        let path = try Places.fromEnvironment().settingsPath
        if options.pathOnly { return Output.line(path) }
        ConfigCommand(json: options.json, settings: try SettingsFile.load(path), path: path).run()
    }

    /// The account with its settings, and the log opened as they say; wrong settings end the program first.
    private static func account(_ label: String? = nil) throws(CommandFailure) -> Account {
        let places = try Places.fromEnvironment()
        let settings = try SettingsFile.load(places.settingsPath)
        Log.shared.open(places.logPath, level: settings.logLevel)
        return try Accounts.choose(label, places, settings)
    }

    /// The accounts that a command works on, each by itself.
    private static func accounts(_ label: String?) throws(CommandFailure) -> [FoundAccount] {
        let places = try Places.fromEnvironment()
        let settings = try SettingsFile.load(places.settingsPath)
        Log.shared.open(places.logPath, level: settings.logLevel)
        return try Accounts.all(label, places, settings)
    }

    /// What the terminal program opens with; without any account, on a terminal, that is nothing yet.
    private static func opened(_ options: Command.TerminalOptions) throws(CommandFailure) -> OpenedAccounts {
        let places = try Places.fromEnvironment()
        let settings = try SettingsFile.load(places.settingsPath)
        if let account = try Account.fromEnvironment(places, settings) {
            guard options.account == nil || options.account == account.label else {
                throw Accounts.unknown(options.account ?? "")
            }
            return OpenedAccounts(only: account)
        }
        let labels = Accounts.labels(places)
        let hasTerminal = isatty(0) == 1 && isatty(1) == 1
        if options.account != nil || labels.isEmpty && !hasTerminal {
            _ = try Accounts.label(options.account, places)
        }
        let found = labels.map { FoundAccount($0, places, settings) }
        var opened = OpenedAccounts(
            all: found.compactMap { try? $0.account.get() }, places: places, settings: settings)
        opened.first = options.account
        for found in found {
            guard case .failure(let failure) = found.account else { continue }
            if opened.all.isEmpty || found.label == options.account { throw failure }
            opened.notice = "\(found.label): \(failure.message)"
        }
        return opened
    }

    /// A pass of every account; with a single one it is that account's.
    private static func syncAll(_ command: Command, _ options: Command.SyncOptions) throws(CommandFailure) -> Never {
        // Asked once only: the environment's account is taken out of it.
        let found: [FoundAccount]
        do {
            found = try accounts(nil)
        } catch {
            throw failure(error, of: command, try Places.fromEnvironment())
        }
        if let first = found.first, found.count > 1 || (try? first.account.get()) != nil {
            FailureNotice(places: try Places.fromEnvironment()).clear()
        }
        if found.count > 1 {
            try HeadlessRun(command: command, account: nil).run {
                HeadlessRun.end(await SyncAllCommand(options: options, accounts: found).run())
            }
        }
        let only = try? found.first?.account.get()
        let account = if let only { only } else { try account(for: command) }
        try HeadlessRun(command: command, account: account).run { try await perform(command, account: account) }
    }

    private static func runAccounts(_ options: Command.AccountOptions) throws(CommandFailure) -> Never {
        let places = try Places.fromEnvironment()
        let settings = try SettingsFile.load(places.settingsPath)
        Log.shared.open(places.logPath, level: settings.logLevel)
        let command = AccountCommand(options: options, places: places, settings: settings)
        try HeadlessRun(command: .account(options), account: nil).run { try await command.run() }
    }

    /// The account a command works on; a quiet pass without one tells that once and then daily, too.
    private static func account(for command: Command) throws(CommandFailure) -> Account {
        let places = try Places.fromEnvironment()
        let notice = FailureNotice(places: places)
        do {
            let account = try account(label(of: command))
            if case .syncOnce = command { notice.clear() }
            return account
        } catch {
            throw failure(error, of: command, places)
        }
    }

    /// The failure to find an account; of a quiet pass it is told by its own rule, and ends the program.
    private static func failure(
        _ failure: CommandFailure, of command: Command, _ places: Places
    ) -> CommandFailure {
        guard case .syncOnce(let options) = command, options.quiet else { return failure }
        try? Files.makeDirectory(places.state)
        HeadlessRun.endQuietly(failure, notice: FailureNotice(places: places))
    }

    private static func perform(_ command: Command, account: Account) async throws {
        switch command {
        case .list(let options):
            try check(options.account, account)
            try await ListCommand(options: options, reader: try await filledCache(of: account)).run()
        case .search(let options):
            try check(options.account, account)
            _ = try SearchCommand.filter(options.filter)
            try await SearchCommand(options: options, reader: try await filledCache(of: account)).run()
        case .show(let options):
            try check(options.account, account)
            try await ShowCommand(options: options, account: account).run()
        case .apply(let options):
            try check(options.account, account)
            try await ApplyCommand(options: options, account: account).run()
        case .compose(let options):
            try check(options.account, account)
            try await ComposeCommand(options: options, account: account).run()
        case .send(let options):
            try check(options.account, account)
            try await SendCommand(options: options, account: account).run()
        case .outbox(let options):
            try check(options.account, account)
            try await OutboxCommand(options: options, account: account).run()
        case .syncOnce(let options):
            try check(options.account, account)
            try await SyncCommand(options: options, account: account).run()
        case .rebuildCache(let options):
            try check(options.account, account)
            try await RebuildCommand(options: options, account: account).run()
        case .status, .watch, .interactive, .demo, .config, .account, .doctor, .serve, .help, .version: break
        }
    }

    /// The cache, once a pass has brought something.
    static func filledCache(of account: Account) async throws -> MailReader {
        guard let reader = try MailReader(path: account.cachePath, owner: account.owner) else { throw nothingYet }
        // A pass that the server refused has left a cache that knows nothing.
        if try await reader.mailboxes().isEmpty {
            let status = try await reader.status()
            if !status.isBootstrapped, status.messages == 0 { throw nothingYet }
        }
        return reader
    }

    private static var nothingYet: CommandFailure {
        CommandFailure("No mail is here yet. Run “herald --sync-once”.", .badInput)
    }

    /// The account that a command names.
    private static func label(of command: Command) -> String? {
        switch command {
        case .syncOnce(let options), .rebuildCache(let options): options.account
        case .list(let options): options.account
        case .show(let options): options.account
        case .outbox(let options): options.account
        case .search(let options): options.account
        case .apply(let options): options.account
        case .compose(let options), .send(let options): options.account
        default: nil
        }
    }

    /// Refuses another account than the one that was asked for, which `HERALD_TOKEN` may be.
    private static func check(_ label: String?, _ account: Account) throws(CommandFailure) {
        guard let label, label != account.label else { return }
        throw Accounts.unknown(label)
    }
}
