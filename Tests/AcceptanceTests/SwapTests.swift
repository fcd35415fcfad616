internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import SQLite
internal import Testing

/// Kills a program before one of the calls that change names in a directory.
enum Tracer {
    static let path = "/usr/bin/strace"
    /// Whether this process may trace another.
    static let isPossible: Bool = {
        guard access(path, X_OK) == 0, let scratch = try? Scratch() else { return false }
        let words = [path, "-f", "-qq", "-o", "/dev/null", "/bin/true"]
        return (try? RunningHerald(words, environment: [:], directory: scratch.path).wait()?.code) == 0
    }()

    /// Runs the program until the call of this number, counted from 1; it ends well when there are fewer.
    static func run(_ herald: Herald, _ arguments: [String], killedAt step: Int) throws -> Ended? {
        let calls = "rename,unlink,symlink,link"
        return try RunningHerald(
            [
                path, "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(calls)", "-e",
                "inject=\(calls):signal=KILL:when=\(step)", Herald.program,
            ] + arguments, environment: herald.environment, directory: herald.home.path
        ).wait()
    }
}

/// A kill between any two steps of replacing a cache.
@Suite(.serialized, .ownThread, .enabled(if: Tracer.isPossible, "needs /usr/bin/strace and the right to trace"))
struct SwapTests {
    /// Fails when there is a moment between the old cache and the new one, or one without the old one's log.
    @Test(arguments: [false, true])
    func `a rebuild killed before any of its steps leaves a whole cache`(_ isLink: Bool) throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try setting.herald.run(isLink ? "--rebuild-cache" : "--sync-once").code == 0)
        for step in 1..<40 {
            // A reader that is in the middle of something keeps the newest rows in the log.
            let reader = try Database(setting.herald.cache)
            try reader.run("BEGIN; SELECT count(*) FROM messages")
            try setting.deliver("Step \(step)")
            #expect(try setting.herald.run("--sync-once").code == 0)
            let before = try setting.herald.listed()
            #expect(before.contains("Step \(step)"))

            let ended = try #require(try Tracer.run(setting.herald, ["--rebuild-cache"], killedAt: step))

            #expect(ended.code == 0 || ended.code == 128 + SIGKILL, "\(ended.errors)")
            #expect(try setting.herald.listed() == before, "step \(step)")
            #expect(try setting.herald.isWhole(), "step \(step)")
            if ended.code == 0 {
                #expect(step > 5)
                break
            }
        }
        #expect(try setting.herald.run("--sync-once").code == 0)
        #expect(setting.herald.leftovers().isEmpty, "\(setting.herald.leftovers())")
    }

    /// Fails when a kill while a damaged cache is set aside leaves something no later pass can use.
    @Test(arguments: [CacheFault.random, .newer, .zeroPages, .missing])
    func `a pass killed before any step of setting aside is made good by the next`(_ fault: CacheFault) throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try setting.herald.run("--sync-once").code == 0)
        let before = try setting.herald.listed()
        for step in 1..<40 {
            try fault.make(setting.herald.cache)
            let ended = try #require(try Tracer.run(setting.herald, ["--sync-once"], killedAt: step))
            #expect(ended.code == 0 || ended.code == 128 + SIGKILL, "\(ended.errors)")
            let next = try setting.herald.run("--sync-once")
            #expect(next.code == 0, "step \(step): \(next.errors)")
            #expect(try setting.herald.listed() == before, "step \(step)")
            #expect(setting.herald.leftovers().isEmpty, "step \(step): \(setting.herald.leftovers())")
            if ended.code == 0 { break }
        }
        #expect(try setting.herald.isWhole())
    }
}
