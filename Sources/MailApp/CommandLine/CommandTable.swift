internal import MailModel

/// The one table of the command line that `--help` and the pages are made from.
package enum CommandTable {
    /// Every form, in the order they are listed.
    package static let all: [CommandForm] = [
        interactive, demo, syncOnce, rebuildCache, list, show, search, apply, compose, send, status, watch, outbox,
        account, config, doctor, serve, help, version,
    ]

    /// The form a word begins; `nil` when none does.
    static func form(_ word: String) -> CommandForm? { all.first { $0.isNamed(word) } }

    private static let json = CommandForm.Option(
        "--json", "Print JSON with a version; control and bidirectional characters are escaped.")
    private static let label = CommandForm.Option(
        "--account", value: "LABEL", "Only the account of this name.")
    private static let one = CommandForm.Option(
        "--account", value: "LABEL", "The account of this name; not needed while there is only one.")
    private static let quiet = CommandForm.Option(
        "--quiet -q", "Print nothing on success, and one line when a failure begins, then daily while it lasts.")

    private static let plain = CommandForm.Option(
        "--plain", "One pane of plain lines without colour or drawing, for screen readers and braille displays.")

    private static let interactive = CommandForm(
        "", "",
        [
            CommandForm.Option("--account", value: "LABEL", "Show the account of this name first."),
            CommandForm.Option("--offline", "Show the cache and contact no server; nothing is fetched, and $ says so."),
            CommandForm.Option("--draft", value: "ID", "Open the draft of this id for writing."), plain,
        ],
        "Read mail in the terminal; what is new is fetched beside it.",
        [
            "The cache is shown at once. The key ? lists the keys; herald-keys(7) has them all.",
            "Without an account, it shows how to sign in. With several, all are fetched side by side; gA and A-1 to "
                + "A-9 go from one to the other, and gI shows the inbox of all.",
        ])

    private static let demo = CommandForm(
        "--demo", "", [plain], "Open the mail of a made-up team, on a local server that ends with it.",
        ["Needs no account. Nothing of it is kept."])

    private static let syncOnce = CommandForm(
        "--sync-once", "",
        [
            label, quiet, json,
            CommandForm.Option(
                "--deadline", value: "SECONDS", "End with code 75 after so long; the next pass continues there."),
        ],
        "Fetch what is new, once, and exit.",
        [
            "Works without a terminal and with an almost empty environment, as cron has it. "
                + "With --json the number of rows inserted, updated and deleted is printed for each account.",
            "With several accounts a pass of each is made, side by side, unless --account names one. The exit code is "
                + "then the worst: 70, 74, 73, 1, 78, 77, 76, 80, 64, 65, 69, 75, 79, in this order; with --json an "
                + "account that failed has error and exitCode in place of the numbers.",
            "After the pass, bodies are fetched ahead as sync.bodies says: those of at most 200 conversations, or "
                + "as many as the deadline leaves time for.",
        ])

    private static let rebuildCache = CommandForm(
        "--rebuild-cache", "",
        [
            CommandForm.Option("--sync-once", "Exit afterwards also on a terminal."), label,
            CommandForm.Option("--quiet -q", "Print nothing on success."),
            CommandForm.Option(
                "--deadline", value: "SECONDS", "End with code 75 after so long; the old cache stays then."),
        ],
        "Fetch everything again into a new file and swap it for the old one when it is complete.",
        [
            "The old cache stays when the server cannot be reached, and bodies it holds are taken over. On a terminal, shows its progress and then "
                + "opens Herald."
        ])

    private static let ids = CommandForm.Option(
        "--ids", "Print only ids, one a line; of a conversation that of the message shown.")

    private static let list = CommandForm(
        "list", "mailboxes|conversations|messages|drafts",
        [
            CommandForm.Option("--mailbox", value: "ADDRESS", "Only this mailbox, by its address or id."),
            CommandForm.Option(
                "--folder", value: "FOLDER", "Only this folder; the inbox unless said. Not for mailboxes."),
            CommandForm.Option("--limit", value: "N", "At most so many items; 50 unless said, and all mailboxes."),
            CommandForm.Option("--all", "Every folder, and no limit."), ids, one, json,
        ],
        "Print what the cache holds, newest first, without using the network.",
        ["FOLDER is " + Folder.allCases.map(\.rawValue).joined(separator: ", ") + "."])

    private static let show = CommandForm(
        "show", "MESSAGE_ID",
        [
            CommandForm.Option("--plain", "Exactly the text the reader shows; so without any of the three."),
            CommandForm.Option("--html", "The HTML of the message."), json,
            CommandForm.Option("--width", value: "N", "Wrap the text at so many columns; 80 unless said."),
            CommandForm.Option("--offline", "Do not fetch a text that is not here."), one,
        ],
        "Print one message.", ["A text that is not cached is fetched first."])

    private static let search = CommandForm(
        "search", "FILTER...",
        [
            CommandForm.Option("--mailbox", value: "ADDRESS", "Only this mailbox, by its address or id."),
            CommandForm.Option("--folder", value: "FOLDER", "Only this folder; all but the trash unless said."),
            CommandForm.Option("--limit", value: "N", "At most so many messages; 50 unless said."), ids, one, json,
        ],
        "Print the cached messages that a filter means, newest first, without using the network.",
        [
            "The words make up one filter, such as from:ann is:unread older:30d; herald-filter(7) tells all of it. A "
                + "shell takes quotes for itself, so a filter with quotes needs quotes around it. A filter that is wrong "
                + "ends with code 65.",
            "Texts are searched as far as they have been fetched: what is lacking is told on standard error, and with "
                + "--json as coverage.",
        ])

    private static let apply = CommandForm(
        "apply", "read|unread|star|unstar|archive|unarchive|trash|restore",
        [
            CommandForm.Option(
                "--where", value: "FILTER", "Which messages, see herald-filter(7); several must all fit.",
                repeatable: true),
            CommandForm.Option("--dry-run", "Only print which messages would be changed; the server is not asked."),
            CommandForm.Option("--max", value: "N", "Do nothing when more than N messages would be changed."),
            CommandForm.Option(
                "--if", value: "FILTER", "Ask the server right before each, and leave out what does not fit there.",
                repeatable: true),
            CommandForm.Option("--mailbox", value: "ADDRESS", "Only this mailbox, by its address or id."),
            CommandForm.Option("--folder", value: "FOLDER", "Only this folder, in place of inbox and catch-all."),
            CommandForm.Option("--offline", "Only queue; a later pass sends it."), label, json,
        ],
        "Do one thing to every cached message that a filter means.",
        [
            "The messages are those of the last pass, which is told; of the inbox and the catch-all folder, unless "
                + "--folder or in: names another. Each is an operation of its own in the outbox, with its own verdict, "
                + "and all together are one step to undo. They are printed, the newest first: the id, two blanks, and what “list” "
                + "prints of a message; “cut -d' ' -f1” leaves the ids.",
            "Messages that are so already are left out. --if is kept with each operation, and the server is asked when "
                + "it is sent, however late that is; ages in it count from now. What does not fit then ends in the "
                + "journal. A message may still change between that look and the action.",
            "The code is 79 when operations remain, 80 when the server refused one, 77 when messages may only be read, "
                + "and 65 for a wrong filter or too many messages; nothing is done then. A signal ends it at once and "
                + "tells what remains queued.",
        ])

    private static let status = CommandForm(
        "status", "",
        [
            CommandForm.Option("--unread", "Print the number of unread messages in the inboxes and nothing else."),
            label,
            json,
        ],
        "Print how the accounts stand: mode, last pass, and what is cached.",
        [
            "The mode is synced, offline, signedOut or bootstrapping. With --json, events is listening while a terminal "
                + "program listens to the server, idle while none does, and none where the server does not offer them; "
                + "consecutiveFailures counts the passes that have failed since the last good one. "
                + "The network is not used.",
            "The number of --unread is for a status bar, and takes milliseconds at any amount of mail. An account that "
                + "cannot be counted is told of on standard error, and by the code.",
        ])

    private static let watch = CommandForm(
        "watch", "",
        [
            CommandForm.Option(
                "--query", value: "QUERY", "Print this answer, and again whenever it changes.", repeatable: true),
            CommandForm.Option("--events", "Print what happens also with --query; without it that is all."),
            CommandForm.Option("--mailbox", value: "ADDRESS", "Ask about this mailbox, by its address or id."),
            CommandForm.Option("--folder", value: "FOLDER", "Ask about this folder; the inbox unless said."),
            CommandForm.Option("--thread", value: "ID", "The conversation that is meant by --query conversation."),
            CommandForm.Option("--limit", value: "N", "At most so many items; 50 unless said."), label, json,
        ],
        "Print what happens to mail, and answers that stay true, as lines of JSON.",
        [
            "QUERY is " + Command.WatchOptions.Query.allCases.map(\.rawValue).joined(separator: ", ") + ".",
            "An answer is printed at once and again after each commit that changes it, by any process. Nothing is "
                + "fetched: a terminal program or cron does that. The lines are JSON also without --json; "
                + "docs/watch.md has their members.",
            "It ends with the process that reads it, or by a signal.",
        ])

    private static let outbox = CommandForm(
        "outbox", "list|retry|drop|journal|adopt|show|send-again|keep|sent ID",
        [
            CommandForm.Option("--all", "Everything that waits; drop needs it unless operations are named."), label,
            json,
        ],
        "Show what waits for the server, try it again, give it up, and tell what was refused.",
        [
            "list, which is meant unless another word is said, prints what waits; show all of one operation. retry "
                + "sends what waits now, or only has the operations that are named tried again whatever they wait for. drop gives up what is named: the messages are then as "
                + "the server has them. journal tells what ended without being done, and why.",
            "Mail is held when its draft was changed elsewhere, when somebody of the team has written meanwhile, or when "
                + "the program ended before its time; of mail that is unknown, nobody knows whether the server has sent "
                + "it, and its copy is looked for. send-again sends what is named, after one more look; keep, or drop, "
                + "makes it a draft again; sent says that it was sent, and lets the draft go. Without a word of yours "
                + "nothing is ever sent twice.",
            "What was queued by another sign-in at the same server is not sent until adopt says so; until then the other "
                + "words end with 78. adopt and then drop --all gives it up.",
            "With retry and send-again, the code is 79 when something remains, and 80 when the server refused something.",
        ])

    private static let account = CommandForm(
        "account", "add ORIGIN|list|check|remove",
        [
            CommandForm.Option(
                "--name --account", value: "LABEL",
                "The account's name: for a new one by default that of its server, else the only one."),
            CommandForm.Option("--browser", "With add: sign in with a browser on this machine, without a code."),
            CommandForm.Option("--keep-cache", "With remove: leave the mail here, to be read without the server."),
            CommandForm.Option("--remove-cache", "With remove: remove the mail here; so unless said otherwise."),
            CommandForm.Option(
                "--discard", value: "N", "With remove: give up the changes that were not sent, which are N."), json,
        ],
        "Sign in to a server, show what there is, or sign out.",
        [
            "add shows a code to type in a browser, on this device or another, and waits until it is approved. "
                + "With --browser, a browser on this machine opens, and brings the answer back over loopback. "
                + "Signing in again to the same server renews the sign-in and keeps the mail.",
            "The tokens are where token_store says: in a file that only its owner can read, or in the desktop's "
                + "keyring. With token_command, add takes the bearer which that program prints.",
            "check asks the server which mailboxes the sign-in opens, and tells where its tokens are, how old it is and "
                + "when it is due. remove takes the sign-in back and removes the mail here, which stays on the server.",
        ])

    private static let doctor = CommandForm(
        "doctor", "", [json], "Check this machine, the settings, the accounts and their files, a line each.",
        [
            "Each line says what was looked at, how it stands, and what to do. No address, subject, file name or token "
                + "is in it, so it can be shown to others. Ends with 1 when something must be mended. Servers are asked "
                + "for a few seconds only."
        ])

    private static let config = CommandForm(
        "config", "[path]", [json], "Print the settings in force and where each comes from.",
        [
            "The output can serve as a settings file. With path, prints where that file is looked for; this works "
                + "also while the file is wrong. The settings are in herald-config(5)."
        ])

    private static let serve = CommandForm(
        "serve", "",
        [
            CommandForm.Option("--port", value: "N", "Listen on this loopback port; 0 takes a free one."),
            CommandForm.Option("--port-file", value: "FILE", "Write the port's number to a file."),
            CommandForm.Option("--control-file", value: "FILE", "Write the port of a second interface, for tests."),
            CommandForm.Option("--state", value: "DIR", "Keep the mail in this directory."),
            CommandForm.Option("--tier", value: "main|1.2", "Behave like this version of HQBase."),
            CommandForm.Option(
                "--order-defect", "Lose changes as the real server does when its counter gets a digit longer."),
            CommandForm.Option("--no-events", "Leave out the live events, which HQBase does not have."),
            CommandForm.Option(
                "--demo-users", "Accept five well-known tokens, one for each kind of person. Brings no mail."),
            CommandForm.Option(
                "--import", value: "PATH --to ADDRESS",
                "Import an mbox, a Maildir, an .eml file, a folder of them, or a .jsonl file of payloads.",
                repeatable: true),
        ],
        "Run herald-server: the server's interface on loopback, for trying, testing and reading an archive.",
        [
            "Without --demo-users the owner's random token is written to a file that is named on standard output. "
                + "It is not a mail server.",
            "The tokens of --demo-users are hqb_access_owner and hqb_access_admin, who see all mail; hqb_access_member "
                + "and hqb_access_viewer, who see what they were given; and hqb_access_nogrant, who may see none. Their "
                + "mailboxes, info@example.test and others, are empty until something is imported to them.",
            "To sign in as with a real server, type “herald account add http://127.0.0.1:PORT” and open the address "
                + "it shows in a browser: owner@hqbase.test, and with --demo-users also admin@, member@, viewer@ and "
                + "nogrant@, all with the password correct-horse-battery. Without --demo-users the owner's password is "
                + "the token. A script approves the newest code with POST /approve?user=owner on the port of "
                + "--control-file, where user is one of those names.",
            "Files of a folder that hold no mail are passed over. What each import did is told on standard error.",
        ])

    private static let help = CommandForm(
        "--help", "[COMMAND]", [], "Print how the program is called, or a command's options.")

    private static let version = CommandForm("--version", "", [], "Print the version.")
}
