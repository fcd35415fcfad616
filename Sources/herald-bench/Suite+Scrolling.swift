/// Keys held down, and the escape key.
extension Suite {
    /// The environment of the program on a seeded cache.
    func environment(_ cache: SeededCache) -> [String: String] {
        var environment: [String: String] = [:]
        for pair in StartBench(program: programs + "/herald").environment(cache) {
            let parts = pair.split(separator: "=", maxSplits: 1)
            environment[String(parts[0])] = String(parts[1])
        }
        return environment
    }

    func scrolling(_ large: SeededCache, _ report: inout Report) {
        do {
            let bench = ScrollBench(program: programs + "/herald", environment: environment(large))
            let found = try bench.list()
            let what = "j held for 10 s in a list of \(found.length)"
            report.row("\(what), median", found.frames.median, unit: "ms", limit: 16)
            report.row("\(what), slowest of \(found.frames.values.count)", found.frames.max, unit: "ms", limit: 50)
            let escape = try bench.escape()
            report.row("escape key to frame, slowest", escape.max, unit: "ms", limit: 50)
        } catch {
            report.failure("j held in a list", (error as? BenchError)?.message ?? "\(error)")
        }
        do {
            let mail = try LongMail(programs: programs, directory: directory + "/long")
            defer { mail.end() }
            let frames = try ScrollBench(program: programs + "/herald", environment: mail.environment).reader()
            report.row("j held for 10 s in a text of 60,000 lines, median", frames.median, unit: "ms", limit: 16)
            report.row(
                "j held for 10 s in a text, slowest of \(frames.values.count)", frames.max, unit: "ms", limit: 50)
        } catch {
            report.failure("j held in a text", (error as? BenchError)?.message ?? "\(error)")
        }
    }
}
