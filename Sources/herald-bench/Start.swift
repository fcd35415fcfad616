internal import CSystem
internal import Glibc

/// From the start of the program to its first full list.
struct StartBench {
    static let runs = 20
    static let killedRuns = 5
    private static let rowsSeen = 10

    let program: String

    func environment(_ cache: SeededCache) -> [String] {
        [
            "HERALD_HOME=\(cache.home)", "HERALD_ORIGIN=\(SeededCache.origin)", "HERALD_TOKEN=\(SeededCache.token)",
            "TERM=xterm-256color", "LANG=C.UTF-8", "PATH=/usr/bin:/bin",
        ]
    }

    /// Runs a form on two caches by turns, so that a busy moment of the machine meets both alike.
    func compare(
        _ small: SeededCache, _ large: SeededCache, _ once: (SeededCache) throws -> (time: Duration, megabytes: Double)
    ) throws -> (small: Samples, large: Samples, peakMegabytes: Double) {
        var result = (small: Samples(), large: Samples(), peakMegabytes: 0.0)
        for _ in 0..<StartBench.runs {
            result.small.add(try once(small).time)
            let run = try once(large)
            result.large.add(run.time)
            result.peakMegabytes = max(result.peakMegabytes, run.megabytes)
        }
        return result
    }

    /// `herald list conversations`: exec, read, print, end.
    func list(_ cache: SeededCache) throws -> (time: Duration, megabytes: Double) {
        let started = ContinuousClock.now
        let child = try ChildProcess(
            [program, "list", "conversations", "--limit", "50"], environment: environment(cache))
        let code = child.wait()
        guard code == 0 else { throw BenchError("herald list ended with \(code)") }
        return (ContinuousClock.now - started, 0)
    }

    /// The terminal program without network, until its list is on the terminal.
    func terminal(_ cache: SeededCache) throws -> (time: Duration, megabytes: Double) {
        var (main, side): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 30, ws_col: 110, ws_xpixel: 0, ws_ypixel: 0)
        var name = [CChar](repeating: 0, count: 256)
        guard openpty(&main, &side, &name, nil, &size) == 0 else { throw BenchError("there is no terminal") }
        defer { close(main) }
        defer { close(side) }
        let path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let started = ContinuousClock.now
        let child = try ChildProcess(
            [program, "--offline"], environment: environment(cache), output: path, isTerminal: true)
        let isShown = StartBench.waitForList(main)
        let time = ContinuousClock.now - started
        // What the kernel tells at a child's end also counts the memory of the process that started it.
        let megabytes = KeysBench.peakMegabytes(child.id)
        child.end()
        guard isShown else { throw BenchError("no list was shown") }
        return (time, megabytes)
    }

    /// Reads the terminal until it was sent enough rows of the list; `false` after five seconds of silence.
    private static func waitForList(_ terminal: Int32) -> Bool {
        var seen: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let sought = Array(MadeMail.subjectStart.utf8)
        while true {
            var poll = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            guard Glibc.poll(&poll, 1, 5_000) > 0 else { return false }
            let count = read(terminal, &buffer, buffer.count)
            guard count > 0 else { return false }
            seen.append(contentsOf: buffer[0..<count])
            if occurrences(of: sought, in: seen) >= rowsSeen { return true }
        }
    }

    private static func occurrences(of sought: [UInt8], in bytes: [UInt8]) -> Int {
        guard bytes.count >= sought.count else { return 0 }
        return (0...(bytes.count - sought.count)).count { bytes[$0..<($0 + sought.count)].elementsEqual(sought) }
    }
}
