internal import MailModel
internal import MailStorage

/// Searching the inbox of a seeded cache as a person types.
struct SearchBench {
    private static let runs = 5
    /// Common words, a rare address and a word that no mail has.
    private static let typed = ["invoice", "printer", "person4321@example.org", "zebra"]

    let cache: SeededCache

    /// The first hits of every beginning of every word.
    func run() async throws -> Samples {
        guard let reader = try MailReader(path: cache.path, owner: cache.owner) else {
            throw BenchError("the cache did not open")
        }
        var samples = Samples()
        for word in SearchBench.typed {
            for length in 1...word.count {
                for _ in 0..<SearchBench.runs {
                    let started = ContinuousClock.now
                    _ = try await reader.conversations(
                        in: ListScope(folder: .inbox), words: [String(word.prefix(length))], limit: 50)
                    samples.add(ContinuousClock.now - started)
                }
            }
        }
        return samples
    }
}
