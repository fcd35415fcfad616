internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// A terminal and cron that renew one sign-in, with the real program.
///
/// Every round both hold a token that has ended. The server counts what it is asked, and ends the whole family of
/// tokens when one that was replaced is used again.
@Suite(.serialized, .ownThread)
struct RefreshTests {
    /// A dozen rounds, and a hundred in `make soak`.
    private static let rounds = Environment.value("HERALD_SOAK_SECONDS") == nil ? 12 : 100
    private static let renewal = "POST /api/auth/oauth2/token"

    private static func opened(_ setting: Setting) throws -> VirtualTerminal {
        #expect(try setting.signIn().code == 0)
        // The server's clock stands in for how slow the machine is.
        try setting.control("/lifetime?grace=1000000")
        let terminal = try VirtualTerminal(
            Herald.program, environment: setting.plainEnvironment, columns: 100, rows: 24, tellsIdle: true)
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        #expect(terminal.waitForIdle())
        return terminal
    }

    /// A quiet pass to its end, also when another one is slow.
    private static func passed(_ setting: Setting, _ first: RunningHerald? = nil) throws -> Ended {
        var running = first
        for _ in 0..<20 {
            let pass =
                try running ?? setting.herald.start(["--sync-once", "--quiet"], environment: setting.plainEnvironment)
            running = nil
            let ended = try #require(pass.wait())
            // Another pass runs, and took longer than this one waits.
            if ended.code != 75 { return ended }
        }
        throw SetupError.noEnd
    }

    /// Fails when a round renews twice or never, so that one of the two holds tokens that are worth nothing.
    @Test func `a terminal, cron and a command renew once a round`() throws {
        let setting = try Setting(hasEvents: false)
        defer { setting.server.stop() }
        let terminal = try Self.opened(setting)
        for round in 1...Self.rounds {
            let before = try setting.requests(Self.renewal)
            try setting.control("/expire?what=access")
            let cron = try setting.herald.start(["--sync-once", "--quiet"], environment: setting.plainEnvironment)
            // Takes no lock of passes, so the three meet only where they renew.
            let check = try setting.herald.start(["account", "check"], environment: setting.plainEnvironment)
            terminal.send("$")
            for ended in [try Self.passed(setting, cron), try #require(check.wait())] {
                #expect(ended.code == 0, "round \(round): \(ended.errors)")
            }
            #expect(terminal.waitForIdle())
            // Its first pass may have found cron's at work.
            terminal.send("$")
            #expect(terminal.waitForIdle())
            #expect(terminal.screen.contains("synced"), "round \(round): \(terminal.screen)")
            #expect(try setting.requests(Self.renewal) == before + 1, "round \(round)")
        }
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0)
    }

    /// Where cron is killed.
    private enum Point: CaseIterable {
        case beforeRequest, afterRequest, afterWrite
    }

    /// Fails when a kill at any moment of a renewal costs the sign-in.
    @Test func `a renewal killed anywhere costs no sign-in`() throws {
        let setting = try Setting(hasEvents: false)
        defer { setting.server.stop() }
        let terminal = try Self.opened(setting)
        for round in 0..<Self.rounds {
            let point = Point.allCases[round % Point.allCases.count]
            try setting.control("/expire?what=access")
            let before = (try setting.requests(Self.renewal), try Files.read(setting.tokenFile))
            let stall = "/fault?kind=stall&ms=100000000&path=/api/auth/oauth2/token"
            if point != .afterWrite {
                try setting.control(stall + (point == .afterRequest ? "&after=1" : ""))
            }
            let cron = try setting.herald.start(["--sync-once", "--quiet"], environment: setting.plainEnvironment)
            #expect(
                try comesTrue {
                    guard point == .afterWrite else { return try setting.requests(Self.renewal) > before.0 }
                    return try Files.read(setting.tokenFile) != before.1
                })
            cron.signal(SIGKILL)
            #expect(cron.wait() != nil)
            try setting.control("/fault")
            terminal.send("$")
            #expect(terminal.waitForIdle())
            let next = try Self.passed(setting)
            #expect(next.code == 0, "\(point): \(next.errors)")
            #expect(terminal.screen.contains("synced"), "\(point): \(terminal.screen)")
            // When the terminal passed by its clock, what was counted may be its own request, which nobody killed.
            let count = try setting.requests(Self.renewal) - before.0
            #expect(count == 1 || point != .afterWrite && count == 2, "\(point): \(count)")
        }
    }

    /// Fails when a fresh token that is refused all the same is renewed again and again, or costs the mail.
    @Test func `a fresh token that is refused asks for a sign-in and keeps the mail`() throws {
        let setting = try Setting(hasEvents: false)
        defer { setting.server.stop() }
        let terminal = try Self.opened(setting)
        // The terminal may pass by its clock, and be the one that renews.
        let before = try setting.requests(Self.renewal)
        try setting.control("/end-session?user=owner")
        // One that is handed the other's fresh token may ask once more, since that one may have been over before.
        var counts: [Int] = []
        for _ in 0..<3 {
            #expect(try setting.run("--sync-once").code == 77)
            terminal.send("$")
            #expect(terminal.waitForIdle())
            counts.append(try setting.requests(Self.renewal) - before)
        }
        #expect((1...3).contains(counts[0]) && Set(counts).count == 1, "\(counts)")
        #expect(terminal.screen.contains(Setting.subject), "\(terminal.screen)")
        #expect(try setting.signIn().code == 0)
        terminal.send("$")
        #expect(terminal.wait { $0.screen.contains("synced") }, "\(terminal.screen)")
    }
}
