import Glibc
import JSON
import LocalServer
import MailTestSupport
import TerminalTestSupport
import Testing

/// Time that passes between and during runs, by the clock of debug builds.
struct WakeTests {
    private func set(_ setting: Setting, _ instant: String) throws {
        try setting.herald.home.write("clock.new", instant)
        let path = setting.herald.home.path
        #expect(rename(path + "/clock.new", path + "/clock") == 0)
    }

    private func clocked() throws -> Setting {
        var setting = try Setting(hasEvents: false)
        try set(setting, "2031-02-03T20:00:00Z")
        setting.herald.variables["HERALD_CLOCK"] = setting.herald.home.path + "/clock"
        return setting
    }

    /// Fails when a terminal that slept through the night waits for its beat before it looks for mail.
    @Test func `a terminal that wakes up fetches at once`() throws {
        let setting = try clocked()
        defer { setting.server.stop() }
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        // A key is acted on once nothing runs: the pass is over.
        #expect(terminal.wait { _ in (try? setting.requests("GET /api/v1/drafts")) ?? 0 > 0 })
        terminal.send("j")
        #expect(terminal.waitForIdle())
        try setting.deliver("While you slept")

        try set(setting, "2031-02-04T07:30:00Z")

        #expect(terminal.waitFor("While you slept"), "\(terminal.screen)")
        terminal.send("q")
        #expect(terminal.waitForExit() == 0, "\(terminal.screen)")
    }

    /// Fails when what the program asks of the server in a day is not what status says.
    @Test func `status counts the requests of today and of yesterday`() throws {
        let setting = try clocked()
        defer { setting.server.stop() }
        var today = 0
        for _ in 0..<3 {
            today += try number("requests", setting.herald.run("--sync-once", "--json", "--deadline", "60"))
        }
        // Bodies fetched ahead are requests as well.
        let first = try number("requestsToday", setting.herald.run("status", "--json"))
        #expect(first >= today && today > 9)
        #expect(try number("requestsYesterday", setting.herald.run("status", "--json")) == 0)

        try set(setting, "2031-02-04T07:30:00Z")
        let next = try number("requests", setting.herald.run("--sync-once", "--json"))

        let status = try setting.herald.run("status", "--json")
        #expect(try number("requestsToday", status) == next)
        #expect(try number("requestsYesterday", status) == first)
        #expect(try setting.herald.run("status").text.contains("requests   \(next) today, \(first) yesterday"))
    }

    /// A number of the first account.
    private func number(_ wanted: String, _ ended: Ended) throws -> Int {
        try #require(ended.code == 0, "\(ended.errors)")
        var found: Int?
        var reader = JSONReader(ended.output)
        try reader.object { reader, name throws(JSONError) in
            guard name == "accounts" else { return try reader.skip() }
            try reader.array { reader throws(JSONError) in
                try reader.object { reader, name throws(JSONError) in
                    if name == wanted { found = try reader.int() } else { try reader.skip() }
                }
            }
        }
        return try #require(found)
    }
}
