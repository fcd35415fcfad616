internal import Platform

extension Suite {
    /// One command on ten thousand messages, and the keys of a terminal beside it.
    func apply(_ report: inout Report) {
        do {
            let server = try LocalMail(
                program: programs + "/herald-server", count: DrainBench.count, mail: mail,
                directory: directory + "/apply")
            defer { server.end() }
            let found = try ApplyBench(program: programs + "/herald", mail: server).run()
            report.row("apply to 10,000, queued, whole command, median", found.queueing.median, unit: "ms", limit: 500)
            report.row("key to frame while 10,000 are sent, p99", found.keys.percentile(99), unit: "ms", limit: 16)
            report.row("key to frame while 10,000 are sent, slowest", found.keys.max, unit: "ms", limit: 50)
            report.row(
                "growth of the terminal's memory meanwhile", found.peakMegabytes - found.calmMegabytes, unit: "MB",
                limit: 20)
        } catch {
            report.failure("apply to 10,000", Suite.reason(error))
        }
    }
}
