internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import Testing

/// The files for systemd and cron.
@Suite(.serialized, .ownThread)
struct UnitFileTests {
    static let analyzer = "/usr/bin/systemd-analyze"
    private static var resources: String {
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Resources"
    }

    /// Fails when systemd would ignore a line of the units, or not find the program.
    @Test(.enabled(if: access(analyzer, X_OK) == 0, "needs /usr/bin/systemd-analyze"))
    func `systemd understands every line of the units`() throws {
        let scratch = try Scratch()
        let names = ["herald-sync.service", "herald-sync.timer"]
        for name in names {
            let text = String(decoding: try Files.read("\(Self.resources)/systemd/\(name)"), as: UTF8.self)
            #expect(name.hasSuffix(".timer") || text.contains("ExecStart=/usr/local/bin/herald "))
            try scratch.write(name, text.replacing("/usr/local/bin/herald", with: absolutePath(Herald.program)))
        }
        let ended = try #require(
            try RunningHerald(
                [Self.analyzer, "--user", "verify", "--man=no"] + names.map { "\(scratch.path)/\($0)" },
                environment: ["XDG_RUNTIME_DIR": scratch.path, "HOME": scratch.path, "PATH": "/usr/bin:/bin"],
                directory: scratch.path
            ).wait())
        #expect(ended.code == 0)
        #expect(ended.errors.isEmpty, "\(ended.errors)")
    }

    /// Fails when the line that is shipped does not do what it says, run as cron runs it.
    @Test func `the crontab line fetches mail`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let text = String(decoding: try Files.read(Self.resources + "/herald.crontab"), as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { !$0.hasPrefix("#") })
        let command = line.split(separator: " ", maxSplits: 5).last.map(String.init) ?? ""
        let home = setting.herald.home.path
        try Files.makeDirectory(home + "/.config/herald")
        let variables = "HERALD_ORIGIN=\(setting.server.origin)\nHERALD_TOKEN=hqb_access_owner\n"
        try Files.replace(home + "/.config/herald/env", with: Array(variables.utf8))
        let path = Herald.program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let directory = path.joined(separator: "/")
        let ended = try #require(
            try RunningHerald(
                ["/bin/sh", "-c", command],
                environment: ["HOME": home, "PATH": absolutePath(directory) + ":/usr/bin:/bin", "SHELL": "/bin/sh"],
                directory: home
            ).wait())
        #expect(ended.code == 0, "\(ended.errors)")
        #expect(ended.output.isEmpty && ended.errors.isEmpty, "\(ended.errors)")
        #expect(Files.exists("\(home)/.cache/herald/127.0.0.1-\(setting.server.port)/cache.sqlite"))
    }
}
