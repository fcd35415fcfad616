import Glibc
import HTTP
import HTTPTransport
import LocalServer
import MailAPI
import MailStorage
import MailSync
import MailTestSupport
import Synchronization
import Testing

@testable import MailApp

/// A client of the day: a terminal that is used now and then, or cron.
private struct DayClient {
    /// When the person presses keys, in minutes; empty for cron.
    var activeMinutes: Range<Int64>
    /// When the program runs, in minutes.
    var openMinutes: Range<Int64>
    /// The minutes between two runs of cron; 0 for a terminal.
    var cronMinutes: Int64
    var schedule = PassSchedule(isOffline: false)
    let path: String
    let api: HTTPMailAPIClient
    let engine: SyncEngine

    var isCron: Bool { cronMinutes > 0 }

    /// The most passes the cadence allows: a beat of 15 s while used and for two minutes after, else of 60 s.
    var passesMax: Int {
        if isCron { return Int(Int64(openMinutes.count) / cronMinutes) + 1 }
        return (activeMinutes.count + 2) * 4 + openMinutes.count + 2
    }

    /// The most requests of its idle passes, drafts being read once a minute.
    var requestsMax: Int {
        isCron ? passesMax * 3 : passesMax * 2 + openMinutes.count + 2
    }
}

/// Fails when a day of ordinary use asks the server more often than the cadence says.
@Test func `a day of eight clients stays within its number of requests`() async throws {
    var options = ServerOptions()
    options.hasDemoUsers = true
    let server = try MailServer.start(options)
    defer { server.stop() }
    let http = try CurlClient(version: "test")
    defer { http.stop() }
    func control(_ verb: String) async throws {
        let url = "http://127.0.0.1:\(server.controlPort)\(verb)"
        _ = try await http.send(HTTPRequest(method: "POST", url: url, body: []))
    }
    try await control("/deliver?to=support@example.test&count=50&seed=1")
    let clock = Mutex<Int64>(1_767_312_000_000)
    let now: @Sendable () -> Int64 = { clock.withLock { $0 } }
    let start = now()
    let scratch = try Scratch()
    defer { scratch.remove() }
    var clients: [DayClient] = try (0..<8).map { number in
        let path = "\(scratch.path)/\(number).sqlite"
        let api = HTTPMailAPIClient(
            origin: server.origin, token: "hqb_access_\(number % 2 == 0 ? "owner" : "member")", client: http)
        let engine = SyncEngine(api: api, store: try MailStore(path: path, owner: "test"), now: now)
        let isCron = number >= 2
        return DayClient(
            activeMinutes: isCron ? 0..<0 : 600..<630, openMinutes: isCron ? 0..<1_440 : 540..<780,
            cronMinutes: isCron ? 30 : 0, path: path, api: api, engine: engine)
    }
    var passes = 0
    for second in stride(from: Int64(0), to: 86_400, by: 5) {
        clock.withLock { $0 = start + second * 1_000 }
        if second % 7_200 == 0 {
            try await control("/deliver?to=support@example.test&count=2&seed=\(second)")
        }
        for index in clients.indices where try await clients[index].live(at: second, now: now()) { passes += 1 }
    }
    let total = clients.reduce(0) { $0 + $1.api.traffic.requests }
    // Beside idle passes: a bootstrap, the daily look and, in terminals, a page of the slow check an hour.
    let besides = clients.count * (7 + 3) + 2 * 24
    let bound = clients.reduce(besides) { $0 + $1.requestsMax }
    #expect(passes <= clients.reduce(0) { $0 + $1.passesMax })
    #expect(total <= bound, "\(total) requests in \(passes) passes")
    #expect(total > bound / 2, "The bound is too loose: \(total) of \(bound)")
}

extension DayClient {
    /// Does what is due at a second of the day; answers whether that was a pass.
    fileprivate mutating func live(at second: Int64, now: Int64) async throws -> Bool {
        let minute = second / 60
        guard openMinutes.contains(minute) else { return false }
        if isCron {
            guard second % (cronMinutes * 60) == 0 else { return false }
            _ = try await engine.pass()
            return true
        }
        if activeMinutes.contains(minute), second % 30 == 0 { schedule.personActed(at: now) }
        guard schedule.isDue(at: now), let plan = schedule.begin(at: now) else { return false }
        _ = try await engine.pass(includingDrafts: plan.includesDrafts)
        schedule.end(nil, at: now)
        _ = try await engine.audit()
        return true
    }
}
