internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import SQLite
internal import TerminalTestSupport
internal import Testing

/// A small disk of its own in memory, gone with the test; only root can have one.
final class SmallDisk {
    let path: String
    private let scratch: Scratch

    init(kilobytes: Int) throws {
        scratch = try Scratch()
        path = scratch.path + "/disk"
        try Files.makeDirectory(path)
        try SmallDisk.run(["/bin/mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path], scratch.path)
    }

    deinit { try? SmallDisk.run(["/bin/umount", "-l", path], scratch.path) }

    /// Changes the disk, for example `size=1m` or `ro`.
    func change(_ option: String) throws {
        try SmallDisk.run(["/bin/mount", "-o", "remount," + option, path], scratch.path)
    }

    /// Leaves so many kilobytes free.
    func fill(leaving kilobytes: Int) throws {
        Files.remove(path + "/filler")
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { throw SetupError.noDirectory }
        let free = Int(status.f_bavail) * Int(status.f_bsize)
        try Files.replace(path + "/filler", with: [UInt8](repeating: 1, count: max(0, free - kilobytes * 1_024)))
    }

    func empty() { Files.remove(path + "/filler") }

    private static func run(_ words: [String], _ directory: String) throws {
        let ended = try RunningHerald(words, environment: [:], directory: directory).wait()
        guard ended?.code == 0 else { throw SetupError.noAnswer(ended?.errors ?? "") }
    }

    /// Whether this process may have one.
    static let isPossible = (try? SmallDisk(kilobytes: 64)) != nil
}

/// Disks that are full, small or not writable.
@Suite(.serialized, .ownThread)
struct FullDiskTests {
    /// Checks that a command did its work or said in one sentence that it could not.
    private func expectTruth(_ ended: Ended, _ codes: Set<Int32>, sourceLocation: SourceLocation = #_sourceLocation) {
        if ended.code == 0 { return }
        #expect(codes.contains(ended.code), "\(ended.code) \(ended.errors)", sourceLocation: sourceLocation)
        #expect(ended.errors.filter { $0 == "\n" }.count == 1, "\(ended.errors)", sourceLocation: sourceLocation)
    }

    private func variables(_ herald: Herald, home: String) -> [String: String] {
        herald.environment.merging(["HERALD_HOME": home + "/h"]) { $1 }
    }

    private func run(_ herald: Herald, _ arguments: [String], home: String) throws -> Ended {
        try #require(try herald.start(arguments, environment: variables(herald, home: home)).wait())
    }

    /// Fails when a write that finds no room crashes the program or leaves a cache that is not whole.
    @Test(.enabled(if: SmallDisk.isPossible, "needs root, to mount a small disk"))
    func `a disk that is full from any size on ends a first pass with 74, and room heals it`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try setting.deliver(count: 300)
        for kilobytes in [4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 1_024] {
            let disk = try SmallDisk(kilobytes: kilobytes)
            for arguments in [["--sync-once"], ["--rebuild-cache"], ["--sync-once", "--quiet"]] {
                expectTruth(try run(setting.herald, arguments, home: disk.path), [74])
            }
            expectTruth(try run(setting.herald, ["list", "messages"], home: disk.path), [65, 74])
            try disk.change("size=64m")
            let ended = try run(setting.herald, ["--sync-once"], home: disk.path)
            #expect(ended.code == 0, "\(kilobytes): \(ended.errors)")
            let listed = try run(setting.herald, ["list", "messages", "--all", "--json"], home: disk.path)
            #expect(try Row.rows(listed.output, in: "items").rows.count == 304)
        }
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs root, to mount a small disk"))
    func `a disk that fills up keeps the mail that is here readable`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let disk = try SmallDisk(kilobytes: 65_536)
        #expect(try run(setting.herald, ["--sync-once"], home: disk.path).code == 0)
        for (round, kilobytes) in [0, 4, 8, 16, 32, 64, 128, 256].enumerated() {
            try setting.deliver(count: 100, seed: round + 1)
            try disk.fill(leaving: kilobytes)
            expectTruth(try run(setting.herald, ["--sync-once"], home: disk.path), [74])
            expectTruth(try run(setting.herald, ["--rebuild-cache"], home: disk.path), [74])
            let listed = try run(setting.herald, ["list", "messages"], home: disk.path)
            #expect(listed.code == 0 && listed.text.contains(Setting.subject), "\(listed.errors)")
            disk.empty()
            #expect(try run(setting.herald, ["--sync-once"], home: disk.path).code == 0)
        }
        let listed = try run(setting.herald, ["list", "messages", "--all", "--json"], home: disk.path)
        #expect(try Row.rows(listed.output, in: "items").rows.count == 804)
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs root, to mount a small disk"))
    func `the terminal opens on a full and on a read-only disk`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let disk = try SmallDisk(kilobytes: 16_384)
        #expect(try run(setting.herald, ["--sync-once"], home: disk.path).code == 0)
        for isReadOnly in [false, true] {
            disk.empty()
            #expect(try run(setting.herald, ["--sync-once"], home: disk.path).code == 0)
            try setting.deliver(count: 300)
            if isReadOnly { try disk.change("ro") } else { try disk.fill(leaving: 0) }
            let terminal = try VirtualTerminal(
                Herald.program, environment: variables(setting.herald, home: disk.path), columns: 80, rows: 24)
            #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
            terminal.send("\r")
            terminal.send("qq")
            #expect(terminal.waitForExit() == 0, "\(terminal.screen)")
            #expect(terminal.isCooked)
        }
        for arguments in [["list", "messages"], ["list", "conversations", "--json"], ["status"]] {
            let ended = try run(setting.herald, arguments, home: disk.path)
            #expect(ended.code == 0, "\(ended.errors)")
        }
        for arguments in [["--sync-once"], ["--rebuild-cache"]] {
            let ended = try run(setting.herald, arguments, home: disk.path)
            #expect(ended.code == 73, "\(ended.errors)")
            #expect(ended.errors.filter { $0 == "\n" }.count == 1, "\(ended.errors)")
        }
    }

    /// Fails when cron mails the same failure each time because a full disk has no room to remember it.
    @Test(.enabled(if: SmallDisk.isPossible, "needs root, to mount a small disk"))
    func `a full disk is told once by quiet passes`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        for hasSucceeded in [true, false] {
            let disk = try SmallDisk(kilobytes: 16_384)
            if hasSucceeded { #expect(try run(setting.herald, ["--sync-once", "--quiet"], home: disk.path).code == 0) }
            try setting.deliver(count: 300, seed: hasSucceeded ? 5 : 6)
            try disk.fill(leaving: 0)
            var told = 0
            for _ in 0..<3 {
                let ended = try run(setting.herald, ["--sync-once", "--quiet"], home: disk.path)
                #expect(ended.code == 74, "\(ended.errors)")
                if !ended.errors.isEmpty { told += 1 }
            }
            // Where not even the directories can be made nothing can be remembered.
            #expect(hasSucceeded ? told == 1 : told >= 1)
        }
    }

    /// Fails when what a full disk left unfinished makes a reader wait or fail without a word.
    @Test(.enabled(if: SmallDisk.isPossible, "needs root, to mount a small disk"))
    func `a read-only cache whose log cannot be read is told in a sentence`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let disk = try SmallDisk(kilobytes: 16_384)
        #expect(try run(setting.herald, ["--sync-once"], home: disk.path).code == 0)
        let cache = "\(disk.path)/h/cache/127.0.0.1-\(setting.server.port)/cache.sqlite"
        for suffix in ["-shm", "-wal"] {
            #expect(truncate(cache + suffix, 0) == 0)
            try disk.change("ro")
            // Without its log a cache may be one that nothing was written to yet.
            expectTruth(try run(setting.herald, ["list", "messages"], home: disk.path), [65, 74, 75])
            expectTruth(try run(setting.herald, ["status"], home: disk.path), [74, 75])
            try disk.change("rw")
        }
        #expect(try run(setting.herald, ["--sync-once"], home: disk.path).code == 0)
    }

    /// Fails when a limit on the size of files kills the program by its signal.
    @Test(.enabled(if: getenv("TSAN_OPTIONS") == nil, "the thread sanitizer needs larger files of its own"))
    func `a limit on the size of files ends a pass with 74`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try setting.deliver(count: 300)
        for blocks in [8, 16, 64, 100, 200, 400, 700] {
            let ended = try #require(
                try setting.herald.start(["--sync-once"], after: "ulimit -f \(blocks)").wait())
            expectTruth(ended, [74])
        }
        #expect(try setting.herald.run("--sync-once").code == 0)
        #expect(try setting.herald.isWhole())
        let rows = try Row.rows(try setting.herald.run("list", "messages", "--all", "--json").output, in: "items").rows
        #expect(rows.count == 304)
    }
}
