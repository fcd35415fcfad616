internal import MailFilter
internal import MailModel
internal import MailStorage

/// Searching a seeded cache as a person types.
struct SearchBench {
    private static let runs = 3
    /// The hits that a screen shows.
    static let hits = 50

    /// Filters of one kind, which are typed letter by letter.
    struct Kind {
        let name: String
        let typed: [String]
    }

    static let kinds = [
        // Common words, a rare address, words in a row and a word that no mail has.
        Kind(
            name: "words",
            typed: [
                "invoice", "printer", "person4321@example.org", "zebra", "from:person77 invoice",
                "winter garden travel", "\"garden travel\"", "subject:contract to:person12 budget",
            ]),
        // From what nearly all mail is to what none is.
        Kind(
            name: "fields",
            typed: [
                "is:unread", "is:read", "is:starred", "is:draft", "older:30d", "older:2y", "newer:1d", "newer:1h",
                "before:2024-02", "after:2026-09-20", "is:unanswered older:3d", "-is:unanswered -is:sent",
                "has:attachment is:starred is:unread in:catchall", "mailbox:sales is:unread older:2y",
                "mailbox:nobody", "older:3y or is:draft", "in:trash is:starred -has:attachment newer:1y",
            ]),
        Kind(
            name: "words and fields",
            typed: [
                "is:unread subject:contract -printer", "invoice older:1y", "person77 is:starred", "zebra or is:draft",
                "before:2024 person4321", "-invoice", "-zebra",
                "is:starred in:catchall has:attachment is:unread invoice",
                "newer:1d printer", "(zebra or person77) is:unread", "mailbox:support from:person9 older:1y",
            ]),
    ]

    let cache: SeededCache

    /// The first hits of every beginning of every text that is a filter, and the filter that took longest.
    func run(_ kind: Kind) async throws -> (times: Samples, slowest: (text: String, median: Double)) {
        guard let reader = try MailReader(path: cache.path, owner: cache.owner) else {
            throw BenchError("the cache did not open")
        }
        let clock = FilterClock(nowMilliseconds: MadeMail.newest, zone: ZoneOffsets(fixed: 0))
        var samples = Samples()
        var slowest = (text: "", median: 0.0)
        for text in kind.typed {
            for length in 1...text.count {
                guard let filter = try? FilterParser.parse(String(text.prefix(length))) else { continue }
                let question = SearchQuestion(filter, clock: clock, limit: SearchBench.hits)
                var times = Samples()
                for _ in 0..<SearchBench.runs {
                    let started = ContinuousClock.now
                    _ = try await reader.conversations(in: ListScope(folder: .inbox), question)
                    times.add(ContinuousClock.now - started)
                }
                samples.add(times)
                if times.median > slowest.median { slowest = (filter.text, times.median) }
            }
        }
        return (samples, slowest)
    }
}

extension SeededCache {
    /// Puts all messages into the search index; answers how many a second when there was anything to do.
    func index() async throws -> Double? {
        let store = try MailStore(path: path, owner: owner)
        let started = ContinuousClock.now
        var count = 0
        while true {
            let work = try await store.searchWork()
            let hasMoreGone = try await store.commitSearch(work.map { $0.words { text, _ in text } })
            count += work.count
            if work.isEmpty, !hasMoreGone { break }
        }
        await store.tidy()
        let parts = (ContinuousClock.now - started).components
        return count > 0 ? Double(count) / (Double(parts.seconds) + Double(parts.attoseconds) / 1e18) : nil
    }
}
