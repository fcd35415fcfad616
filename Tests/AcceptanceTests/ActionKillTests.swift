internal import Glibc
internal import LocalServer
internal import MailModel
internal import MailStorage
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// The real program killed between a key, or a command, and the server's answer.
@Suite(.serialized, .ownThread)
struct ActionKillTests {
    private static let isSoak = Environment.value("HERALD_SOAK_SECONDS") != nil
    /// Every how-manieth statement is tried: all of them in a soak, a few dozen in an ordinary run.
    private static let stride = isSoak ? 1 : 11
    /// The fewest kills of each kind.
    private static let killsMin = isSoak ? 200 : 12

    private let setting: Setting

    init() async throws {
        setting = try Setting()
        try setting.control("/deliver?to=info@example.test&count=4&seed=3")
        let ended = try setting.herald.run("--sync-once")
        try #require(ended.code == 0, "\(ended.errors)")
    }

    /// What a killed program has left: an operation that is in the outbox or that the server did.
    private struct Left: Hashable {
        var id: String
        var path: String
    }

    /// How the server's messages are and how many writes it had carried out before anything was done.
    private struct Start {
        var messages: [MessageID: ServerMessage] = [:]
        var writes = 0
    }

    private func start() async throws -> Start {
        var start = Start(writes: try DoneWrite.all(setting.server.controlPort).count)
        for id in try await setting.herald.shown().map(\.id) {
            start.messages[id] = try ServerMessage.asked(id, setting.server.port)
        }
        return start
    }

    /// The writes that the server carried out since, those right after themselves once.
    private func writes(since start: Start) throws -> [Left] {
        var all: [Left] = []
        for write in try DoneWrite.all(setting.server.controlPort).dropFirst(start.writes) {
            let left = Left(id: write.requestID, path: write.path)
            if all.last(where: { $0.path.hasPrefix(target(left)) }) != left { all.append(left) }
        }
        return all
    }

    /// The beginning of the routes of a message.
    private func target(_ left: Left) -> String {
        String(left.path[...(left.path.lastIndex(of: "/") ?? left.path.startIndex)])
    }

    /// What is left right after a kill, in the order in which it was queued.
    private func left(since start: Start) async throws -> [Left] {
        let waiting = try await setting.herald.outbox().operations().map {
            Left(id: $0.id.rawValue, path: "/api/v1/messages/\($0.message)/\($0.kind.name)")
        }
        let done = try writes(since: start)
        return done.filter { !waiting.contains($0) } + waiting
    }

    private func waitsForNothing() throws -> Bool {
        try OutboxStore.counts(path: setting.herald.outboxPath)?.isEmpty ?? false
    }

    /// Starts again, and checks that all that was left is done, in order and once, and that nothing else is.
    private func check(_ left: [Left], since start: Start, _ point: String) async throws {
        let ended = try setting.herald.run("--sync-once")
        #expect(ended.code == 0, "\(point): \(ended.errors)")
        let outbox = try setting.herald.outbox()
        #expect(try await outbox.operations().isEmpty, "\(point): something waits")
        #expect(try await outbox.journal(limit: 9).isEmpty, "\(point): something was dropped")
        let done = try writes(since: start)
        #expect(done.count == left.count && Set(done) == Set(left), "\(point): \(left) became \(done)")
        for message in try await setting.herald.shown() {
            let routes = "/api/v1/messages/\(message.id)/"
            let mine = left.filter { $0.path.hasPrefix(routes) }
            #expect(done.filter { $0.path.hasPrefix(routes) } == mine, "\(point): \(message.id)")
            let expected = mine.compactMap { TriageAction(rawValue: String($0.path.dropFirst(routes.count))) }
                .reduce(start.messages[message.id]) { $0?.after($1) }
            #expect(try ServerMessage.asked(message.id, setting.server.port) == expected, "\(point): \(message.id)")
            let shown = ServerMessage(
                folder: message.folder, isRead: message.readAt != nil, isStarred: message.starredAt != nil)
            #expect(shown == expected, "\(point): \(message.id) is shown otherwise")
        }
    }

    /// Fails when a kill at any statement of queueing, showing, sending or ending loses, halves or doubles an order.
    @Test func `a command killed anywhere is queued whole or not at all, and then done once`() async throws {
        defer { setting.server.stop() }
        var (point, kills, wholes) = (1, 0, 0)
        while true {
            let begun = try await start()
            let isStarred = begun.messages.values.contains(where: \.isStarred)
            var doomed = setting.herald
            doomed.variables["HERALD_FAULT"] = "statement:\(point)"
            let ended = try doomed.run("apply", "--where", "in:anywhere", isStarred ? "unstar" : "star")
            let left = try await left(since: begun)
            #expect(left.isEmpty || left.count == begun.messages.count, "\(point): \(left.count)")
            wholes += left.isEmpty ? 0 : 1
            try await check(left, since: begun, "statement:\(point)")
            guard ended.code == 128 + SIGKILL else {
                #expect(ended.code == 0, "\(point): \(ended.errors)")
                break
            }
            kills += 1
            point += ActionKillTests.stride
        }
        #expect(
            kills >= ActionKillTests.killsMin && wholes >= 4,
            "\(kills) kills, \(wholes) of them after the order was safe")
    }

    /// Fails when a kill between a key and the server's answer loses what was queued, doubles it or turns it round.
    @Test func `the terminal killed between a key and its answer leaves what the next start does`() async throws {
        defer { setting.server.stop() }
        let armed = setting.herald.home.path + "/armed"
        var (point, kills) = (1, 0)
        var counts: Set<Int> = []
        while true {
            let begun = try await start()
            var doomed = setting.herald
            // What is written before the first key is not what is tried here.
            doomed.variables["HERALD_FAULT"] = "statement:\(point):\(armed)"
            let terminal = try doomed.open()
            #expect(terminal.waitFor(Setting.subject) && terminal.waitForIdle(), "\(terminal.screen)")
            try Files.replace(armed, with: [])
            // Two messages, and two actions on one of them.
            terminal.send("sjskU")
            var isKilled = false
            let isOver = try comesTrue {
                isKilled = terminal.waitForExit(ceiling: 1) != nil
                return try isKilled || writes(since: begun).count == 3 && waitsForNothing()
            }
            #expect(isOver, "\(point)")
            if !isKilled { terminal.send("Q") }
            // What it writes when it ends counts, too.
            let code = terminal.waitForExit()
            #expect(code == 128 + SIGKILL || !isKilled && code == 0)
            isKilled = code != 0
            Files.remove(armed)
            let left = try await left(since: begun)
            counts.insert(left.count)
            try await check(left, since: begun, "statement:\(point)")
            guard isKilled else {
                #expect(left.count == 3)
                break
            }
            kills += 1
            point += ActionKillTests.stride
        }
        #expect(kills >= ActionKillTests.killsMin && counts.count > 2, "\(kills) kills, with \(counts) left")
    }
}
