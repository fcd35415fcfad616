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
        case .interactive(let options): TerminalProgram.run(try account(), options, demo: nil)
        case .account(let options): try runAccounts(options)
        case .doctor(let json): try HeadlessRun(command: command, account: nil).run { try await Doctor.run(json: json) }
        case .list, .show, .search, .apply, .status, .outbox, .syncOnce, .rebuildCache:
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
            guard case .syncOnce(let options) = command, options.quiet else { throw error }
            try? Files.makeDirectory(places.state)
            HeadlessRun.endQuietly(error, notice: notice)
        }
    }

    private static func perform(_ command: Command, account: Account) async throws {
        switch command {
        case .list(let options):
            try await ListCommand(options: options, reader: try await filledCache(of: account)).run()
        case .search(let options):
            _ = try SearchCommand.filter(options.filter)
            try await SearchCommand(options: options, reader: try await filledCache(of: account)).run()
        case .show(let options): try await ShowCommand(options: options, account: account).run()
        case .status(let json): try await StatusCommand(json: json, account: account).run()
        case .apply(let options):
            try check(options.account, account)
            try await ApplyCommand(options: options, account: account).run()
        case .outbox(let options):
            try check(options.account, account)
            try await OutboxCommand(options: options, account: account).run()
        case .syncOnce(let options):
            try check(options.account, account)
            try await SyncCommand(options: options, account: account).run()
        case .rebuildCache(let options):
            try check(options.account, account)
            try await RebuildCommand(options: options, account: account).run()
        case .interactive, .demo, .config, .account, .doctor, .serve, .help, .version: break
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
        case .outbox(let options): options.account
        case .apply(let options): options.account
        default: nil
        }
    }

    /// Refuses another account than the one that was asked for, which `HERALD_TOKEN` may be.
    private static func check(_ label: String?, _ account: Account) throws(CommandFailure) {
        guard let label, label != account.label else { return }
        throw Accounts.unknown(label)
    }
}
