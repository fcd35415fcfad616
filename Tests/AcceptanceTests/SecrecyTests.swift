internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// Where a bearer never is.
@Suite(.serialized, .ownThread)
struct SecrecyTests {
    private static let mark = "hqb_"

    private static func process(_ id: Int32, _ name: String) -> String {
        String(decoding: (try? Files.read("/proc/\(id)/\(name)")) ?? [], as: UTF8.self)
    }

    /// The files below a directory whose content has the mark.
    private static func tainted(_ directory: String) -> [String] {
        Files.names(in: directory).flatMap { name -> [String] in
            let path = directory + "/" + name
            if Files.isDirectory(path) { return tainted(path) }
            let bytes = (try? Files.readRegular(path, bytesMax: 64 << 20)) ?? []
            return bytes.firstRange(of: Array(mark.utf8)) == nil ? [] : [path]
        }
    }

    /// Fails when a bearer of the environment stays where other programs see it.
    @Test func `a bearer of the environment is wiped at once`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        #expect(Self.process(terminal.processID, "environ").contains("HERALD_TOKEN=****"))
        for name in ["environ", "cmdline"] { #expect(!Self.process(terminal.processID, name).contains(Self.mark)) }
        #expect(!terminal.screen.contains(Self.mark))
        #expect(Self.tainted(setting.herald.home.path).isEmpty)
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0)
    }

    /// Fails when a token is in any file but its own, in the log, or in what a command prints, whatever goes wrong.
    @Test func `tokens are in their file only`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try setting.write(settings: "log.level = \"debug\"\n")
        var printed = try setting.signIn().text
        for verb in ["/clock", "/fault?kind=status&times=2", "/fault?kind=broken&times=1", "/expire?what=access"] {
            try setting.control(verb)
            for arguments in [["--sync-once"], ["account", "check"], ["status"], ["doctor"], ["config"]] {
                let ended = try #require(
                    try setting.herald.start(arguments, environment: setting.plainEnvironment).wait())
                printed += ended.text + ended.errors
            }
        }
        #expect(!printed.contains(Self.mark))
        #expect(Self.tainted(setting.herald.home.path) == [setting.tokenFile])
        var status = stat()
        #expect(stat(setting.tokenFile, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    /// Fails when a crash could leave mail and tokens in a core file.
    @Test func `a crash leaves no core`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let before = Files.names(in: ".")
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor(Setting.subject))
        // The system gives the files of a process that must not be dumped to root.
        var status = stat()
        #expect(stat("/proc/\(terminal.processID)/environ", &status) == 0 && status.st_uid == 0)
        terminal.signal(SIGSEGV)
        #expect(terminal.waitForExit() != 0)
        #expect(Files.names(in: ".").filter { $0.hasPrefix("core") } == before.filter { $0.hasPrefix("core") })
    }

    /// Fails when the bearer follows a server that points elsewhere.
    @Test func `a redirect elsewhere gets no bearer`() throws {
        let other = try LoopbackListener()
        defer { other.stop() }
        let scratch = try Scratch()
        other.serve { connection in
            _ = Loopback.readRequest(connection)
            _ = try? scratch.write("asked", "")
            close(connection)
        }
        let server = try ScriptedServer(
            type: "application/json\r\nLocation: http://127.0.0.1:\(other.port)/api/v1/mailboxes", body: "{}",
            status: "307 Temporary Redirect")
        let herald = try Herald(origin: "http://127.0.0.1:\(server.port)")
        for arguments in [["--sync-once"], ["account", "check"], ["doctor"]] {
            #expect(try herald.run(arguments).code != 0)
        }
        #expect(!Files.exists(scratch.path + "/asked"))
    }
}
