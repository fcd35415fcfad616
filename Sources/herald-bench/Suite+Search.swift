/// Searching.
extension Suite {
    func search(_ large: SeededCache, _ report: inout Report) async {
        do {
            if let rate = try await large.index() { Report.note("Indexed \(Int(rate)) messages a second.") }
            if isWanted("search") { try await hits(large, &report) }
            if isWanted("searchkeys") {
                let frames = try SearchKeysBench(
                    program: programs + "/herald", environment: environment(large)
                ).run()
                let what = "key to frame while searching 1,000,000"
                report.row("\(what), p99 of \(frames.values.count)", frames.percentile(99), unit: "ms", limit: 16)
                report.row("\(what), slowest", frames.max, unit: "ms", limit: 50)
            }
        } catch {
            report.failure("search", Suite.reason(error))
        }
    }

    private func hits(_ cache: SeededCache, _ report: inout Report) async throws {
        for kind in SearchBench.kinds {
            let found = try await SearchBench(cache: cache).run(kind)
            let what = "\(kind.name) as typed, first \(SearchBench.hits) of \(Suite.grouped(cache.count))"
            report.row("\(what), median", found.times.median, unit: "ms", limit: 30)
            report.row("\(what), p95", found.times.percentile(95), unit: "ms", limit: 30)
            report.row("\(what), slowest", found.times.max, unit: "ms", limit: 100)
            Report.note("The slowest filter was “\(found.slowest.text)”.")
        }
    }

    /// Searches by commands, beside notmuch and mu on the same text.
    func searchPeers(_ report: inout Report) async {
        let cache = SeededCache(count: SearchPeersBench.count, mail: mail, directory: directory)
        do {
            try await cache.prepare()
            _ = try await cache.index()
            try await hits(cache, &report)
            let bench = SearchPeersBench(program: programs + "/herald", cache: cache, environment: environment(cache))
            try bench.prepare()
            for question in SearchPeersBench.questions {
                let found = try bench.run(question)
                let what = "“\(question.herald)” by command, \(Suite.grouped(cache.count)), median"
                report.row(what, found.herald.median, peer: found.notmuch.median, named: "notmuch:", ratioMax: 1)
                report.row(what, found.herald.median, peer: found.mu.median, named: "mu:", ratioMax: 1)
            }
        } catch {
            report.failure("search beside notmuch and mu", Suite.reason(error))
        }
    }

    private static func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text = "," + text }
            text = String(digit) + text
        }
        return text
    }
}
