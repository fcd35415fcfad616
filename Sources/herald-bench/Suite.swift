internal import Platform

/// Every measurement, in the order of the table.
struct Suite {
    private static let bootstrapMessages = 50_000

    let programs: String
    let directory: String
    let mail: MadeMail

    /// Measures everything; `false` when something missed its limit or could not be measured.
    func run() async -> Bool {
        var report = Report(seed: mail.seed)
        let small = SeededCache(count: 10_000, mail: mail, directory: directory)
        let large = SeededCache(count: 1_000_000, mail: mail, directory: directory)
        do {
            try await small.prepare()
            try await large.prepare()
            starts(small, large, &report)
            await changes(small, large, &report)
            await search(large, &report)
        } catch {
            report.failure("seeded caches", Suite.reason(error))
        }
        await passes(&report)
        return report.isWithin
    }

    private static func reason(_ error: any Error) -> String { (error as? BenchError)?.message ?? "\(error)" }

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
                report.row("\(form.name), 1,000,000, peak memory", found.peakMegabytes, unit: "MB", limit: 40)
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

    private func search(_ large: SeededCache, _ report: inout Report) async {
        do {
            let found = try await SearchBench(cache: large).run()
            report.row("search, first 50 hits, 1,000,000, median", found.median, unit: "ms", limit: 30)
            report.row("search, first 50 hits, 1,000,000, p95", found.percentile(95), unit: "ms", limit: 30)
        } catch {
            report.failure("search", Suite.reason(error))
        }
    }

    private func passes(_ report: inout Report) async {
        do {
            Report.note("Starting a local server with \(Suite.bootstrapMessages) messages.")
            let server = try LocalMail(
                program: programs + "/herald-server", count: Suite.bootstrapMessages, mail: mail,
                directory: directory + "/server")
            defer { server.end() }
            let bench = try BootstrapBench(server)
            let peer = try await bench.peer()
            let plain = try await bench.fetching()
            Report.note("Fetching and reading the same pages without storing them: \(Int(plain.median)) ms.")
            let engine = try bench.engine()
            let first = try await bench.first(engine)
            guard first.messages == Suite.bootstrapMessages else {
                throw BenchError("\(first.messages) messages came")
            }
            report.row(
                "bootstrap of 50,000", first.time.median, peer: peer.median, named: "curl:", ratioMax: 2
            )
            let idle = try await bench.idle(engine)
            report.row("idle pass, requests", Double(idle.requests), unit: "", limit: 3)
            report.row("idle pass, median", idle.times.median, unit: "ms", limit: 30)
            let reading = try await bench.reading()
            report.row("reading 50 during a bootstrap, p99", reading.percentile(99), unit: "ms", limit: 16)
            report.row("reading 50 during a bootstrap, slowest", reading.max, unit: "ms", limit: 50)
        } catch {
            report.failure("passes", Suite.reason(error))
        }
    }
}
