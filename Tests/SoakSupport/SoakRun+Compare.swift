internal import MailSync
internal import Synchronization
internal import MailTestSupport

// The end of a run.
extension SoakRun {
    /// One clean pass, then the comparison with a cache made from nothing.
    mutating func compare() async throws {
        note("the clean pass")
        let before = try CacheDump(path: stage.cachePath)
        // A day later, when a pass also looks for what no change tells.
        guard await pass(hoursLater: 25) != nil else {
            outcome.differences.append("the clean pass failed")
            return
        }
        try checkNothingVanished(since: before)
        try await settle()
        if stage.world.withLock({ $0.hasHiddenGap }) { try await checkAll() }
        try await compareWithFresh("fresh")
        if random.percent(50) { try await giveAllUp() } else { try await sendAll() }
        try await compareWithFresh("empty")
        try await checkIdle()
        for id in try await fillWholly().sorted() { outcome.differences.append("bodies: \(id) is lacking") }
        try checkNothingVanished(since: try CacheDump(path: stage.cachePath))
        outcome.differences += try await searchFaults()
        guard outcome.differences.isEmpty, random.percent(50) else { return }
        try await listen()
        try await compareWithFresh("fresher")
    }

    /// The slow check of all rows, whole twice: one that had begun before something was hidden may have passed it.
    private mutating func checkAll() async throws {
        note("all rows are checked")
        for _ in 0..<2 {
            for _ in 0..<1_000 {
                guard try await stage.engine(store, client).audit() else { break }
            }
            if await pass(hoursLater: 2) == nil { outcome.differences.append("the pass after a check failed") }
        }
    }

    private mutating func compareWithFresh(_ name: String) async throws {
        let freshPath = stage.directory + "/\(name).sqlite"
        let fresh = try stage.open(freshPath)
        _ = try await stage.engine(fresh, client).pass()
        let truth = try CacheDump(path: freshPath)
        outcome.differences += try CacheDump(path: stage.cachePath).differences(to: truth)
        let visible = stage.world.withLock { $0.visible }
        for id in truth.ids("messages").symmetricDifference(visible).sorted() {
            outcome.differences.append("the fresh cache is wrong about \(id)")
        }
    }

    /// A pass with nothing to do is three requests, more only for further pages of drafts, and finds nothing.
    private mutating func checkIdle() async throws {
        guard let report = await pass(hoursLater: 0) else {
            outcome.differences.append("the idle pass failed")
            return
        }
        if report.inserted + report.updated + report.deleted > 0 { outcome.differences.append("the idle pass changed") }
        let drafts = stage.world.withLock { $0.drafts.count }
        let pages = (drafts + stage.pageRows - 1) / stage.pageRows
        if report.requests != 2 + max(1, pages) {
            outcome.differences.append("the idle pass was \(report.requests) requests")
        }
    }

    /// Changes the server while a stream of events is open: what the next pass finds must have rung.
    private mutating func listen() async throws {
        let ear = try stage.ear()
        for _ in 0..<(1 + random.below(4)) { try stage.world.withLock { try $0.loudChange() } }
        guard let report = await pass(hoursLater: 25) else {
            outcome.differences.append("the pass after an event failed")
            return
        }
        guard report.inserted + report.updated + report.deleted > 0 else { return }
        if try !ear.hasRung() { outcome.differences.append("no event rang for what a pass found") }
    }
}
