internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// `account add --browser` with the real program, on the local server's real pages.
@Suite(.serialized, .ownThread)
struct BrowserTests {
    /// A browser that notes what it is given and what surrounds it.
    private static func browser(_ setting: Setting) throws -> [String: String] {
        let path = setting.herald.home.path
        let script = """
            { tr '\\0' '\\n' </proc/$$/environ; tr '\\0' '\\n' </proc/$PPID/environ; tr '\\0' ' ' </proc/$PPID/cmdline; } \\
            >'\(path)/seen' 2>&1
            echo "$1" >'\(path)/opened.new' && mv '\(path)/opened.new' '\(path)/opened'
            """
        try setting.herald.home.write("browser", script)
        return ["BROWSER": "/bin/sh \(path)/browser"]
    }

    private static func opened(_ setting: Setting) throws -> String {
        #expect(comesTrue { Files.exists(setting.herald.home.path + "/opened") })
        return try #require(setting.herald.home.lines("opened").first)
    }

    /// Fails when the browser is not opened, the answer does not come back, or a secret is anywhere on the way.
    @Test func `a browser brings the sign-in back`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let variables = try Self.browser(setting)
        let adding = try setting.herald.start(
            ["account", "add", setting.server.origin, "--browser"],
            environment: setting.plainEnvironment.merging(variables) { $1 })
        let browser = FakeBrowser()
        let page = try browser.open(try browser.decide(try Self.opened(setting)))
        #expect(page.status == 200)
        let ended = try #require(adding.wait())
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(ended.text.contains("/api/auth/oauth2/authorize?") && !ended.text.contains("hqb_"))
        #expect(!setting.herald.home.lines("seen").joined().contains("hqb_"))
        #expect(try setting.run("--sync-once", "--quiet").code == 0)

        // The same registration serves a code elsewhere.
        let before = try setting.requests("POST /api/auth/oauth2/register")
        #expect(try setting.signIn().code == 0)
        #expect(try setting.requests("POST /api/auth/oauth2/register") == before)
    }

    /// Fails when a script cannot sign in, or a denial is not told with its code.
    @Test func `a script reads the address and the end`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let adding = try setting.herald.start(
            ["account", "add", setting.server.origin, "--browser", "--json"],
            environment: setting.plainEnvironment.merging(try Self.browser(setting)) { $1 })
        let browser = FakeBrowser()
        _ = try browser.open(try browser.decide(try Self.opened(setting), approve: false))
        let ended = try #require(adding.wait())
        #expect(ended.code == 77)
        #expect(ended.errors.contains("was not approved"))
        #expect(ended.text.contains("\"authorizationUri\":\"http"))
        #expect(!Files.exists(setting.tokenFile))
    }

    /// Fails when a terminal with links gets none, or a wait cannot be ended.
    @Test func `a terminal gets the address as a link`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        var variables = setting.plainEnvironment.merging(try Self.browser(setting)) { $1 }
        variables["TERM"] = "foot"
        let terminal = try VirtualTerminal(
            Herald.program, arguments: ["account", "add", setting.server.origin, "--browser"], environment: variables,
            columns: 200, rows: 24)
        #expect(terminal.waitFor("C-c ends this"), "\(terminal.screen)")
        #expect(String(decoding: terminal.log, as: UTF8.self).contains("\u{1B}]8;;\(setting.server.origin)/api/auth"))
        terminal.send("\u{3}")
        #expect(terminal.waitForExit() == 130)
    }

    /// Fails when a server that says nothing leaves the person without a word, or http to others is tried at all.
    @Test func `a silent server is waited for with a word`() throws {
        let server = try StalledServer(.silent)
        defer { server.stop() }
        let herald = try Herald(origin: nil)
        let terminal = try herald.open(["account", "add", "http://127.0.0.1:\(server.port)"], columns: 100)
        #expect(terminal.waitFor("Asking the server for its sign-in"), "\(terminal.screen)")
        terminal.send("\u{3}")
        #expect(terminal.waitForExit() == 130)

        let ended = try herald.run("account", "add", "http://mail.example.com", "--browser")
        #expect(ended.code == 78)
        #expect(ended.errors.contains("over https only"))
    }
}
