internal import Glibc
internal import MailModel
internal import Platform

/// One question to Herald, notmuch and mu on the same text, each by its command: start, search, print, end.
struct SearchPeersBench {
    /// So many messages have the accounts whose numbers are known of the peers.
    static let count = 68_000
    private static let runs = 20

    /// What is asked for, in each program's words.
    struct Question {
        let herald: String
        let notmuch: String
        let mu: String
    }

    static let questions = [
        Question(herald: "\"invoice\"", notmuch: "invoice", mu: "invoice"),
        Question(herald: "invo", notmuch: "invo*", mu: "invo*"),
        Question(herald: "i", notmuch: "i*", mu: "i*"),
        Question(herald: "zebra", notmuch: "zebra", mu: "zebra"),
        Question(herald: "winter garden", notmuch: "winter and garden", mu: "winter and garden"),
        Question(
            herald: "from:person77@example.org", notmuch: "from:person77@example.org",
            mu: "from:person77@example.org"),
        Question(
            herald: "subject:contract -printer", notmuch: "subject:contract and not printer",
            mu: "subject:contract and not printer"),
        Question(
            herald: "before:2026-09-01 budget", notmuch: "date:..2026-08-31 budget", mu: "date:..2026-08-31 budget"),
    ]

    let program: String
    let cache: SeededCache
    let environment: [String: String]

    private var mailDirectory: String { cache.home + "/maildir" }
    private var muHome: String { cache.home + "/mu" }
    private var variables: [String] {
        environment.map { "\($0.key)=\($0.value)" } + [
            "HOME=\(cache.home)", "NOTMUCH_CONFIG=\(cache.home)/notmuch-config", "TZ=UTC",
        ]
    }

    /// Writes the cache's text as a Maildir and has both programs index it, once.
    func prepare() throws {
        let mark = cache.home + "/peers"
        if Files.isRegular(mark) { return }
        for program in ["/usr/bin/notmuch", "/usr/bin/mu"] where !Files.isRegular(program) {
            throw BenchError("\(program) is not installed")
        }
        Report.note("Writing a Maildir of \(cache.count) messages and indexing it; it is kept for later runs.")
        Files.removeTree(mailDirectory)
        for part in ["cur", "new", "tmp"] { try Files.makeDirectory("\(mailDirectory)/\(part)") }
        for number in 0..<cache.count {
            try Files.replace("\(mailDirectory)/cur/\(number):2,S", with: Array(text(number).utf8), isSynced: false)
        }
        let config = "[database]\npath=\(mailDirectory)\n[user]\nname=bench\nprimary_email=info@example.test\n"
        try Files.replace(cache.home + "/notmuch-config", with: Array(config.utf8))
        try run(["/usr/bin/notmuch", "new", "--quiet"])
        try run(["/usr/bin/mu", "init", "--muhome=\(muHome)", "--maildir=\(mailDirectory)"])
        try run(["/usr/bin/mu", "index", "--muhome=\(muHome)", "--quiet"])
        try Files.replace(mark, with: [])
    }

    private func text(_ number: Int) -> String {
        let message = cache.mail.message(number)
        var seconds = time_t(message.activityAt.secondsSinceEpoch ?? 0)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var date = [CChar](repeating: 0, count: 64)
        strftime(&date, date.count, "%a, %d %b %Y %H:%M:%S +0000", &parts)
        let text = String(decoding: date.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return """
            From: \(message.fromAddress)
            To: \(message.to.joined(separator: ", "))
            Subject: \(message.subject)
            Date: \(text)
            Message-ID: <\(message.id)@example.test>

            \(message.snippet)

            """
    }

    private func run(_ arguments: [String]) throws {
        let code = try ChildProcess(arguments, environment: variables).wait()
        // Both end with others when nothing is found.
        guard code == 0 || code == 2 || code == 4 else { throw BenchError("\(arguments[0]) ended with \(code)") }
    }

    /// The times of each program, by turns.
    func run(_ question: Question) throws -> (herald: Samples, notmuch: Samples, mu: Samples) {
        var found = (herald: Samples(), notmuch: Samples(), mu: Samples())
        let most = "\(SearchBench.hits)"
        for _ in 0..<SearchPeersBench.runs {
            found.herald.add(try time([program, "search", "--limit", most, question.herald]))
            found.notmuch.add(
                try time(["/usr/bin/notmuch", "search", "--limit=\(most)", "--output=summary", question.notmuch]))
            found.mu.add(
                try time([
                    "/usr/bin/mu", "find", "--muhome=\(muHome)", "--maxnum=\(most)", "--sortfield=date", "--reverse",
                    question.mu,
                ]))
        }
        return found
    }

    private func time(_ arguments: [String]) throws -> Duration {
        let started = ContinuousClock.now
        try run(arguments)
        return ContinuousClock.now - started
    }
}
