internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import Testing

/// Tokens in a real keyring: gnome-keyring on a session bus of the test's own.
@Suite(.serialized, .ownThread, .enabled(if: Keyring.isAllowed))
struct KeyringTests {
    /// Fails when a token is kept anywhere but in the keyring, or cannot be renewed, used by cron or removed there.
    @Test func `the keyring holds the sign-in from its beginning to its end`() throws {
        let (setting, keyring) = (try Setting(), try Keyring())
        defer { setting.server.stop() }
        try setting.write(settings: "token_store = \"keyring\"\n")
        let added = try setting.signIn(with: keyring.variables)
        #expect(added.code == 0, "\(added.errors)")
        let record = String(decoding: try Files.read(setting.tokenFile), as: UTF8.self)
        #expect(!record.contains("hqb_") && record.contains("\"store\":\"keyring\""))
        #expect(keyring.content.contains("hqb_refresh_"))

        #expect(try setting.run("--sync-once", "--quiet", with: keyring.variables).code == 0)
        let first = keyring.content
        try setting.control("/expire?what=access")
        let renewed = try setting.run("--sync-once", "--quiet", with: keyring.variables)
        #expect(renewed.code == 0, "\(renewed.errors)")
        #expect(keyring.content != first)
        #expect(try setting.requests("POST /api/auth/oauth2/token") > 1)
        #expect(try setting.run("list", "messages").text.contains(Setting.subject))
        let check = try setting.run("account", "check", "--json", with: keyring.variables)
        #expect(check.text.contains("\"store\":\"keyring\""), "\(check.errors)")

        var cron = ["HOME": setting.herald.home.path, "HERALD_HOME": setting.herald.home.path + "/h"]
        cron["HERALD_PATIENCE"] = "120"
        cron.merge(keyring.variables) { $1 }
        let passed = try #require(try setting.herald.start(["--sync-once"], environment: cron).wait())
        #expect(passed.code == 0, "\(passed.errors)")

        #expect(try setting.run("account", "remove", with: keyring.variables).code == 0)
        #expect(!keyring.content.contains("hqb_"))
        #expect(!Files.exists(setting.tokenFile))
    }

    /// Fails when a keyring that is locked, hangs or is not there is waited for, asks somebody, or has no sentence.
    @Test func `a keyring that does not open is told within its time`() throws {
        let (setting, keyring) = (try Setting(), try Keyring())
        defer { setting.server.stop() }
        try setting.write(settings: "token_store = \"keyring\"\n")
        #expect(try setting.signIn(with: keyring.variables).code == 0)
        let cron = ["HOME": setting.herald.home.path, "HERALD_HOME": setting.herald.home.path + "/h"]
        func expect(_ words: String, with variables: [String: String]) throws {
            for arguments in [["--sync-once"], ["account", "check"], ["--rebuild-cache"], ["doctor"]] {
                let ended = try #require(
                    try setting.herald.start(arguments, environment: cron.merging(variables) { $1 }).wait())
                let isDoctor = arguments == ["doctor"]
                #expect(ended.code == (isDoctor ? 1 : 75), "\(arguments): \(ended.errors)")
                #expect((isDoctor ? ended.text : ended.errors).contains(words), "\(arguments): \(ended.errors)")
            }
        }
        try expect("no session bus", with: ["XDG_RUNTIME_DIR": setting.herald.home.path])
        keyring.halt(true)
        try expect("does not answer", with: keyring.variables)
        let list = try setting.run("list", "messages", with: keyring.variables)
        #expect(list.code == 65, "\(list.errors)")
        let removed = try setting.herald.start(
            ["account", "remove"], environment: cron.merging(keyring.variables) { $1 })
        keyring.halt(true)
        let ended = try #require(removed.wait())
        #expect(ended.code == 75 && ended.errors.contains("still in the keyring"), "\(ended.errors)")
        #expect(!Files.exists(setting.tokenFile))
        keyring.halt(false)

        #expect(try setting.signIn(with: keyring.variables).code == 0)
        keyring.lock()
        try expect("The keyring is locked", with: keyring.variables.merging(["HERALD_PATIENCE": "120"]) { $1 })
    }
}
