internal import Platform

/// Every measurement, in the order of the table.
struct Suite {
    private static let bootstrapMessages = 50_000

    let programs: String
    let directory: String
    let mail: MadeMail
    /// The parts to measure; all when empty.
    let parts: Set<String>

    func isWanted(_ part: String...) -> Bool { parts.isEmpty || !parts.isDisjoint(with: part) }

    /// Measures everything; `false` when something missed its limit or could not be measured.
    func run() async -> Bool {
        var report = Report(seed: mail.seed)
        if isWanted("render") { render(&report) }
        let small = SeededCache(count: 10_000, mail: mail, directory: directory)
        let large = SeededCache(count: Suite.largeCount(), mail: mail, directory: directory)
        if isWanted("searchpeers") { await searchPeers(&report) }
        if isWanted("starts", "changes", "search", "searchkeys", "scrolling") {
            do {
                try await small.prepare()
                try await large.prepare()
                if isWanted("starts") {
                    starts(small, large, &report)
                    await killed(large, &report)
                    idle(small, &report)
                }
                if isWanted("scrolling") { scrolling(large, &report) }
                if isWanted("changes") { await changes(small, large, &report) }
                if isWanted("search", "searchkeys") { await search(large, &report) }
            } catch {
                report.failure("seeded caches", Suite.reason(error))
            }
        }
        if isWanted("thread") { await thread(&report) }
        if isWanted("outbox") { await outbox(&report) }
        if isWanted("passes", "keys") { await server(&report) }
        if isWanted("drain") { await drain(&report) }
        if isWanted("apply") { apply(&report) }
        return report.isWithin
    }

    /// How many messages the large cache has: a million, or fewer to try the program itself.
    private static func largeCount() -> Int {
        guard let count = Environment.value("HERALD_BENCH_MESSAGES").flatMap({ Int($0) }), count >= 10_000 else {
            return 1_000_000
        }
        Report.note("The large cache has \(count) messages and not the million that the rows name.")
        return count
    }

    static func reason(_ error: any Error) -> String { (error as? BenchError)?.message ?? "\(error)" }

    private func starts(_ small: SeededCache, _ large: SeededCache, _ report: inout Report) {
        let bench = StartBench(program: programs + "/herald")
        let forms: [(name: String, measure: (SeededCache) throws -> (time: Duration, megabytes: Double))] = [
            ("list of 50 by command", bench.list), ("first list on a terminal", bench.terminal),
        ]
        for form in forms {
            do {
                let found = try bench.compare(small, large, form.measure)
                report.row("\(form.name), 1,000,000, median", found.large.median, unit: "ms", limit: 20)
                report.row(
                    "\(form.name), 1,000,000, against 10,000", found.large.median, peer: found.small.median,
                    named: "10,000:", ratioMax: 1.2)
                if found.peakMegabytes > 0 {
                    report.row("\(form.name), 1,000,000, peak memory", found.peakMegabytes, unit: "MB", limit: 40)
                }
            } catch {
                report.failure(form.name, Suite.reason(error))
            }
        }
    }

    private func changes(_ small: SeededCache, _ large: SeededCache, _ report: inout Report) async {
        // New changes are mostly to new mail; anywhere in a large cache is the worst case.
        for (name, reach) in [("anywhere", large.count), ("to the newest 10,000", small.count)] {
            do {
                let peer = try await ChangesBench(cache: small, reach: small.count).run()
                let found = try await ChangesBench(cache: large, reach: reach).run()
                report.row(
                    "100 changes \(name), 1,000,000, median", found.median, peer: peer.median, named: "10,000:",
                    ratioMax: 1.5)
                report.row("100 changes \(name), 1,000,000, p95", found.percentile(95), unit: "ms", limit: 60)
            } catch {
                report.failure("100 changes \(name)", Suite.reason(error))
            }
        }
    }

    /// A start after the program was killed while it wrote.
    private func killed(_ large: SeededCache, _ report: inout Report) async {
        do {
            let bench = StartBench(program: programs + "/herald")
            var samples = Samples()
            for _ in 0..<StartBench.killedRuns {
                try KilledWriter.run(programs + "/herald-bench", large)
                samples.add(try bench.terminal(large).time)
            }
            try await KilledWriter(cache: large).restore()
            report.row("first list after a kill, 1,000,000, median", samples.median, unit: "ms", limit: 60)
            report.row("first list after a kill, 1,000,000, slowest", samples.max, unit: "ms", limit: 60)
        } catch {
            report.failure("first list after a kill", Suite.reason(error))
        }
    }

    private func idle(_ small: SeededCache, _ report: inout Report) {
        do {
            let program = programs + "/herald"
            let found = try IdleBench(program: program, environment: environment(small)).run()
            // The clock looks once a second; a look takes a thread or two.
            report.row("idle terminal, wake-ups in a second", found.wakeups, unit: "", limit: 3)
            report.row("idle terminal, processor time in a second", found.milliseconds, unit: "ms", limit: 2)
        } catch {
            report.failure("idle terminal", Suite.reason(error))
        }
    }

    private func thread(_ report: inout Report) async {
        do {
            let found = try await ThreadBench(program: programs + "/herald", home: directory + "/thread").run()
            report.row("opening a thread of 500 messages, median", found.opening.median, unit: "ms", limit: 50)
            report.row("opening a thread of 500 messages, slowest", found.opening.max, unit: "ms", limit: 150)
            report.row("from end to end of it, all unfolded, slowest", found.ends.max, unit: "ms", limit: 50)
        } catch {
            report.failure("opening a thread of 500 messages", Suite.reason(error))
        }
    }

    private func outbox(_ report: inout Report) async {
        do {
            let found = try await OutboxBench(mail: mail, directory: directory + "/outbox").run()
            report.row("queueing 10,000 operations, median", found.queueing.median, unit: "ms", limit: 500)
            report.row("showing them in the cache, median", found.showing.median, unit: "ms", limit: 1_000)
            report.row("undoing them, median", found.ending.median, unit: "ms", limit: 500)
        } catch {
            report.failure("queueing 10,000 operations", Suite.reason(error))
        }
    }

    private func server(_ report: inout Report) async {
        do {
            Report.note("Starting a local server with \(Suite.bootstrapMessages) messages.")
            let server = try LocalMail(
                program: programs + "/herald-server", count: Suite.bootstrapMessages, mail: mail,
                directory: directory + "/server")
            defer { server.end() }
            if isWanted("passes") { try await passes(server, &report) }
            if isWanted("keys") { keys(server, &report) }
        } catch {
            report.failure("passes", Suite.reason(error))
        }
    }

    private func drain(_ report: inout Report) async {
        do {
            let server = try LocalMail(
                program: programs + "/herald-server", count: DrainBench.count, mail: mail,
                directory: directory + "/drain")
            defer { server.end() }
            let (peer, found) = try await DrainBench(server).run()
            var (theirs, ours, processor) = (Samples(), Samples(), Samples())
            theirs.add(peer)
            ours.add(found.time)
            processor.add(found.processor)
            report.row(
                "sending 10,000 operations", ours.median, peer: theirs.median, named: "curl:", ratioMax: 1.2)
            Report.note("Of that \(Int(processor.median)) ms are this process's own processor time.")
            report.row("growth of memory meanwhile", found.megabytes, unit: "MB", limit: 20)
        } catch {
            report.failure("sending 10,000 operations", Suite.reason(error))
        }
    }

    private func passes(_ server: LocalMail, _ report: inout Report) async throws {
        let bench = try BootstrapBench(server)
        let peer = try await bench.peer()
        let plain = try await bench.fetching()
        Report.note("Fetching and reading the same pages without storing them: \(Int(plain.median)) ms.")
        var (time, processor) = (Samples(), Samples())
        var engine = try bench.engine()
        for run in 0..<BootstrapBench.runs {
            if run > 0 { engine = try bench.engine() }
            let first = try await bench.first(engine, expecting: Suite.bootstrapMessages)
            time.add(first.time)
            processor.add(first.processor)
        }
        report.row("bootstrap of 50,000, median", time.median, peer: peer.median, named: "curl:", ratioMax: 2)
        // What explains the rest: storing alone, and how much of the two processors it all takes.
        let floor = try await Floor(directory: server.directory).run(copying: bench.path)
        report.row(
            "bootstrap of 50,000, median", time.median, peer: floor.time.median, named: "SQLite alone:", ratioMax: 2)
        report.row(
            "bootstrap of 50,000, processor time", processor.median, peer: floor.processor.median,
            named: "SQLite alone:", ratioMax: 2)
        let idle = try await bench.idle(engine)
        report.row("idle pass, requests", Double(idle.requests), unit: "", limit: 3)
        report.row("idle pass, median", idle.times.median, unit: "ms", limit: 30)
        let reading = try await bench.reading()
        report.row("reading 50 during a bootstrap, p99", reading.percentile(99), unit: "ms", limit: 16)
        report.row("reading 50 during a bootstrap, slowest", reading.max, unit: "ms", limit: 50)
    }

    private func keys(_ server: LocalMail, _ report: inout Report) {
        do {
            let found = try KeysBench(program: programs + "/herald", mail: server).run()
            report.row(
                "key to frame during a bootstrap, 2,000 keys, p99", found.times.percentile(99), unit: "ms", limit: 16)
            report.row("key to frame during a bootstrap, slowest", found.times.max, unit: "ms", limit: 50)
            report.row("terminal during a bootstrap, peak memory", found.peakMegabytes, unit: "MB", limit: 100)
        } catch {
            report.failure("keys during a bootstrap", Suite.reason(error))
        }
    }
}
