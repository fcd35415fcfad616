internal import Glibc
internal import LocalServer
internal import MailModel
internal import MailStorage
internal import MailTestSupport
internal import Platform
internal import SoakSupport
internal import Testing

/// The real program killed while it sends what waits.
@Suite(.serialized, .ownThread)
struct OutboxKillTests {
    private static let isSoak = Environment.value("HERALD_SOAK_SECONDS") != nil
    /// Every how-manieth statement is tried: some two hundred in a soak, a few in an ordinary run.
    private static let stride = isSoak ? 2 : 19

    private let setting: Setting
    private let messages: [MessageID]

    init() async throws {
        setting = try Setting()
        try setting.control("/deliver?to=info@example.test&count=4&seed=3")
        let ended = try setting.herald.run("--sync-once")
        try #require(ended.code == 0, "\(ended.errors)")
        messages = try await setting.herald.shown().map(\.id)
    }

    /// What is queued, and what the server has to have in the end.
    private struct Plan {
        var queued: [Operation] = []
        var expected: [MessageID: ServerMessage] = [:]
        /// How many writes the server had carried out before.
        var writesBefore = 0
    }

    /// Queues actions of every aspect on every message, some of which build on each other.
    private func plan() async throws -> Plan {
        var plan = Plan()
        let shown = try await setting.herald.shown()
        let outbox = try setting.herald.outbox()
        for action: TriageAction in [.star, .read, .archive, .trash, .restore, .unstar, .unread] {
            _ = try await outbox.enqueue(
                shown.map { NewOperation(action, on: $0) }, name: action.title, at: Environment.millisecondsSinceEpoch)
        }
        plan.queued = try await outbox.operations()
        for id in messages { plan.expected[id] = try ServerMessage.asked(id, setting.server.port) }
        for operation in plan.queued {
            guard case .triage(let action) = operation.kind else { continue }
            plan.expected[operation.message] = plan.expected[operation.message]?.after(action)
        }
        plan.writesBefore = try DoneWrite.all(setting.server.controlPort).count
        try #require(!plan.queued.isEmpty)
        return plan
    }

    /// One pass after the kill, and then the truth: all done, in order, nothing lost, nothing done twice in effect.
    private func check(_ plan: Plan, _ point: String) async throws {
        let ended = try setting.herald.run("--sync-once")
        #expect(ended.code == 0, "\(point): \(ended.errors)")
        let outbox = try setting.herald.outbox()
        #expect(try await outbox.operations().isEmpty, "\(point): something waits")
        #expect(try await outbox.journal(limit: 9).isEmpty, "\(point): something was dropped")
        for (id, expected) in plan.expected {
            #expect(try ServerMessage.asked(id, setting.server.port) == expected, "\(point): \(id)")
        }
        let writes = try DoneWrite.all(setting.server.controlPort).dropFirst(plan.writesBefore)
        for id in messages {
            let wanted = plan.queued.filter { $0.message == id }.map {
                DoneWrite(path: "/api/v1/messages/\(id)/\($0.kind.name)", requestID: $0.id.rawValue)
            }
            let done = writes.filter { $0.path.hasPrefix("/api/v1/messages/\(id)/") }
            // An action may be done again right after itself, which changes nothing: by the transport when a
            // connection breaks, and by the next drain.
            let once = done.reduce(into: [DoneWrite]()) { if $0.last != $1 { $0.append($1) } }
            #expect(once == wanted, "\(point): \(id)")
            #expect(done.count <= wanted.count + 2, "\(point): \(id)")
        }
        let shown = try await setting.herald.shown()
        for message in shown {
            let here = ServerMessage(
                folder: message.folder, isRead: message.readAt != nil, isStarred: message.starredAt != nil)
            #expect(here == plan.expected[message.id], "\(point): \(message.id) is shown otherwise")
        }
    }

    /// Fails when a kill between any two statements of a drain loses an action, doubles one or turns two round.
    @Test(arguments: ["statement", "commit"])
    func `a drain killed anywhere is taken up by the next pass`(_ kind: String) async throws {
        defer { setting.server.stop() }
        var (point, kills) = (1, 0)
        while true {
            let plan = try await plan()
            var doomed = setting.herald
            doomed.variables["HERALD_FAULT"] = "\(kind):\(point)"
            let ended = try doomed.run("--sync-once")
            let isKilled = ended.code != 0
            #expect(!isKilled || ended.code == 128 + SIGKILL, "\(point): \(ended.errors)")
            try await check(plan, "\(kind):\(point)")
            guard isKilled else { break }
            kills += 1
            point += kind == "commit" ? 1 : OutboxKillTests.stride
        }
        #expect(kills >= 5)
    }

    /// Fails when an answer that never comes, and then the end of the process, lose or double an action.
    @Test(arguments: [true, false])
    func `a kill while the server holds an answer back is harmless`(hasActed: Bool) async throws {
        defer { setting.server.stop() }
        let points = OutboxKillTests.isSoak ? Array(1...25) : [1, 2, 5, 9]
        for point in points {
            let plan = try await plan()
            // The last point is the last operation.
            guard point <= plan.queued.count else { return try await check(plan, "end") }
            let kind = hasActed ? "stall" : "swallow"
            try setting.control("/fault?kind=\(kind)&ms=600000&method=POST&path=/api/v1/messages/*&nth=\(point)")
            let running = try setting.herald.start(["--sync-once"])
            let isHeld = try comesTrue { try !running.isRunning || struck() > 0 }
            #expect(isHeld && running.isRunning, "\(point)")
            running.signal(SIGKILL)
            _ = running.wait()
            try setting.control("/fault")
            try await check(plan, "\(hasActed ? "after" : "before"):\(point)")
        }
    }

    /// How many answers the faults have spoilt.
    private func struck() throws -> Int {
        let answer = try ask(setting.server.controlPort, "/struck", method: "POST")
        return answer.starts(with: Array("{\"ok\":true,\"count\":0".utf8)) ? 0 : 1
    }

    /// Fails when a connection that breaks before or after the server acted loses or doubles an action.
    @Test(arguments: ["close", "close&after=1", "cut&bytes=9", "status&status=503", "status&status=503&after=1"])
    func `a spoilt answer is asked for again`(_ fault: String) async throws {
        defer { setting.server.stop() }
        let points = OutboxKillTests.isSoak ? Array(1...12) : [1, 4, 7]
        for point in points {
            let plan = try await plan()
            try setting.control(
                "/fault?kind=\(fault)&method=POST&path=/api/v1/messages/*&nth=\(point)&times=2")
            let ended = try setting.herald.run("--sync-once")
            #expect([0, 79].contains(ended.code), "\(point): \(ended.errors)")
            try setting.control("/fault")
            try await check(plan, "\(fault):\(point)")
        }
    }
}
