internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import Testing

/// `herald doctor` with the real program.
@Suite(.serialized, .ownThread)
struct DoctorTests {
    /// Fails when a sound installation is complained of, or the output names what it must not.
    @Test func `a sound installation is told as one and names nothing`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try setting.signIn("--name", "ann@client.example").code == 0)
        #expect(try setting.run("--sync-once", "--quiet").code == 0)
        let ended = try setting.run("doctor")
        #expect(ended.code == 0, "\(ended.text)\(ended.errors)")
        for words in ["versions", "terminal", "locale", "settings", "sign-in", "server", "clock", "cache"] {
            #expect(ended.text.contains(words), "\(ended.text)")
        }
        let json = try setting.run("doctor", "--json")
        for secret in ["hqb_", "@", "example", Setting.subject, "127.0.0.1", setting.herald.home.path, "token.json"] {
            #expect(!ended.text.contains(secret) && !json.text.contains(secret), "\(secret): \(ended.text)")
        }
        #expect(json.text.hasPrefix("{\"version\":1,\"items\":["))
    }

    /// Fails when what is wrong is not told with what to do, or ends the doctor.
    @Test func `what is wrong is told in its line`() throws {
        let setting = try Setting()
        #expect(try setting.signIn().code == 0)
        #expect(try setting.run("--sync-once", "--quiet").code == 0)
        let clock = try setting.run("doctor", with: ["HERALD_CLOCK": "2031-01-01T00:00:00.000Z"])
        #expect(clock.code == 1 && clock.text.contains("ahead of the server's"), "\(clock.text)")
        setting.server.stop()
        try setting.write(settings: "nonsense = 1\n")
        chmod(setting.tokenFile, 0o644)
        let directory = setting.herald.directory("cache")
        for name in Files.names(in: directory) where name.hasPrefix("cache.sqlite") {
            let file = open("\(directory)/\(name)", O_WRONLY)
            _ = Files.writeAll(file, [UInt8](repeating: 0x41, count: 100_000))
            close(file)
        }
        let ended = try setting.run("doctor", with: ["TERM": "dumb", "LANG": "C"])
        #expect(ended.code == 1)
        for words in ["the file is wrong", "can be read by others", "is damaged", "not UTF-8"] {
            #expect(ended.text.contains(words), "\(words): \(ended.text)")
        }
        chmod(setting.tokenFile, 0o600)
        let offline = try setting.run("doctor")
        #expect(offline.code == 1 && offline.text.contains("cannot be reached"), "\(offline.text)")
    }

    /// Fails when the doctor needs an account, or waits for a server that says nothing.
    @Test func `it works without an account and with a silent server`() throws {
        let herald = try Herald(origin: nil)
        let ended = try herald.run("doctor")
        #expect(ended.code == 0 && ended.text.contains("none is set up"), "\(ended.text)")
        let server = try StalledServer(.silent)
        defer { server.stop() }
        let silent = try Herald(origin: "http://127.0.0.1:\(server.port)").run("doctor")
        #expect(silent.code == 1 && silent.text.contains("does not answer in time"), "\(silent.text)")
        #expect(try Herald(origin: "http://127.0.0.1:\(try Loopback.deadPort())").run("doctor").code == 1)
    }
}
