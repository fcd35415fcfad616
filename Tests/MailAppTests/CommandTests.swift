import MailModel
import Testing

@testable import MailApp

private func parse(_ line: String) throws(CommandFailure) -> Command {
    var parser = CommandParser(line.split(separator: " ").map(String.init))
    return try parser.parse()
}

private func sync(
    quiet: Bool = false, json: Bool = false, deadline: Int? = nil, once: Bool = true
) -> Command.SyncOptions {
    Command.SyncOptions(quiet: quiet, json: json, deadlineSeconds: deadline, isOnce: once)
}

@Test func `a command line is read`() throws {
    let table: [(String, Command)] = [
        ("", .interactive(Command.TerminalOptions())),
        ("--offline", .interactive(Command.TerminalOptions(isOffline: true))),
        ("--plain", .interactive(Command.TerminalOptions(isPlain: true))), ("--help", .help(nil)),
        ("-h", .help(nil)), ("help", .help(nil)), ("help list", .help("list")),
        ("--help sync-once", .help("--sync-once")),
        ("list messages --help", .help("list")), ("--sync-once -h", .help("--sync-once")),
        ("serve --help", .help("serve")), ("--offline --help", .help(nil)),
        ("config", .config(Command.ConfigOptions())),
        ("config --json", .config(Command.ConfigOptions(json: true))),
        ("config path", .config(Command.ConfigOptions(pathOnly: true))), ("--version", .version), ("-V", .version),
        ("--demo", .demo(Command.TerminalOptions())),
        ("--demo --plain", .demo(Command.TerminalOptions(isPlain: true))),
        ("--sync-once", .syncOnce(sync())), ("--sync-once -q --json", .syncOnce(sync(quiet: true, json: true))),
        ("--deadline 30 --sync-once", .syncOnce(sync(deadline: 30))),
        ("--rebuild-cache", .rebuildCache(sync(once: false))),
        ("--rebuild-cache --sync-once --quiet", .rebuildCache(sync(quiet: true))),
        ("list mailboxes", .list(Command.ListOptions(kind: .mailboxes, limit: nil))),
        (
            "list messages --mailbox a --folder sent --limit 5 --json",
            .list(
                Command.ListOptions(
                    kind: .messages, mailbox: "a", folder: .sent, limit: 5, json: true))
        ),
        ("list messages --folder Archive", .list(Command.ListOptions(kind: .messages, folder: .archived))),
        ("list messages --folder catch-all", .list(Command.ListOptions(kind: .messages, folder: .catchall))),
        ("list drafts --all", .list(Command.ListOptions(kind: .drafts, all: true))),
        ("show m1", .show(Command.ShowOptions(id: "m1"))),
        (
            "show --html m1 --width 100 --offline",
            .show(Command.ShowOptions(id: "m1", form: .html, width: 100, offline: true))
        ),
        ("status", .status(Command.StatusOptions())),
        ("status --json --account a", .status(Command.StatusOptions(json: true, account: "a"))),
        ("--account a", .interactive(Command.TerminalOptions(account: "a"))),
        ("show m1 --account a", .show(Command.ShowOptions(id: "m1", account: "a"))),
        ("serve --port 1 x", .serve(["--port", "1", "x"])),
    ]
    for (line, command) in table { #expect(try parse(line) == command, "\(line)") }
}

@Test(arguments: [
    "--nonsense", "extra", "--demo x", "--offline --sync-once", "--rebuild-cache --offline", "--rebuild-cache --json",
    "--quiet", "--json",
    "--deadline 5", "--sync-once --deadline", "--sync-once --deadline 0", "--sync-once --deadline x",
    "--sync-once --deadline 86401", "list", "list things", "list messages --folder attic", "list messages --folder",
    "list messages --limit 0", "list mailboxes --folder inbox", "list drafts --folder sent", "list messages --limit -1",
    "list messages x", "show", "show --html", "show a b",
    "show a --width 19", "config x", "config path --json", "help nonsense", "show a --width 1001", "show a --what",
    "status x", "status --json x",
    "list messages --all --limit 3", "--version x", "-V --json", "show a --html --plain", "show a --json --html",
])
func `a wrong command line is a usage error in sentences`(_ line: String) {
    do {
        _ = try parse(line)
        Issue.record("It was taken.")
    } catch {
        #expect(error.exitCode == .usage)
        #expect(error.message.hasSuffix("."))
    }
}
