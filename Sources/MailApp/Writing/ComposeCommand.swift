internal import Glibc
internal import MailCompose
internal import MailModel
internal import Platform
internal import TerminalDriver

/// `herald compose`: begins a draft by the words of a command line, and opens the terminal program on it.
struct ComposeCommand {
    let options: Command.WriteOptions
    let account: Account

    /// Tells the program that begins anew what the link asked for in vain.
    static let leftOutVariable = "HERALD_LEFT_OUT"

    func run() async throws {
        guard isatty(0) == 1, isatty(1) == 1 else {
            throw CommandFailure(TerminalError.notATerminal.message, .usage)
        }
        let made = try await DraftMaking(options: options, account: account).run()
        let session = try Session(account: account)
        let draft = try await session.keepDraft(made)
        session.close()
        // The terminal program must be there before any other thread, so it begins anew.
        account.toEnvironment()
        if let leftOut = options.mailto.flatMap(MailtoURL.leftOut) {
            Environment.set(ComposeCommand.leftOutVariable, leftOut.rawValue)
        }
        ThisProgram.begin(["--account", account.label, "--draft", draft.id.rawValue])
        throw CommandFailure("The draft is kept, but Herald could not be opened.", .failed)
    }
}
