internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import SQLite
internal import TerminalTestSupport
internal import Testing

/// What can be wrong with a cache file.
enum CacheFault: String, CaseIterable, Sendable {
    case truncated, halved, zeroed, random, foreign, newer, older, empty, strayLog, zeroPages, otherTables
    case missing, danglingLink

    /// Whether the file is unusable from its first bytes on.
    var isPlain: Bool { self != .zeroPages && self != .strayLog && self != .halved && self != .otherTables }

    /// Makes it so.
    func make(_ path: String) throws {
        let bytes = try settled(path)
        switch self {
        case .truncated: try write(path, Array(bytes.prefix(3_000)))
        case .halved: try write(path, Array(bytes.prefix(bytes.count / 8_192 * 4_096)))
        case .zeroed: try write(path, [UInt8](repeating: 0, count: bytes.count))
        case .random:
            var random = SystemRandomNumberGenerator()
            try write(path, (0..<bytes.count).map { _ in UInt8.random(in: 0...255, using: &random) })
        case .foreign:
            Files.remove(path)
            try Database(path).run("CREATE TABLE notes(text TEXT)")
        case .newer: try Database(path).run("PRAGMA user_version = 1000000")
        case .older: try Database(path).run("PRAGMA user_version = 0")
        case .empty: try write(path, [])
        case .strayLog: try write(path + "-wal", (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        case .zeroPages:
            // All but the schema's page.
            try write(path, Array(bytes.prefix(4_096)) + [UInt8](repeating: 0, count: bytes.count - 4_096))
        case .otherTables: try Database(path).run("DROP TABLE listings; CREATE TABLE listings(text TEXT)")
        case .missing: Files.remove(path)
        case .danglingLink:
            Files.remove(path)
            try Files.makeLink(path, to: "nowhere")
        }
    }

    /// The bytes of the cache with its log written back and gone.
    private func settled(_ path: String) throws -> [UInt8] {
        do {
            let database = try Database(path)
            try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        for suffix in ["-wal", "-shm"] { Files.remove(path + suffix) }
        return try Files.read(path)
    }

    /// Writes in place, as a failing disk would.
    private func write(_ path: String, _ bytes: [UInt8]) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { close(file) }
        guard file >= 0, Files.writeAll(file, bytes) else { throw SetupError.noAnswer(path) }
    }
}

/// Caches that cannot be used: each is set aside and fetched anew, or told in one sentence.
@Suite(.serialized, .ownThread)
struct RecoveryTests {
    private func synced() throws -> Setting {
        let setting = try Setting()
        #expect(try setting.herald.run("--sync-once").code == 0)
        return setting
    }

    /// Checks that a command did its work, or ended with one sentence and a documented code.
    private func expectTruth(_ ended: Ended, _ codes: Set<Int32>, sourceLocation: SourceLocation = #_sourceLocation) {
        if ended.code == 0 { return }
        #expect(codes.contains(ended.code), "\(ended.code) \(ended.errors)", sourceLocation: sourceLocation)
        #expect(ended.errors.hasPrefix("herald: "), sourceLocation: sourceLocation)
        #expect(ended.errors.filter { $0 == "\n" }.count == 1, "\(ended.errors)", sourceLocation: sourceLocation)
    }

    /// Fails when a damaged cache crashes a command, stays for ever, or costs more than a new bootstrap.
    @Test(arguments: CacheFault.allCases)
    func `an unusable cache is told by readers and fetched anew by a pass`(_ fault: CacheFault) throws {
        let setting = try synced()
        defer { setting.server.stop() }
        let before = try setting.herald.listed()
        let id = try #require(
            try Row.rows(try setting.herald.run("list", "messages", "--json").output, in: "items").rows.first?.id)
        try fault.make(setting.herald.cache)
        expectTruth(try setting.herald.run("list", "conversations"), [65, 74])
        expectTruth(try setting.herald.run("list", "messages", "--all"), [65, 74])
        expectTruth(try setting.herald.run("show", id), [65, 74])
        expectTruth(try setting.herald.run("status", "--json"), [74])

        let ended = try setting.herald.run("--sync-once")
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(try setting.herald.listed() == before)
        #expect(try setting.herald.run("show", id).code == 0)
        #expect(try setting.herald.isWhole())
        #expect(setting.herald.leftovers().isEmpty, "\(setting.herald.leftovers())")
    }

    @Test(arguments: CacheFault.allCases)
    func `the terminal opens on an unusable cache and fetches it anew`(_ fault: CacheFault) throws {
        let setting = try synced()
        defer { setting.server.stop() }
        try fault.make(setting.herald.cache)
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        terminal.send("q")
        #expect(terminal.waitForExit() == 0)
        #expect(try setting.herald.isWhole())
    }

    /// Fails when what was set aside piles up.
    @Test func `at most one file is kept aside`() throws {
        let setting = try synced()
        defer { setting.server.stop() }
        for fault in [CacheFault.random, .newer, .zeroPages, .foreign, .truncated] {
            try fault.make(setting.herald.cache)
            #expect(try setting.herald.run("--sync-once").code == 0)
            #expect(setting.herald.leftovers().isEmpty, "\(fault): \(setting.herald.leftovers())")
        }
        #expect(Files.exists(setting.herald.cache + ".aside"))
    }

    /// Fails when damage that only a reader meets is never repaired, since a pass does not read that page.
    @Test func `damage that a reader meets is repaired by the next pass`() throws {
        let setting = try synced()
        defer { setting.server.stop() }
        let before = try setting.herald.listed()
        try damage("listings", setting.herald.cache)
        let ended = try setting.herald.run("list", "conversations")
        #expect(ended.code == 74, "\(ended.errors)")
        #expect(try setting.herald.run("--sync-once").code == 0)
        #expect(try setting.herald.run("list", "conversations").code == 0)
        #expect(try setting.herald.listed() == before)
        #expect(Files.exists(setting.herald.cache + ".aside"))
    }

    /// Fails when a terminal that meets damage shows the same failure until it is started again.
    @Test func `damage under an open terminal is repaired by it`() throws {
        let setting = try synced()
        defer { setting.server.stop() }
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        let before = Files.inode(setting.herald.cache)
        try damage("listings", setting.herald.cache)
        try setting.deliver("After the damage")
        terminal.send("$")
        #expect(
            terminal.wait { terminal in
                if terminal.screen.contains("After the damage"), Files.inode(setting.herald.cache) != before {
                    return true
                }
                terminal.send("$")
                return false
            }, "\(terminal.screen)")
        terminal.send("q")
        #expect(terminal.waitForExit() == 0)
        #expect(try setting.herald.isWhole())
    }

    /// Overwrites the root page of a table or index.
    private func damage(_ name: String, _ path: String) throws {
        let root: Int64
        do {
            let database = try Database(path)
            root = try #require(try database.scalar("SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'"))
            try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        let file = open(path, O_WRONLY)
        defer { close(file) }
        let junk = [UInt8](repeating: 0xFF, count: 4_096)
        #expect(pwrite(file, junk, junk.count, off_t(root - 1) * 4_096) == junk.count)
    }

    @Test(arguments: ["directory", "pipe"])
    func `something else that has the cache's name is left alone`(_ kind: String) throws {
        let setting = try synced()
        defer { setting.server.stop() }
        let path = setting.herald.cache
        for suffix in ["", "-wal", "-shm"] { Files.remove(path + suffix) }
        if kind == "pipe" { mkfifo(path, 0o600) } else { try Files.makeDirectory(path) }
        for arguments in [
            ["--sync-once"], ["--rebuild-cache"], ["list", "messages"], ["show", "msg_1"], ["status"],
        ] {
            let running = try setting.herald.start(arguments)
            let ended = try #require(running.wait())
            #expect(ended.code == 73, "\(arguments) \(ended.errors)")
            #expect(ended.errors.filter { $0 == "\n" }.count == 1, "\(ended.errors)")
        }
        #expect(FileKind(path) == .other)
    }

    /// Fails when a cache on another disk is not used, or a rebuild damages what the person's link names.
    @Test func `a link to a cache elsewhere is followed and a rebuild leaves its target`() throws {
        let setting = try synced()
        defer { setting.server.stop() }
        let path = setting.herald.cache
        let elsewhere = setting.herald.home.path + "/elsewhere.sqlite"
        Files.remove(path + "-shm")
        // What was not yet moved into the file is in its log.
        if Files.exists(path + "-wal") { try Files.rename(path + "-wal", to: elsewhere + "-wal") }
        try Files.rename(path, to: elsewhere)
        try Files.makeLink(path, to: elsewhere)
        try setting.deliver("Through the link")
        #expect(try setting.herald.run("--sync-once").code == 0)
        #expect(try setting.herald.listed().contains("Through the link"))
        #expect(FileKind(path) == .link(target: elsewhere))
        #expect(try setting.herald.run("--rebuild-cache").code == 0)
        #expect(Files.exists(elsewhere))
        #expect(try setting.herald.listed().contains("Through the link"))
    }

    @Test func `a cache that another program keeps locked is told with 75`() throws {
        let setting = try synced()
        defer { setting.server.stop() }
        let other = try Database(setting.herald.cache)
        try other.run("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE meta SET value = value")
        try setting.deliver("While it is locked")
        let ended = try setting.herald.run("--sync-once")
        #expect(ended.code == 75, "\(ended.errors)")
        #expect(ended.errors.filter { $0 == "\n" }.count == 1, "\(ended.errors)")
        try other.run("ROLLBACK")
    }

    @Test func `a directory that cannot be made ends with 73`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try setting.herald.home.write("h", "a file where the directories would be")
        for arguments in [["--sync-once"], ["--rebuild-cache"]] {
            let ended = try setting.herald.run(arguments)
            #expect(ended.code == 73, "\(ended.errors)")
            #expect(ended.errors.filter { $0 == "\n" }.count == 1, "\(ended.errors)")
        }
    }

    /// Fails when mail that may not be looked at is told to be not there.
    @Test func `a cache that cannot be looked at is told with 74`() throws {
        let setting = try synced()
        defer { setting.server.stop() }
        let path = setting.herald.cache
        Files.remove(path)
        // As a directory without rights, but for root too: a link that leads to itself.
        try Files.makeLink(path, to: "cache.sqlite")
        for arguments in [["list", "messages"], ["status"], ["status", "--json"], ["show", "msg_1"]] {
            expectTruth(try setting.herald.run(arguments), [74])
            #expect(try setting.herald.run(arguments).code == 74)
        }
        #expect(try setting.herald.run("--sync-once").code == 0)
        #expect(try setting.herald.listed().contains(Setting.subject))
    }

    /// Fails when one wrong token costs the mail that is here, or what it led to is not told.
    @Test func `a wrong token costs nothing`() throws {
        let setting = try synced()
        defer { setting.server.stop() }
        var wrong = setting.herald
        for number in 0..<3 {
            wrong.token = "hqb_access_wrong\(number)"
            #expect(try wrong.run("--sync-once").code == 77)
            let status = try wrong.run("status")
            #expect(status.text.contains("mode       signedOut\n"), "\(status.text)")
            #expect(status.text.contains("failure    "), "\(status.text)")
            #expect(try wrong.run("list", "messages").code == 65)
            #expect(try setting.herald.listed().contains(Setting.subject))
        }
        let ended = try setting.herald.run("--sync-once")
        #expect(ended.code == 0)
        #expect(ended.text.hasPrefix("0 new, "), "\(ended.text)")
        #expect(try setting.herald.listed().contains(Setting.subject))
        #expect(try setting.herald.run("status").text.contains("mode       synced"))
        #expect(try setting.herald.isWhole())
    }
}
