internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// The program as cron and other programs run it.
@Suite(.serialized, .ownThread)
struct CronTests {
    /// Fails when a pass needs anything of a login shell.
    @Test func `a quiet pass works with an almost empty environment`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let variables = [
            "HOME": setting.herald.home.path, "HERALD_ORIGIN": setting.server.origin,
            "HERALD_TOKEN": "hqb_access_owner",
        ]
        let ended = try #require(
            try setting.herald.start(["--sync-once", "--quiet"], environment: variables).wait())
        #expect(ended.code == 0)
        #expect(ended.output.isEmpty && ended.errors.isEmpty, "\(ended.errors)")
        let cache = setting.herald.home.path + "/.cache/herald/127.0.0.1-\(setting.server.port)/cache.sqlite"
        #expect(Files.exists(cache))
    }

    /// Fails when a file that is opened gets the number of a closed standard file and is written over.
    @Test func `a pass works with all standard files closed`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let ended = try #require(
            try setting.herald.start(["--sync-once", "--quiet"], after: "exec 0<&- 1>&- 2>&-").wait())
        #expect(ended.code == 0)
        #expect(try setting.herald.isWhole())
        #expect(try Files.read(setting.herald.passLock).isEmpty)
    }

    @Test(arguments: StalledServer.Manner.allCases)
    func `a deadline ends a stalled pass`(_ manner: StalledServer.Manner) throws {
        let server = try StalledServer(manner)
        defer { server.stop() }
        let herald = try Herald(origin: "http://127.0.0.1:\(server.port)")
        for arguments in [["--sync-once"], ["--rebuild-cache"], ["--sync-once", "--quiet"]] {
            // Without a deadline it would wait for ever, or end with 69.
            let ended = try herald.run(arguments + ["--deadline", "1"])
            #expect(ended.code == 75, "\(ended.errors)")
            #expect(ended.errors.filter { $0 == "\n" }.count == 1, "\(ended.errors)")
            #expect(herald.leftovers().isEmpty)
        }
        #expect(try herald.run("status").code == 0)
    }

    /// Fails when bodies that do not come, or the wait for another pass before them, make a good pass a failed one.
    @Test func `bodies that stall never fail a pass`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try setting.control("/fault?path=/api/v1/messages/*&kind=stall&ms=600000&times=1000")
        let directory = setting.herald.home.path + "/h/state/127.0.0.1-\(setting.server.port)"
        try Files.makeDirectory(directory)
        let other = try FileLock.take(directory + "/pass.lock")
        #expect(try !isFree(directory + "/pass.lock"))
        let pass = try setting.herald.open(["--sync-once", "--deadline", "10"])
        let isWaiting = pass.waitFor("Waiting for another pass")
        _ = consume other

        #expect(isWaiting, "\(pass.screen)")
        #expect(pass.waitForExit(ceiling: 40) == 0, "\(pass.screen)")
        #expect(setting.herald.passLock == directory + "/pass.lock")
        #expect(try setting.herald.run("status").text.contains("bodies     0 of"))
    }

    /// Fails when a signal is ignored, waited out, or leaves something half-written.
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `a signal ends a pass at once`(_ signal: Int32) throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try setting.deliver(count: 1_000)
        let gate = try Gate(to: setting.server.port, letting: 6)
        defer { gate.stop() }
        let herald = try Herald(origin: "http://127.0.0.1:\(gate.port)")
        for arguments in [["--sync-once"], ["--rebuild-cache"]] {
            gate.shut(after: 6)
            let running = try herald.start(arguments)
            #expect(comesTrue { gate.isShut })
            running.signal(signal)
            #expect(try #require(running.wait()).code == 128 + signal)
        }
        gate.open()
        #expect(try herald.run("--sync-once").code == 0)
        #expect(try herald.isWhole())
        #expect(herald.leftovers().isEmpty, "\(herald.leftovers())")
    }

    /// Fails when the shell's prompt would follow half a line of progress.
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `a signal clears the progress from a terminal`(_ signal: Int32) throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try setting.deliver(count: 2_000)
        let gate = try Gate(to: setting.server.port, letting: 14)
        defer { gate.stop() }
        let terminal = try Herald(origin: "http://127.0.0.1:\(gate.port)").open(["--sync-once"])
        #expect(terminal.waitFor("Fetching mail"), "\(terminal.screen)")
        terminal.signal(signal)
        #expect(terminal.waitForExit() == 128 + signal)
        #expect(!terminal.screen.contains("Fetching"), "\(terminal.screen)")
    }

    /// Fails when a pass killed at any moment is not taken up by the next.
    @Test func `passes killed in a row lose nothing`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try setting.deliver(count: 1_000)
        for delay in 0..<20 {
            let running = try setting.herald.start(["--sync-once"])
            poll(nil, 0, Int32(delay * 12))
            running.signal(SIGKILL)
            #expect(running.wait() != nil)
        }
        #expect(try setting.herald.run("--sync-once").code == 0)
        #expect(try setting.herald.isWhole())
        #expect(setting.herald.leftovers().isEmpty, "\(setting.herald.leftovers())")
        let rows = try Row.rows(try setting.herald.run("list", "messages", "--all", "--json").output, in: "items").rows
        #expect(rows.count == 1_004)
    }

    @Test func `each kind of failure is told once by a quiet pass`() throws {
        var setting = try Setting()
        let herald = setting.herald
        func quiet() throws -> (Int32, Int) {
            let ended = try setting.herald.run("--sync-once", "--quiet")
            #expect(ended.output.isEmpty)
            return (ended.code, ended.errors.filter { $0 == "\n" }.count)
        }
        #expect(try quiet() == (0, 0))
        setting.herald.token = "hqb_access_wrong"
        #expect(try quiet() == (77, 1))
        #expect(try quiet() == (77, 0))
        setting.server.stop()
        #expect(try quiet() == (69, 1))
        #expect(try quiet() == (69, 0))
        setting.herald = herald
        #expect(try quiet() == (69, 0))
    }

    @Test func `a quiet pass without an account tells that once`() throws {
        let herald = try Herald(origin: nil)
        let ended = try (0..<2).map { _ in try herald.run("--sync-once", "--quiet") }
        #expect(ended.map(\.code) == [77, 77])
        #expect(ended[0].errors.filter { $0 == "\n" }.count == 1)
        #expect(ended[1].errors.isEmpty)
    }

    /// Fails when a script cannot tell what to do about a server's refusal.
    @Test(
        arguments: [
            ("401 Unauthorized", 77), ("403 Forbidden", 77), ("404 Not Found", 76), ("429 Too Many Requests", 75),
            ("500 Internal Server Error", 69), ("502 Bad Gateway", 69), ("503 Service Unavailable", 69),
            ("302 Found", 76), ("200 OK", 76),
        ] as [(String, Int32)])
    func `each refusal of the server has its exit code`(_ status: String, _ code: Int32) throws {
        let body = #"{"error":{"code":"SOME_CODE","message":"No."},"openapi":"3.1.0","paths":{}}"#
        let server = try ScriptedServer(type: "application/json", body: body, status: status)
        defer { withExtendedLifetime(server) {} }
        let herald = try Herald(origin: "http://127.0.0.1:\(server.port)")
        for arguments in [["--sync-once"], ["--rebuild-cache"]] {
            let ended = try herald.run(arguments)
            #expect(ended.code == code, "\(ended.errors)")
            #expect(ended.errors.filter { $0 == "\n" }.count == 1, "\(ended.errors)")
            #expect(!ended.errors.contains("No."))
        }
    }

    @Test func `output that cannot be written ends with 74`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try setting.herald.run("--sync-once").code == 0)
        for arguments in [["list", "messages"], ["status", "--json"], ["--help"], ["--sync-once", "--json"]] {
            let ended = try #require(try setting.herald.start(arguments, after: "exec >/dev/full").wait())
            #expect(ended.code == 74, "\(arguments) \(ended.errors)")
            #expect(ended.errors.filter { $0 == "\n" }.count == 1, "\(ended.errors)")
        }
    }

    @Test func `a pass shows its progress on a terminal`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try setting.deliver(count: 2_000)
        let terminal = try setting.herald.open(["--sync-once"])
        #expect(terminal.waitForExit() == 0)
        #expect(String(decoding: terminal.log, as: UTF8.self).contains("Fetching mail: 2,0"))
        #expect(terminal.screen.hasPrefix("2004 new"), "\(terminal.screen)")
    }
}
