import MailModel
import MailStorage
import Testing

/// New mail that nobody was told of yet.
struct ArrivalTests {
    /// A listed cache with one message, as after a first pass.
    private func listed(_ messages: [MessageSummary] = [message("old", created: 0)]) async throws -> Bench {
        let bench = try Bench()
        _ = try await bench.store.replaceMailboxes([mailbox("a"), mailbox("b")])
        try await bench.store.beginBootstrap(cursor: "c0")
        _ = try await bench.store.commitPages(
            Folder.stored.map {
                ListingPage(listing: .folder($0), messages: $0 == .inbox ? messages : [], next: nil)
            })
        _ = try await bench.store.finishBootstrap()
        try await bench.store.passEnds()
        return bench
    }

    private func claimed(_ store: MailStore) async throws -> [String] {
        try await store.claimArrivals().map(\.message.id.rawValue)
    }

    /// Fails when two processes tell of one message, or mail is taken for old by the date its sender wrote.
    @Test func `what the feed brings is claimed once, whatever its date`() async throws {
        let bench = try await listed()
        let other = try MailStore(path: bench.path, owner: "test")
        var past = message("past", created: 9_000)
        past.receivedAt = Timestamp("2003-01-01T00:00:00.000Z")
        var future = message("future", mailbox: nil, created: 9_000)
        future.receivedAt = Timestamp("2099-01-01T00:00:00.000Z")

        try await bench.put(past, future)

        let arrivals = try await other.claimArrivals()
        #expect(arrivals.map(\.message.id.rawValue) == ["past", "future"])
        #expect(arrivals.map(\.mailboxAddress) == ["a@x.example", nil])
        #expect(try await claimed(bench.store) == [])
        #expect(try await claimed(other) == [])
    }

    /// Fails when people are told of what is not mail for them to read.
    @Test func `sent, read and filed mail is no news`() async throws {
        let bench = try await listed()

        try await bench.put(
            message("sent", folder: "sent", created: 9_000), message("read", read: true, created: 9_000),
            message("filed", folder: "archived", created: 9_000), message("thrown", folder: "trash", created: 9_000))
        #expect(try await claimed(bench.store) == [])

        try await bench.put(message("caught", folder: "catchall", created: 9_000))
        #expect(try await claimed(bench.store) == ["caught"])
    }

    /// Fails when a first or a repairing listing is told as news.
    @Test func `what a listing brings is no news`() async throws {
        let bench = try await listed()
        #expect(try await claimed(bench.store) == [])

        try await bench.store.beginRelisting(.repair)
        _ = try await bench.store.commitRelisting([message("repaired", created: 9_000)], next: nil, at: 0)
        #expect(try await claimed(bench.store) == [])

        try await bench.store.beginListing(MailboxID("b"))
        _ = try await bench.store.commitPages([
            ListingPage(
                listing: .mailbox(MailboxID("b")), messages: [message("gained", mailbox: "b", created: 9_000)],
                next: nil)
        ])
        #expect(try await claimed(bench.store) == [])

        // Everything again, with changes before its end.
        try await bench.store.beginBootstrap(cursor: "c1")
        try await bench.put(message("meanwhile", created: 9_000))
        _ = try await bench.store.finishBootstrap()
        #expect(try await claimed(bench.store) == [])
    }

    /// Fails when mail that a colleague moves or marks is told of as if it had just come.
    @Test func `mail that is moved into sight or becomes unread again is no news`() async throws {
        let bench = try await listed([
            message("newest", created: 9_000), message("read", read: true, created: 0),
            message("filed", folder: "archived", created: 0),
        ])

        try await bench.put(
            message("moved", created: 5_000), message("read", created: 0), message("filed", created: 0))

        #expect(try await claimed(bench.store) == [])
    }

    /// Fails when mail that leaves sight and comes back is told of again.
    @Test func `nothing is told of twice`() async throws {
        let bench = try await listed()
        try await bench.put(message("1", created: 9_000))
        #expect(try await claimed(bench.store) == ["1"])

        _ = try await bench.store.commitChanges([.delete(MessageID("1"))], cursor: "gone")
        try await bench.put(message("1", created: 9_000))

        #expect(try await claimed(bench.store) == [])
    }

    /// Fails when a screen rings for mail that is no news, or once only for two mailboxes.
    @Test func `commits tell in which mailboxes there is news`() async throws {
        let bench = try await listed()
        let reader = try bench.reader()
        let start = try await reader.revision()

        try await bench.put(message("1", created: 9_000), message("2", mailbox: nil, created: 9_000))
        let (first, revision) = try await reader.changes(after: start)
        #expect(first.news == [MailboxID("a"), nil])

        _ = try await bench.store.commitChanges([.delete(MessageID("1"))], cursor: "gone")
        try await bench.put(
            message("1", created: 9_000), message("sent", folder: "sent", created: 9_000),
            message("2", mailbox: "b", created: 9_000))
        #expect(try await reader.changes(after: revision).change.news == [])
    }

    @Test func `what was read, moved or deleted before it was told is not told`() async throws {
        let bench = try await listed()
        try await bench.put(
            message("1", created: 9_000), message("2", created: 9_000), message("3", created: 9_000),
            message("4", created: 9_000))
        try await bench.put(message("1", read: true, created: 9_000), message("2", folder: "archived", created: 9_000))
        _ = try await bench.store.commitChanges([.delete(MessageID("3"))], cursor: "gone")

        #expect(try await claimed(bench.store) == ["4"])
    }

    /// Fails when a terminal that opens a week later tells of all that cron has fetched, or a failing program is
    /// started for ever.
    @Test func `what nobody told of is no news for long`() async throws {
        let bench = try await listed()
        try await bench.put(message("1", created: 9_000))
        try await bench.store.passEnds()
        #expect(try await claimed(bench.store) == ["1"])
        try await bench.store.returnArrivals([MessageID("1")])
        try await bench.store.passEnds()
        #expect(try await claimed(bench.store) == ["1"])
        try await bench.store.returnArrivals([MessageID("1")])
        #expect(try await claimed(bench.store) == [])

        // Of three passes the first may have been killed before it told, and the second had no means.
        try await bench.put(message("2", created: 9_000))
        for _ in 1...3 { try await bench.store.passEnds() }
        #expect(try await claimed(bench.store) == [])
    }

    /// Fails when passes that find nothing write to the cache, and so wake every screen.
    @Test func `a pass that found nothing writes nothing`() async throws {
        let bench = try await listed()
        try await bench.put(message("1", created: 9_000))
        _ = try await bench.store.claimArrivals()
        try await bench.store.passEnds()
        let reader = try bench.reader()
        let version = try await reader.dataVersion()

        try await bench.store.passBegins()
        try await bench.store.passEnds()
        #expect(try await claimed(bench.store) == [])

        #expect(try await reader.dataVersion() == version)
    }

    /// Fails when one row with a date from the far future silences everything after it.
    @Test func `a server's clock that was wrong once silences nothing`() async throws {
        let bench = try await listed()
        var wrong = message("wrong", created: 9_000)
        wrong.createdAt = Timestamp("2199-01-01T00:00:00.000Z")
        try await bench.put(wrong)
        try await bench.store.passEnds(at: instant(9_000).secondsSinceEpoch.map { $0 * 1_000 } ?? 0)

        try await bench.put(message("1", created: 9_100))

        #expect(try await claimed(bench.store) == ["wrong", "1"])
    }

    /// Fails when a flood of mail makes the table grow without end.
    @Test func `no more than 5,000 messages are kept to be told`() async throws {
        let bench = try await listed()
        for start in stride(from: 0, to: 6_000, by: 500) {
            let page = (start..<start + 500).map { MessageChange.upsert(message("m\($0)", created: 9_000)) }
            _ = try await bench.store.commitChanges(page, cursor: "c\(start)")
        }

        let claimed = try await claimed(bench.store)
        #expect(claimed.count == 5_000)
        #expect(claimed.last == "m5999")
    }
}

private func message(
    _ id: String, folder: String = "inbox", mailbox: String? = "a", read: Bool = false, created second: Int
) -> MessageSummary {
    var message = message(id, folder: folder, mailbox: mailbox, read: read)
    message.createdAt = instant(second)
    return message
}
