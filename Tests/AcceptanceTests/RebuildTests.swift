internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// `--rebuild-cache`, and what a kill, a dead server and other processes do to it.
@Suite(.serialized, .ownThread)
struct RebuildTests {
    /// A setting whose program reaches the server through a gate, with mail fetched.
    private func gated(mail count: Int = 0) throws -> (setting: Setting, gate: Gate) {
        var setting = try Setting()
        if count > 0 { try setting.deliver(count: count) }
        let gate = try Gate(to: setting.server.port)
        setting.herald = try Herald(origin: "http://127.0.0.1:\(gate.port)")
        #expect(try setting.herald.run("--sync-once").code == 0)
        return (setting, gate)
    }

    @Test func `a rebuilt cache holds what the server has, and an open terminal goes on with it`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try setting.herald.run("--sync-once").code == 0)
        let terminal = try setting.herald.open(["--offline"])
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        for round in 1...3 {
            let before = Files.inode(setting.herald.cache)
            try setting.deliver("After rebuild \(round)")
            let ended = try setting.herald.run("--rebuild-cache")
            #expect(ended.code == 0, "\(ended.errors)")
            #expect(ended.text.contains("rebuilt"))
            #expect(Files.inode(setting.herald.cache) != before)
            #expect(terminal.waitFor("After rebuild \(round)"), "\(terminal.screen)")
            try setting.deliver("And synced \(round)")
            #expect(try setting.herald.run("--sync-once").code == 0)
            #expect(terminal.waitFor("And synced \(round)"), "\(terminal.screen)")
        }
        terminal.send("q")
        #expect(terminal.waitForExit() == 0)
        #expect(try setting.herald.isWhole())
        #expect(setting.herald.leftovers().isEmpty, "\(setting.herald.leftovers())")
    }

    @Test func `a rebuild on a terminal shows its progress and opens Herald`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try setting.deliver(count: 2_000)
        let terminal = try setting.herald.open(["--rebuild-cache"])
        #expect(terminal.waitFor("Fetching mail"), "\(terminal.screen)")
        #expect(terminal.waitFor("q quit"), "\(terminal.screen)")
        terminal.send("q")
        #expect(terminal.waitForExit() == 0, "\(terminal.screen)")
        #expect(terminal.isCooked)

        let once = try setting.herald.open(["--rebuild-cache", "--sync-once"])
        #expect(once.waitForExit() == 0, "\(once.screen)")
        #expect(once.screen.contains("The cache was rebuilt"), "\(once.screen)")
    }

    /// Fails when the terminal program that follows a rebuild dies of a signal and leaves the terminal raw.
    @Test func `a signal after a rebuild gives the terminal back`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        for signal in [SIGTERM, SIGHUP] {
            let terminal = try setting.herald.open(["--rebuild-cache"])
            #expect(terminal.waitFor("q quit"), "\(terminal.screen)")
            terminal.signal(signal)
            #expect(terminal.waitForExit() == 128 + signal)
            #expect(terminal.isCooked)
        }
    }

    @Test func `without the server the old cache stays as it is`() throws {
        let setting = try Setting()
        #expect(try setting.herald.run("--sync-once").code == 0)
        let before = try setting.herald.listed()
        let files = Set(try contents(setting.herald).keys)
        setting.server.stop()
        let ended = try setting.herald.run("--rebuild-cache")
        #expect(ended.code == 69, "\(ended.errors)")
        // Not their bytes: whoever closes a cache last may move its log into it.
        #expect(Set(try contents(setting.herald).keys) == files)
        #expect(try setting.herald.listed() == before)
    }

    private func contents(_ herald: Herald) throws -> [String: [UInt8]] {
        let directory = herald.directory("cache")
        var files: [String: [UInt8]] = [:]
        // The index of the log is memory of whoever reads, not content.
        for name in Files.names(in: directory) where !name.hasSuffix("-shm") {
            files[name] = try Files.read(directory + "/" + name)
        }
        return files
    }

    /// Fails when a killed rebuild damages the old cache, or its files stay for ever.
    @Test(arguments: [0, 1, 3, 6, 10])
    func `a rebuild killed midway leaves the old cache, and the next run cleans up`(_ requests: Int) throws {
        let (setting, gate) = try gated(mail: 1_500)
        defer { setting.server.stop() }
        defer { gate.stop() }
        let before = try setting.herald.listed()
        gate.shut(after: requests)
        let rebuild = try setting.herald.start(["--rebuild-cache"])
        #expect(comesTrue { gate.isShut })
        rebuild.signal(SIGKILL)
        #expect(try #require(rebuild.wait()).code == 128 + SIGKILL)
        #expect(try setting.herald.listed() == before)
        gate.open()
        let next = requests % 2 == 0 ? "--sync-once" : "--rebuild-cache"
        let ended = try setting.herald.run(next)
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(setting.herald.leftovers().isEmpty, "\(setting.herald.leftovers())")
        #expect(try setting.herald.listed() == before)
        #expect(try setting.herald.isWhole())
    }

    /// Fails when a kill between two steps of the swap loses the cache.
    @Test func `a rebuild killed at any moment leaves a whole cache`() throws {
        let (setting, gate) = try gated()
        defer { setting.server.stop() }
        defer { gate.stop() }
        let before = try setting.herald.listed()
        for delay in 0..<25 {
            let rebuild = try setting.herald.start(["--rebuild-cache"])
            poll(nil, 0, Int32(delay * 4))
            rebuild.signal(SIGKILL)
            #expect(rebuild.wait() != nil)
            #expect(try setting.herald.listed() == before)
        }
        #expect(try setting.herald.run("--sync-once").code == 0)
        #expect(setting.herald.leftovers().isEmpty, "\(setting.herald.leftovers())")
        #expect(try setting.herald.isWhole())
    }

    @Test func `two rebuilds at once both end well`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try setting.deliver(count: 500)
        let rebuilds = try (0..<2).map { _ in try setting.herald.start(["--rebuild-cache"]) }
        for rebuild in rebuilds {
            let ended = try #require(rebuild.wait())
            #expect(ended.code == 0 || ended.code == 75, "\(ended.errors)")
        }
        #expect(setting.herald.leftovers().isEmpty, "\(setting.herald.leftovers())")
        #expect(try setting.herald.isWhole())
    }

    /// Fails when a writer of the old cache reaches the new one's log, or a reader meets half of a swap.
    @Test func `rebuilds are safe while others read and write without the pass lock`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try setting.deliver(count: 200)
        #expect(try setting.herald.run("--sync-once").code == 0)
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor("q quit"), "\(terminal.screen)")
        let ids = try Row.rows(try setting.herald.run("list", "messages", "--all", "--json").output, in: "items").rows
            .map(\.id)
        var random = SystemRandomNumberGenerator()
        for _ in 0..<12 {
            let rebuild = try setting.herald.start(["--rebuild-cache"])
            while rebuild.isRunning {
                // Each fetches a text that the new cache lacks, and writes it beside the rebuild.
                let readers = try (0..<3).map { _ in
                    try setting.herald.start(["show", ids.randomElement(using: &random) ?? ""])
                }
                terminal.send("j\rq")
                for reader in readers {
                    let ended = try #require(reader.wait())
                    #expect(ended.code == 0, "\(ended.errors)")
                }
            }
            let ended = try #require(rebuild.wait())
            #expect(ended.code == 0 || ended.code == 75, "\(ended.errors)")
            #expect(try setting.herald.isWhole())
        }
        terminal.send("qqq")
        #expect(terminal.waitForExit() == 0, "\(terminal.screen)")
        #expect(try setting.herald.run("--sync-once").code == 0)
        let rows = try Row.rows(try setting.herald.run("list", "messages", "--all", "--json").output, in: "items").rows
        #expect(Set(rows.map(\.id)) == Set(ids))
        #expect(setting.herald.leftovers().isEmpty, "\(setting.herald.leftovers())")
        #expect(!Files.exists(setting.herald.cache + ".aside"))
    }

    /// Fails when anything removes what only this machine has.
    @Test func `the outbox is never touched`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try setting.herald.run("--sync-once").code == 0)
        let outbox = setting.herald.directory("state") + "/outbox.sqlite"
        let unsent = Array("unsent words".utf8)
        try Files.replace(outbox, with: unsent)
        try Files.replace(setting.herald.cache, with: [1, 2, 3])
        for arguments in [["--sync-once"], ["--rebuild-cache"], ["status"], ["list", "messages"]] {
            // What writes the cache must know what waits, and stops at an outbox that it cannot read.
            let expected: Int32 = arguments[0].hasPrefix("--") ? 74 : 0
            #expect(try setting.herald.run(arguments).code == expected)
            #expect(try Files.read(outbox) == unsent)
        }
    }
}
