internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// Several processes on one account.
@Suite(.serialized, .ownThread)
struct ProcessTests {
    /// Fails when a pass gives up at once, or does not notice that the other one is over.
    @Test func `a pass waits for another one that ends in time`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try setting.herald.run("--sync-once").code == 0)
        let waiting: RunningHerald
        do {
            let held = try FileLock.take(setting.herald.passLock)
            guard held != nil else { throw SetupError.noAnswer("lock") }
            waiting = try setting.herald.start(["--sync-once"])
            #expect(waiting.wait(ceiling: 1) == nil)
            _ = consume held
        }
        let ended = try #require(waiting.wait())
        #expect(ended.code == 0, "\(ended.errors)")
    }

    @Test(arguments: [["--sync-once"], ["--rebuild-cache"]])
    func `a command that waits in vain for another pass ends with 75`(_ arguments: [String]) throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try setting.herald.run("--sync-once").code == 0)
        let held = try FileLock.take(setting.herald.passLock)
        guard held != nil else { throw SetupError.noAnswer("lock") }
        let ended = try setting.herald.run(arguments + ["--deadline", "1"])
        #expect(ended.code == 75, "\(ended.errors)")
        #expect(ended.errors.filter { $0 == "\n" }.count == 1, "\(ended.errors)")
        _ = consume held
    }

    /// Fails when the lock of a process outlives it, or is lost while it is stopped.
    @Test func `a stopped pass keeps its lock and a killed one leaves nothing behind`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let gate = try Gate(to: setting.server.port, letting: 3)
        defer { gate.stop() }
        let stuck = try setting.herald.start(["--sync-once"], environment: setting.herald.environment(port: gate.port))
        // Both names of the server must mean one account, so the lock is the one of the gate's account.
        #expect(comesTrue { gate.isShut })
        stuck.signal(SIGSTOP)
        let other = try setting.herald.start(
            ["--sync-once", "--deadline", "1"], environment: setting.herald.environment(port: gate.port))
        #expect(try #require(other.wait()).code == 75)
        stuck.signal(SIGCONT)
        stuck.signal(SIGKILL)
        #expect(try #require(stuck.wait()).code == 128 + SIGKILL)
        let lock = try FileLock.take(setting.herald.passLock)
        let isFree = lock != nil
        _ = consume lock
        #expect(isFree)
    }

    /// Fails when a terminal that was suspended in the middle of a pass keeps cron out until it is continued.
    @Test func `a suspended terminal lets other processes pass`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let gate = try Gate(to: setting.server.port, letting: 3)
        defer { gate.stop() }
        let herald = try Herald(origin: "http://127.0.0.1:\(gate.port)")
        let terminal = try herald.open()
        #expect(comesTrue { gate.isShut })
        #expect(try !isFree(herald.passLock))
        terminal.send("\u{1A}")
        #expect(terminal.wait { _ in (try? isFree(herald.passLock)) == true }, "\(terminal.screen)")
        gate.open()
        #expect(try herald.run("--sync-once").code == 0)
        terminal.signal(SIGCONT)
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        terminal.send("q")
        #expect(terminal.waitForExit() == 0)
    }

    /// Fails when processes meet a locked database, or the terminal misses what cron fetched.
    @Test func `a terminal and twenty passes at once live together`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        for round in 1...3 {
            try setting.deliver("Round number \(round)")
            let passes = try (0..<20).map { _ in try setting.herald.start(["--sync-once"]) }
            for pass in passes {
                let ended = try #require(pass.wait())
                #expect(ended.code == 0 || ended.code == 75, "\(ended.errors)")
                #expect(!ended.errors.contains("lock"), "\(ended.errors)")
            }
            #expect(terminal.waitFor("Round number \(round)"), "\(terminal.screen)")
        }
        terminal.send("q")
        #expect(terminal.waitForExit() == 0)
        #expect(try setting.herald.isWhole())
    }

    /// Fails when the terminal shows only what it fetched itself: this one fetches nothing.
    @Test func `a terminal shows what another process fetched`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try setting.herald.run("--sync-once").code == 0)
        let terminal = try setting.herald.open(["--offline"])
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        for round in 1...3 {
            try setting.deliver("Fetched by cron \(round)")
            #expect(try setting.herald.run("--sync-once").code == 0)
            #expect(terminal.waitFor("Fetched by cron \(round)"), "\(terminal.screen)")
        }
        terminal.send("q")
        #expect(terminal.waitForExit() == 0)
    }
}
