import MailModel
import MailStorage
import MailTestSupport
import Testing

/// The server, the cache's last look at it, and what a person did, in any order.
private struct World: ~Copyable {
    var bench: ReplayBench
    var random: SeededNumbers
    /// What the server has.
    var server: [MessageID: MessageSummary] = [:]
    /// What it had when the cache last heard of it.
    var heard: [MessageID: MessageSummary] = [:]
    /// What the server answered, until a pass that began later has ended.
    var echoes: [MessageID: MessageSummary] = [:]
    var seesB = true
    var clock: Int64 = 1_750_000_000_000

    init(_ bench: consuming ReplayBench, seed: UInt64) {
        self.bench = bench
        random = SeededNumbers(seed: seed)
    }

    mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    /// Does one thing of many.
    mutating func step() async throws {
        clock += 1_000
        switch pick(16) {
        case 0, 1, 2: changeServer()
        case 3, 4: try await sync()
        case 5, 6, 7: try await act()
        case 8, 9: try await drain()
        case 10: _ = try await bench.box.store.undo(at: clock)
        case 11: try await block()
        case 12: try await reopen()
        case 13, 14: try await hearLate()
        default: try await grant()
        }
    }

    /// Another client writes, or mail comes or goes.
    private mutating func changeServer() {
        for _ in 0...pick(4) {
            var recount = Recount(messages: server)
            _ = recount.change(&random)
            server = recount.messages
        }
    }

    private func isVisible(_ message: MessageSummary) -> Bool { seesB || message.mailboxID != MailboxID("b") }

    /// The cache hears of all that changed.
    private mutating func sync() async throws {
        let visible = server.filter { isVisible($0.value) }
        var changes: [MessageChange] = heard.keys.filter { visible[$0] == nil }.map { .delete($0) }
        changes += visible.values.filter { heard[$0.id] != $0 }.map { .upsert($0) }
        try await bench.cache.passBegins()
        _ = try await bench.cache.commitChanges(changes.shuffled(using: &random), cursor: "c\(clock)")
        try await bench.cache.passEnds()
        (heard, echoes) = (visible, [:])
        if pick(2) == 0 { _ = try await bench.cache.settleLost(in: bench.box.store, at: clock) }
    }

    private mutating func act() async throws {
        let action = TriageAction.allCases[pick(TriageAction.allCases.count)]
        let ids = heard.keys.sorted { $0.rawValue < $1.rawValue }.filter { _ in pick(4) == 0 }
        let request = TriageRequest(action: action, targets: .messages(ids))
        let operations = try await bench.reader.operations(for: request).operations
        _ = try await bench.box.store.enqueue(operations, name: action.title, at: clock)
    }

    /// Sends some; the answers come, are lost, or are refusals.
    private mutating func drain() async throws {
        for operation in try await bench.box.store.next(limit: pick(5), now: clock) {
            guard let message = server[operation.message] else {
                try await bench.box.store.drop(operation.id, verdict: .deleteWins, at: clock)
                continue
            }
            if pick(6) == 0 {
                try await bench.box.store.drop(operation.id, verdict: Verdict(.rejected, .columnDenied), at: clock)
                continue
            }
            let answer = World.done(operation, to: message, Timestamp(millisecondsSinceEpoch: clock))
            server[operation.message] = answer
            if pick(5) == 0 {
                try await bench.box.store.retry(operation.id, failure: "lost")
                continue
            }
            _ = try await bench.cache.apply(answer)
            if heard[answer.id] != nil { (heard[answer.id], echoes[answer.id]) = (answer, answer) }
            try await bench.box.store.finish(operation.id)
        }
    }

    private mutating func block() async throws {
        if pick(2) == 0 {
            try await bench.box.store.blockAll(reason: .credentialRefused)
        } else {
            try await bench.box.store.unblock()
        }
    }

    /// Another process goes on.
    private mutating func reopen() async throws {
        bench.cache = try ReplayBench.open(bench.box.cache, bench.box.path)
        try await bench.box.store.restart()
    }

    /// A mailbox goes out of sight, or comes back and is listed.
    private mutating func grant() async throws {
        seesB.toggle()
        _ = try await bench.cache.replaceMailboxes(seesB ? [mailbox("a"), mailbox("b")] : [mailbox("a")])
        if !seesB { heard = heard.filter { $0.value.mailboxID != MailboxID("b") } }
        echoes = echoes.filter { heard[$0.key] != nil }
    }

    /// A page comes that was on its way for long.
    private mutating func hearLate() async throws {
        var late: [MessageSummary] = []
        for message in heard.values where pick(4) == 0 {
            var message = message
            message.folder = Folder.stored[pick(Folder.stored.count)].rawValue
            message.starredAt = nil
            late.append(message)
            heard[message.id] = message
        }
        try await bench.cache.beginRelisting(.audit)
        _ = try await bench.cache.commitRelisting(late, next: "next", at: clock)
    }

    /// What the contract says of an action, written down once more.
    private static func done(_ operation: Operation, to message: MessageSummary, _ now: Timestamp) -> MessageSummary {
        var message = message
        let home = message.direction == .outbound ? "sent" : message.mailboxID == nil ? "catchall" : "inbox"
        switch operation.kind.name {
        case "read": message.readAt = now
        case "unread": message.readAt = nil
        case "star": message.starredAt = now
        case "unstar": message.starredAt = nil
        case "archive": message.folder = "archived"
        case "trash": message.folder = "trash"
        case "unarchive": message.folder = message.folder == "archived" ? home : message.folder
        case "restore": message.folder = message.folder == "trash" ? home : message.folder
        default: Issue.record("an unknown action")
        }
        return message
    }

    /// What is to be seen: what was heard, with what waits done to it.
    private func expected() async throws -> Recount {
        var expected = Recount(messages: heard)
        for (id, echo) in echoes {
            expected.messages[id]?.folder = echo.folder
            expected.messages[id]?.readAt = echo.readAt
            expected.messages[id]?.starredAt = echo.starredAt
        }
        for operation in try await bench.box.store.operations() {
            guard let message = expected.messages[operation.message] else { continue }
            expected.messages[operation.message] = World.done(operation, to: message, operation.createdAt)
        }
        return expected
    }

    /// Compares what is seen with what is to be seen.
    func check(lists: Bool) async throws {
        try await bench.cache.rematerialise()
        let expected = try await expected()
        let rows = try await bench.reader.messages(mailbox: nil, folder: nil, limit: nil)
        #expect(Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) }) == expected.messages)
        if lists { try await compare(expected, bench.reader, mailboxes: seesB ? ["a", "b"] : ["a"]) }
    }

    /// Everything is sent and heard of; then nothing tells that there ever was an outbox.
    mutating func settle() async throws {
        try await bench.box.store.restart()
        try await bench.box.store.unblock()
        if !seesB { try await grant() }
        while try await !bench.box.store.counts().isEmpty { try await drain() }
        try await sync()
        _ = try await bench.cache.settleLost(in: bench.box.store, at: clock)
        try await check(lists: true)
        #expect(heard == server)
        #expect(try bench.sideRows() == [])
    }
}

/// Fails when what is shown is anything but the server's truth with the queue replayed on it.
@Test(arguments: 1...6 as ClosedRange<UInt64>)
func `what is shown is the server's truth with the queue replayed`(_ seed: UInt64) async throws {
    var world = World(try await ReplayBench.make(), seed: seed)
    for number in 0..<60 {
        try await world.step()
        // Several things may happen before anyone looks.
        if world.pick(3) > 0 { try await world.check(lists: number % 10 == 0) }
    }
    try await world.settle()
}
