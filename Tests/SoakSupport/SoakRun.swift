internal import LocalServer
internal import MailAPI
internal import MailModel
internal import MailSync
internal import MailTestSupport
internal import Platform
internal import Synchronization

/// One random run: a server that changes and fails, a client that is killed, and at the end one clean pass.
package struct SoakRun {
    /// What a run found.
    package struct Outcome: Sendable {
        /// Empty when the cache equals a fresh one and nothing was lost on the way.
        package var differences: [String] = []
        /// What was done, in order.
        package var log: [String] = []
        package var passes = 0
        package var failures = 0
        package var kills = 0
    }

    let stage: Stage
    let client: LoopbackClient
    var store: MortalStore
    var random: SeededNumbers
    var outcome = Outcome()
    /// Messages whose text was fetched and must still be here.
    var opened: Set<String> = []

    /// Runs a seed to its end.
    ///
    /// - Throws: when the run itself could not be carried out.
    package static func run(seed: UInt64) async throws -> Outcome {
        try await withTaskExecutorPreference(SoakExecutor()) {
            let stage = try Stage(seed: seed)
            defer { stage.server.stop() }
            var run = try SoakRun(stage, seed: seed)
            return try await run.toTheEnd()
        }
    }

    private init(_ stage: Stage, seed: UInt64) throws {
        self.stage = stage
        client = stage.client()
        store = try stage.open(stage.cachePath)
        random = SeededNumbers(seed: seed &+ 2)
    }

    private mutating func toTheEnd() async throws -> Outcome {
        try stage.world.withLock { try $0.fill() }
        for step in 1...(2 + random.below(6)) {
            note("step \(step)")
            for _ in 0..<random.below(8) { try stage.world.withLock { try $0.change() } }
            try await troubledPass()
            try await settle()
            if random.percent(60) { try await act() }
            if random.percent(40) { try await drain(limit: 1 + random.below(6)) }
            if random.percent(40) { try await open() }
            if random.percent(40) { try await fillAhead() }
            if random.percent(25) { try await audit() }
            if !outcome.differences.isEmpty { break }
        }
        if outcome.differences.isEmpty { try await compare() }
        outcome.log = stage.world.withLock { $0.log }
        return outcome
    }

    func note(_ line: String) { stage.world.withLock { $0.log.append(line) } }

    /// A pass in which requests may fail, the server may change, and the process may die.
    private mutating func troubledPass() async throws {
        let before = try CacheDump(path: stage.cachePath)
        let secondsMax = random.percent(60) ? try stage.world.withLock { try $0.setFaults() } : 120
        stage.setChanges(perHundred: random.percent(50) ? random.pick([5, 20, 60]) ?? 5 : 0)
        planDeath(secondsMax: secondsMax)
        stage.world.withLock { $0.isInPass = true }
        _ = await pass()
        try stage.world.withLock { try $0.passed() }
        stage.setChanges(perHundred: 0)
        try stage.world.withLock { try $0.clearFaults() }
        client.plan(diesAt: nil, secondsMax: 120)
        // Opened anew after every pass, as the next process would.
        store = try stage.open(stage.cachePath)
        try checkNothingVanished(since: before)
    }

    mutating func planDeath(secondsMax: Double) {
        var diesAt: Int?
        if random.percent(15) { diesAt = 1 + random.below(12) }
        client.plan(diesAt: diesAt, secondsMax: secondsMax)
        if random.percent(25) { store.plan(diesAt: 1 + random.below(14), isAfter: random.percent(50)) }
    }

    /// Runs a pass; answers its report when it ended well.
    mutating func pass(hoursLater: Int64 = 2) async -> PassReport? {
        outcome.passes += 1
        do {
            let report = try await stage.engine(store, client, hoursLater: hoursLater).pass()
            note("pass: \(report.inserted) new, \(report.updated) changed, \(report.deleted) gone")
            return report
        } catch is Killed {
            outcome.kills += 1
            note("pass: killed")
        } catch let error as SyncError {
            outcome.failures += 1
            note("pass: \(error)")
        } catch {
            outcome.differences.append("a pass threw \(error)")
        }
        return nil
    }

    /// Fetches the texts of a thread, as a person who opens it would.
    private mutating func open() async throws {
        let threads = Dictionary(grouping: try CacheDump(path: stage.cachePath).threads.sorted { $0.key < $1.key }) {
            $0.value
        }
        guard let thread = random.pick(threads.keys.sorted()), let rows = threads[thread] else { return }
        let ids = rows.map { MessageID($0.key) }
        do {
            try await stage.engine(store, client).fetchBodies(thread: ids)
        } catch is SyncError {
            return
        }
        opened.formUnion(try CacheDump.bodies(path: stage.cachePath))
        note("open \(thread)")
    }

    /// Checks that mail which is in sight all the time did not leave the cache, and kept its text.
    mutating func checkNothingVanished(since before: CacheDump) throws {
        let after = try CacheDump(path: stage.cachePath)
        let (visible, disturbed) = stage.world.withLock { ($0.visible, $0.disturbed) }
        let steady = before.ids("messages").intersection(visible).subtracting(disturbed)
        for id in steady.subtracting(after.ids("messages")).sorted() {
            outcome.differences.append("messages: \(id) vanished")
        }
        opened = opened.intersection(visible).subtracting(disturbed)
        let bodies = try CacheDump.bodies(path: stage.cachePath)
        for id in opened.subtracting(bodies).sorted() { outcome.differences.append("bodies: \(id) vanished") }
        for id in try CacheDump.strangeBodies(path: stage.cachePath).sorted() {
            outcome.differences.append("bodies: \(id) has another's")
        }
    }
}
