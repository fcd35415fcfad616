internal import MailModel
internal import MailStorage

/// Pages of a hundred changes applied to a seeded cache.
struct ChangesBench {
    static let pages = 100
    private static let touched = 80
    private static let new = 10

    let cache: SeededCache
    /// The changes fall on this many of the newest messages.
    let reach: Int

    /// Each page reads or unreads 80 messages, brings 10 new ones and removes the 10 of the page before it.
    func run() async throws -> Samples {
        let store = try MailStore(path: cache.path, owner: cache.owner)
        var numbers = SeededNumbers(seed: cache.mail.seed)
        var samples = Samples()
        var added: [MessageID] = []
        for page in 0..<ChangesBench.pages {
            var changes = (0..<ChangesBench.touched).map { touch(page * ChangesBench.touched + $0) }
            changes += added.map { .delete($0) }
            added = []
            for place in 0..<ChangesBench.new {
                let message = arrival(page * ChangesBench.new + place, &numbers)
                changes.append(.upsert(message))
                added.append(message.id)
            }
            let started = ContinuousClock.now
            _ = try await store.commitChanges(changes, cursor: "page \(page)")
            samples.add(ContinuousClock.now - started)
        }
        // The cache is left as it was found, so that the next run does the same work.
        let originals = (0..<(ChangesBench.pages * ChangesBench.touched)).map {
            MessageChange.upsert(cache.mail.message(touchedNumber($0)))
        }
        _ = try await store.commitChanges(added.map { .delete($0) } + originals, cursor: "bench")
        await store.tidy()
        return samples
    }

    /// The number of the nth touched message; no two of a run are the same.
    private func touchedNumber(_ place: Int) -> Int { place * 7_919 % reach }

    /// A read message turned unread or the other way, so that each touch is a change.
    private func touch(_ place: Int) -> MessageChange {
        var message = cache.mail.message(touchedNumber(place))
        message.readAt = message.readAt == nil ? message.createdAt : nil
        return .upsert(message)
    }

    /// A new message in a thread that is there.
    private func arrival(_ number: Int, _ numbers: inout SeededNumbers) -> MessageSummary {
        var message = cache.mail.message(Int.random(in: 0..<reach, using: &numbers))
        message.id = MessageID("msg_new_\(number)")
        message.readAt = nil
        return message
    }
}
