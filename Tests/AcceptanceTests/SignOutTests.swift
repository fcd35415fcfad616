internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import Testing

/// Signing out, with the real program.
@Suite(.serialized, .ownThread)
struct SignOutTests {
    /// Fails when something of a removed account stays behind, or `--keep-cache` takes the mail away.
    @Test func `nothing stays behind unless asked for`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try setting.signIn().code == 0)
        #expect(try setting.run("--sync-once", "--quiet").code == 0)
        let first = try Files.read(setting.tokenFile)

        let kept = try setting.run("account", "remove", "--keep-cache")
        #expect(kept.code == 0, "\(kept.errors)")
        #expect(!String(decoding: try Files.read(setting.tokenFile), as: UTF8.self).contains("hqb_"))
        #expect(try setting.run("list", "messages").text.contains(Setting.subject))
        #expect(try setting.run("--sync-once").code == 77)
        #expect(try setting.signIn().code == 0)
        #expect(try setting.run("--sync-once").text.hasPrefix("0 new"))
        #expect(try Files.read(setting.tokenFile) != first)

        #expect(try setting.run("account", "remove", "--remove-cache").code == 0)
        for kind in ["state", "cache"] {
            #expect(!Files.exists("\(setting.herald.home.path)/h/\(kind)/127.0.0.1-\(setting.server.port)"))
        }
    }

    /// Fails when a sign-out that cannot reach the server is waited for, or stays undone.
    @Test func `a dead server does not keep anybody signed in`() throws {
        let setting = try Setting()
        #expect(try setting.signIn().code == 0)
        setting.server.stop()
        let ended = try setting.run("account", "remove")
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(!Files.exists(setting.tokenFile))
    }

    /// Fails when a directory in the token's place, or one that others can read, is taken for a sign-in.
    @Test func `what is no file is told, and removed`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try setting.signIn().code == 0)
        chmod(setting.tokenFile, 0o644)
        let exposed = try setting.run("--sync-once")
        #expect(exposed.code == 77 && exposed.errors.contains("can be read by others"), "\(exposed.errors)")
        unlink(setting.tokenFile)
        try Files.makeDirectory(setting.tokenFile)
        let ended = try setting.run("--sync-once")
        #expect(ended.code == 77 && ended.errors.contains("something else"), "\(ended.errors)")
        let adding = try setting.run("account", "add", setting.server.origin)
        #expect(adding.code == 77 && adding.text.isEmpty, "\(adding.errors)")
        #expect(try setting.run("account", "remove").code == 0)
        #expect(!Files.exists(setting.tokenFile))
    }
}
