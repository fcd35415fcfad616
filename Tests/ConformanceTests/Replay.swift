internal import MailTestSupport
internal import Platform
internal import SQLite

@testable internal import LocalServer

/// The result of replaying one file.
struct ReplayResult: Sendable {
    let name: String
    let total: Int
    /// The exchanges that disagree, each with the first reason.
    var differences: [(exchange: String, reason: String)] = []
    /// What the mail sender was given.
    var outgoing: [JSONTree] = []

    /// The result in lines for people.
    var report: String {
        let head = "\(name): \(total - differences.count)/\(total)"
        return ([head] + differences.map { "    \($0.exchange): \($0.reason)" }).joined(separator: "\n")
    }
}

/// Replays a file of the recordings against a local server of its own.
struct Replay {
    private let number: String
    private let place: Int
    private let exchanges: [RecordedExchange]
    private let server: RunningServer
    private var context: ReplayContext
    private var comparison: Comparison
    private var pending: [JSONTree] = []
    private var hasCheckpoint: Set<String> = []

    /// The files whose texts tell the time of the recording.
    private static let instants = ["17": "2026-11-30T02:56:25.500Z"]

    /// Replays a file; the server and its state are gone afterwards.
    static func run(_ number: String, _ recordings: Recordings, _ world: RecordedWorld) throws -> ReplayResult {
        let scratch = try Scratch()
        defer { scratch.remove() }
        var options = ServerOptions()
        options.hasDemoUsers = true
        options.state = scratch.path
        let server = try MailServer.start(options)
        defer { server.stop() }
        var replay = try Replay(number, recordings, world, server, Store(scratch.path + "/server.sqlite"))
        return try replay.run(recordings.files[replay.place].name)
    }

    private init(
        _ number: String, _ recordings: Recordings, _ world: RecordedWorld, _ server: RunningServer, _ store: Store
    ) throws {
        self.number = number
        self.server = server
        place = recordings.files.firstIndex { $0.number == number } ?? 0
        exchanges = recordings.exchanges(number)
        context = ReplayContext(
            store: store, seed: WorldSeed(store, world), port: server.port, controlPort: server.controlPort,
            place: place)
        var start = store.now()
        if let instant = Replay.instants[number] {
            try context.control("/clock?at=" + instant)
            start = instant
        }
        comparison = Comparison(bindings: Bindings(origin: server.origin, seeded: [], times: [], start: start))
        let arrivals = Intervention.arrivals.filter { $0.file == number }
        let messages = WorldSeed.ordered(world.messages(before: place), world)
        try store.database.transaction {
            for message in messages {
                if arrivals.contains(where: { $0.includes(message) }), isNew(message, world) {
                    pending.append(message)
                } else {
                    try context.seed.insert(message)
                }
            }
            for entry in world.drafts(before: place) where !Replay.isMadeBySending(entry.draft) {
                try context.seed.insert(entry.draft, of: entry.user)
            }
        }
    }

    /// Whether a draft is the one that a failed forward leaves behind.
    private static func isMadeBySending(_ draft: JSONTree) -> Bool {
        draft["forwardOfMessageId"] != .null && draft["text"]?.text?.hasPrefix("---------- Forwarded") == true
    }

    /// Whether a message is first seen in this file.
    private func isNew(_ message: JSONTree, _ world: RecordedWorld) -> Bool {
        world.sights[message["id"]?.text ?? ""]?.first?.file == place
    }

    private mutating func run(_ name: String) throws -> ReplayResult {
        var result = ReplayResult(name: name, total: exchanges.count)
        let client = WireClient(port: server.port)
        for (index, exchange) in exchanges.enumerated() {
            try intervene(before: index, exchange)
            comparison.bindings.seeded = context.seed.ids
            comparison.bindings.seededTimes = context.seed.times
            let request = ReplayRequest(exchange, comparison.bindings)
            guard
                let answer = try? client.send(
                    exchange.method, request.target, headers: request.headers, body: request.body)
            else {
                result.differences.append((exchange.name, "no answer"))
                continue
            }
            if let reason = comparison.difference(exchange, answer) {
                result.differences.append((exchange.name, reason))
            }
        }
        let list = try WireClient(port: server.controlPort).send("GET", "/outgoing")
        result.outgoing = JSONTree(list.bytes)?["mails"]?.items ?? []
        return result
    }

    private mutating func intervene(before index: Int, _ exchange: RecordedExchange) throws {
        for step in Intervention.all where step.file == number && step.exchange == index {
            try step.act(&context)
        }
        for arrival in Intervention.arrivals where arrival.file == number && arrival.exchange == index {
            for message in pending where arrival.includes(message) { try context.seed.insert(message) }
        }
        try alignJournal(exchange)
    }

    /// Sets a journal to the recorded number before the file's first checkpoint, so that cursors agree exactly.
    private mutating func alignJournal(_ exchange: RecordedExchange) throws {
        guard exchange.status == 200, hasCheckpoint.insert(exchange.bare).inserted,
            let cursor = exchange.body["nextCursor"]?.text, let parts = Bindings.parts(cursor)
        else { return }
        let (table, place) =
            switch exchange.bare {
            case "/api/v1/changes": ("messageJournal", 1)
            case "/api/v1/drafts/changes": ("draftJournal", 2)
            default: ("", 0)
            }
        guard !table.isEmpty, parts.count > place, let number = parts[place].text else { return }
        try context.store.run("DELETE FROM \(table) WHERE sequence > CAST(? AS INTEGER)", number)
        try context.store.run("UPDATE sqlite_sequence SET seq = CAST(? AS INTEGER) WHERE name = '\(table)'", number)
        // A row of nobody's entity stands for all that the real server had written by then.
        let owner = place == 1 ? "NULL, 0" : "'usr_local_owner'"
        let columns = place == 1 ? "messageId, mailboxId, isUnassigned" : "draftId, userId"
        try context.store.run(
            """
            INSERT OR IGNORE INTO \(table)(sequence, \(columns), isDelete)
            VALUES (CAST(? AS INTEGER), 'none', \(owner), 0)
            """, number)
    }
}
