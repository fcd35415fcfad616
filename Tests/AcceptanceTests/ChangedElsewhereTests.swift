internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// Accounts that another process changes while a terminal has them open, with the real program.
@Suite(.serialized, .ownThread)
struct ChangedElsewhereTests {
    private static func bytes(_ setting: Setting, _ file: String) -> String {
        String(decoding: (try? Files.read(setting.herald.directory("state") + "/" + file)) ?? [], as: UTF8.self)
    }

    /// A person who has signed in, with mail and a terminal.
    private static func opened(_ setting: Setting) throws -> VirtualTerminal {
        #expect(try setting.signIn().code == 0)
        #expect(try setting.run("--sync-once", "--quiet").code == 0)
        let terminal = try SigningInTests.open(setting)
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        #expect(terminal.waitForIdle())
        return terminal
    }

    /// Fails when a removed account is told as an ended sign-in, or what was given up is shown or sent.
    @Test func `the last account that is removed leaves the welcome`() throws {
        let setting = try Setting(hasEvents: false)
        defer { setting.server.stop() }
        let terminal = try Self.opened(setting)
        try setting.control("/fault?kind=status&method=POST&path=/api/v1/messages/*&times=1000000")
        terminal.send("s")
        #expect(terminal.waitFor("1 queued"), "\(terminal.screen)")
        #expect(try setting.run("account", "remove").errors.contains("--discard 1"))

        #expect(try setting.run("account", "remove", "--discard", "1").code == 0)

        #expect(terminal.waitFor("Welcome to Herald"), "\(terminal.screen)")
        #expect(terminal.waitFor("was removed."), "\(terminal.screen)")
        #expect(!terminal.screen.contains("queued") && !terminal.screen.contains(Setting.subject))
        #expect(Files.names(in: setting.herald.home.path + "/h/cache").isEmpty)
        try setting.control("/fault")
        terminal.send("\r127.0.0.1:\(setting.server.port)\r")
        #expect(terminal.waitFor("type this code"), "\(terminal.screen)")
        #expect(SigningInTests.approve(setting))
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        #expect(try DoneWrite.all(setting.server.controlPort).isEmpty)
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0, "\(terminal.screen)")
    }

    /// Fails when an open terminal reads or acts as somebody else, or one person's queue goes out as another's.
    @Test func `another person's sign-in reaches an open terminal, and leaves the queue of the first`() throws {
        let setting = try Setting(hasEvents: false)
        defer { setting.server.stop() }
        let terminal = try Self.opened(setting)
        try setting.control("/fault?kind=status&method=POST&path=/api/v1/messages/*&times=1000000")
        terminal.send("s")
        #expect(terminal.waitFor("1 queued"), "\(terminal.screen)")

        let adding = try setting.herald.start(
            ["account", "add", setting.server.origin], environment: setting.plainEnvironment)
        #expect(SigningInTests.approve(setting, user: "nogrant"))
        let added = try #require(adding.wait())
        #expect(added.code == 0, "\(added.errors)")
        #expect(added.text.contains("that mail is set aside."))
        let label = "127.0.0.1-\(setting.server.port)"
        #expect(
            added.text.contains(
                "1 change of another sign-in is not sent; “herald outbox adopt --account \(label)”"),
            "\(added.text)")
        try setting.control("/fault")
        // A pass or a drain of its own may have found out before the key, which takes the sentence away.
        terminal.send("$")
        #expect(terminal.wait { !$0.screen.contains(Setting.subject) }, "\(terminal.screen)")
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0, "\(terminal.screen)")

        let refused = try setting.run("--sync-once")
        #expect(refused.code == 78 && refused.errors.contains("outbox adopt --account \(label)"), "\(refused.errors)")
        #expect(try setting.run("outbox").code == 78)
        let sentence = "outbox     1 change of another sign-in is not sent; “herald outbox adopt --account \(label)”"
        #expect(try setting.run("status").text.contains(sentence))
        let json = try setting.run("status", "--json").text
        #expect(json.contains(#""queued":0,"#) && json.contains(#""ofAnother":1,"#), "\(json)")
        let rebuilt = try setting.run("--rebuild-cache", "--sync-once")
        #expect(!rebuilt.text.contains("waits to be sent, as before"), "\(rebuilt.text)")
        let terminal2 = try SigningInTests.open(setting)
        #expect(terminal2.waitForIdle())
        #expect(!terminal2.screen.contains("1 queued"), "\(terminal2.screen)")
        terminal2.send("Q")
        #expect(terminal2.waitForExit() == 0, "\(terminal2.screen)")
        #expect(try DoneWrite.all(setting.server.controlPort).isEmpty)
        #expect(try setting.run("outbox", "adopt").text.contains("1 change will be sent"))
        // This person may not star it: the server says so, and nothing else was tried.
        #expect(try setting.run("--sync-once").code == 80)
    }

    /// Fails when work goes out under another name because the mail that would have told the difference is gone.
    @Test func `without mail to tell by nothing is sent on a guess`() throws {
        let setting = try Setting(hasEvents: false)
        defer { setting.server.stop() }
        let terminal = try Self.opened(setting)
        try setting.control("/fault?kind=status&method=POST&path=/api/v1/messages/*&times=1000000")
        terminal.send("s")
        #expect(terminal.waitFor("1 queued"), "\(terminal.screen)")
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0)
        try setting.control("/fault")
        Files.removeTree(setting.herald.directory("cache"))

        let added = try setting.signIn()
        #expect(added.text.contains("No mail is here that tells"), "\(added.text)\(added.errors)")
        #expect(added.text.contains("1 change of another sign-in is not sent"), "\(added.text)")
        #expect(try setting.run("--sync-once").code == 78)
        #expect(try DoneWrite.all(setting.server.controlPort).isEmpty)
        #expect(try setting.run("outbox", "adopt").code == 0)
        #expect(try setting.run("--sync-once").code == 0)
        #expect(try DoneWrite.all(setting.server.controlPort).count == 1)
    }

    /// Fails when a refusal that needs no server waits for one.
    @Test func `unsent work is told before anybody is waited for`() throws {
        let setting = try Setting(hasEvents: false)
        defer { setting.server.stop() }
        let terminal = try Self.opened(setting)
        try setting.control("/fault?kind=status&method=POST&path=/api/v1/messages/*&times=1000000")
        terminal.send("s")
        #expect(terminal.waitFor("1 queued"), "\(terminal.screen)")
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0)

        // A pass that hangs holds its lock for as long.
        guard let lock = try FileLock.take(setting.herald.passLock) else { throw SetupError.noEnd }
        let refused = try setting.run("account", "remove")
        #expect(refused.code == 65 && refused.errors.contains("--discard 1"), "\(refused.errors)")
        _ = consume lock
    }
}
