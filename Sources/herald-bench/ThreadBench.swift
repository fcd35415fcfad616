internal import MailModel
internal import MailStorage
internal import Platform
internal import TerminalTestSupport

/// Opening and walking through one long conversation, in the real program on a real terminal.
struct ThreadBench {
    static let messages = 500
    static let runs = 15
    private static let linesOfText = 60

    let program: String
    let home: String

    /// How long opening takes, and going from either end to the other with every message unfolded.
    func run() async throws -> (opening: Samples, ends: Samples) {
        try await prepare()
        defer { Files.removeTree(home) }
        var environment = [
            "HERALD_HOME": home, "HERALD_ORIGIN": SeededCache.origin, "HERALD_TOKEN": SeededCache.token,
            "TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin",
        ]
        environment["HOME"] = home
        let terminal = try VirtualTerminal(
            program, arguments: ["--offline"], environment: environment, columns: 110, rows: 40)
        guard terminal.waitFor(MadeMail.subjectStart, ceiling: 30) else { throw BenchError("no list was shown") }
        var (opening, ends) = (Samples(), Samples())
        for _ in 0..<ThreadBench.runs {
            try press("\r", until: "/\(ThreadBench.messages)", terminal, &opening)
            try press("G", until: "end of \(ThreadBench.messages)", terminal, &ends)
            try press("gg", until: "begin of 1 here", terminal, &ends)
            var ignored = Samples()
            try press("q", until: "1 of 1", terminal, &ignored)
        }
        terminal.send("Q")
        _ = terminal.waitForExit(ceiling: 10)
        return (opening, ends)
    }

    private func press(
        _ keys: String, until text: String, _ terminal: VirtualTerminal, _ samples: inout Samples
    ) throws {
        let started = ContinuousClock.now
        terminal.send(keys)
        guard terminal.waitFor(text, ceiling: 10) else { throw BenchError("“\(keys)” did nothing") }
        samples.add(ContinuousClock.now - started)
    }

    private func prepare() async throws {
        Files.removeTree(home)
        try Files.makeDirectory(home + "/cache/127.0.0.1-1")
        let owner = SeededCache.owner(SeededCache.origin, SeededCache.token)
        let store = try MailStore(path: SeededCache.path(home, SeededCache.origin), owner: owner)
        _ = try await store.replaceMailboxes(MadeMail.mailboxes)
        try await store.beginBootstrap(cursor: "bench")
        let details = (1...ThreadBench.messages).map(ThreadBench.message)
        let page = ListingPage(listing: .folder(.inbox), messages: details.map(\.summary), next: nil)
        let ends = Folder.stored.filter { $0 != .inbox }.map {
            ListingPage(listing: .folder($0), messages: [], next: nil)
        }
        _ = try await store.commitPages([page] + ends)
        _ = try await store.finishBootstrap()
        try await store.commitDetails(details)
        await store.tidy()
    }

    /// One message of the conversation, unread, so that it is shown whole.
    private static func message(_ number: Int) -> MessageDetail {
        let at = Timestamp(millisecondsSinceEpoch: 1_790_000_000_000 + Int64(number) * 60_000)
        let summary = MessageSummary(
            id: MessageID("msg_\(number)"), threadID: ThreadID("thr_bench"), mailboxID: MadeMail.mailboxes[0].id,
            direction: .inbound, folder: Folder.inbox.rawValue, fromAddress: "person\(number)@example.org",
            to: [MadeMail.mailboxes[0].address], subject: "\(MadeMail.subjectStart) of long threads",
            snippet: "begin of \(number) and more", receivedAt: at, sentAt: nil, readAt: nil, starredAt: nil,
            hasAttachments: false, createdAt: at)
        let line = "A line of text about the order, the delivery and https://www.example.org/\(number)."
        let lines = ["begin of \(number) here"] + (0..<linesOfText).map { "\($0) \(line)" } + ["end of \(number)"]
        return MessageDetail(
            summary: summary, cc: [], bcc: [], deliveredToAddress: nil, textBody: lines.joined(separator: "\n"),
            htmlAvailable: false, internetMessageID: "<\(number)@example.org>",
            inReplyTo: number > 1 ? "<\(number - 1)@example.org>" : nil, references: [], attachments: [])
    }
}
