internal import LocalServer
internal import MailAPI
internal import MailStorage
internal import MailSync
internal import MailTestSupport
internal import Synchronization

/// A server, the world on it, and the files of the client of one run.
final class Stage: Sendable {
    let server: RunningServer
    private let scratch: Scratch
    let world: Mutex<World>
    /// How many times of a hundred something happens on the server before a request, and how many times at most.
    private let changes = Mutex((perHundred: 0, left: 0))
    private let time = Mutex<Int64>(1_800_000_000_000)
    private let token: String
    /// Rows of a page.
    let pageRows: Int

    init(seed: UInt64) throws {
        var options = ServerOptions()
        options.hasDemoUsers = true
        var random = SeededNumbers(seed: seed)
        options.ordersAsText = random.percent(50)
        server = try MailServer.start(options)
        scratch = try Scratch()
        let user = random.pick(["owner", "owner", "member", "member", "admin"]) ?? "owner"
        pageRows = random.percent(50) ? 4 + random.below(20) : 100
        token = "hqb_access_" + user
        // Time is part of the run, so that it repeats.
        let world = World(user: user, controlPort: server.controlPort, seed: seed &+ 1)
        try world.verb("/clock?at=2026-11-01T08:00:00.000Z&stopped=1")
        self.world = Mutex(world)
    }

    var directory: String { scratch.path }
    var cachePath: String { directory + "/cache.sqlite" }

    /// Has changes happen on the server before so many of a hundred requests.
    func setChanges(perHundred: Int) { changes.withLock { $0 = (perHundred, 12) } }

    /// A client whose requests the world may come before.
    func client() -> LoopbackClient {
        let beforeEach: @Sendable (String) -> Void = { path in
            let (chance, left) = self.changes.withLock { $0 }
            self.world.withLock { world in
                do {
                    try world.endWink()
                    if chance > 0, path == "/api/v1/changes", world.random.percent(10) { try world.wink() }
                } catch { world.log.append("a wink was refused: \(error)") }
                guard chance > 0, left > 0, world.random.percent(chance) else { return }
                self.changes.withLock { $0.left -= 1 }
                // A verb that fails leaves the model and the server apart, which the comparison then shows.
                do { try world.change() } catch { world.log.append("a change was refused: \(error)") }
            }
        }
        return LoopbackClient(pageRows: pageRows, beforeEach: beforeEach) { line in
            self.world.withLock { $0.log.append(line) }
        }
    }

    var outboxPath: String { directory + "/outbox.sqlite" }

    /// Opens a cache file of this run.
    func open(_ path: String) throws -> MortalStore {
        let store = try MailStore(path: path, owner: "soak", outbox: outboxPath)
        return MortalStore(store) { line in self.world.withLock { $0.log.append(line) } }
    }

    /// Opens what waits, as another process would.
    func outbox() throws -> OutboxStore { try OutboxStore(path: outboxPath, owner: "soak") }

    /// Opens the run's cache for reading.
    func reader() throws -> MailReader? { try MailReader(path: cachePath, owner: "soak") }

    /// Opens a stream of events.
    func ear() throws -> EventEar { try EventEar(server.port, token: token) }

    /// What asks the server.
    func api(_ client: LoopbackClient) -> HTTPMailAPIClient {
        HTTPMailAPIClient(origin: server.origin, token: token, client: client)
    }

    /// An engine some hours after the one before it.
    func engine(_ store: MortalStore, _ client: LoopbackClient, hoursLater: Int64 = 2) -> SyncEngine {
        let api = api(client)
        let now = time.withLock { time in
            time += hoursLater * 3_600_000
            return time
        }
        return SyncEngine(api: api, store: store, now: { now })
    }
}
