internal import MailFilter
internal import MailModel
internal import MailStorage

/// Searching a seeded cache as a person types.
struct SearchBench {
    private static let runs = 3
    /// Common words, a rare address, words in a row and a word that no mail has.
    private static let typed = [
        "invoice", "printer", "person4321@example.org", "zebra", "from:person77 invoice", "winter garden travel",
        "is:unread subject:contract -printer",
    ]

    let cache: SeededCache

    /// The first hits of every beginning of every text that is a filter.
    func run() async throws -> Samples {
        guard let reader = try MailReader(path: cache.path, owner: cache.owner) else {
            throw BenchError("the cache did not open")
        }
        let clock = FilterClock(nowMilliseconds: 1_790_000_000_000, zone: ZoneOffsets(fixed: 0))
        var samples = Samples()
        for text in SearchBench.typed {
            for length in 1...text.count {
                guard let filter = try? FilterParser.parse(String(text.prefix(length))) else { continue }
                let question = SearchQuestion(filter, clock: clock, limit: 50)
                for _ in 0..<SearchBench.runs {
                    let started = ContinuousClock.now
                    _ = try await reader.conversations(in: ListScope(folder: .inbox), question)
                    samples.add(ContinuousClock.now - started)
                }
            }
        }
        return samples
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
