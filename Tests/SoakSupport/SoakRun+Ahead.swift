internal import MailSync
internal import Synchronization
internal import MailTestSupport

// What idle time after a pass is used for.
extension SoakRun {
    /// Fetches bodies ahead by a random policy, with faults, changes and deaths like those of a pass.
    mutating func fillAhead() async throws {
        let before = try CacheDump(path: stage.cachePath)
        let policy = random.pick([BodiesPolicy.all, .all, .recent(days: 120), .recent(days: 400)]) ?? .all
        let secondsMax = random.percent(30) ? try stage.world.withLock { try $0.setFaults() } : 30
        stage.setChanges(perHundred: random.percent(30) ? 20 : 0)
        planDeath(secondsMax: secondsMax)
        stage.world.withLock { $0.isInPass = true }
        do {
            let report = try await stage.engine(store, client)
                .fillBodies(policy, threadsMax: 1 + random.below(40))
            note("ahead: \(report.threads) threads")
        } catch is Killed {
            outcome.kills += 1
            note("ahead: killed")
        } catch let error as SyncError {
            note("ahead: \(error)")
        }
        try stage.world.withLock { try $0.passed() }
        stage.setChanges(perHundred: 0)
        try stage.world.withLock { try $0.clearFaults() }
        client.plan(diesAt: nil, secondsMax: 30)
        store = try stage.open(stage.cachePath)
        opened.formUnion(try CacheDump.bodies(path: stage.cachePath))
        try await indexSome()
        try checkNothingVanished(since: before)
    }

    /// Reads some pages of the slow check of all rows, as an idle terminal does.
    mutating func audit() async throws {
        for _ in 0..<(1 + random.below(6)) {
            note("audit: \(try await stage.engine(store, client).audit())")
            if random.percent(40) { try stage.world.withLock { try $0.change() } }
        }
    }

    /// Fetches every body that can be had; answers what is then still lacking.
    mutating func fillWholly() async throws -> Set<String> {
        for _ in 0..<100 {
            let report = try await stage.engine(store, client).fillBodies(.all, threadsMax: 200)
            if report.threads == 0 { break }
        }
        return try CacheDump.bodiless(path: stage.cachePath)
    }
}
