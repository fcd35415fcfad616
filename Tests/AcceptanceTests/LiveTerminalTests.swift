import Glibc
import LocalServer
import MailTestSupport
import Platform
import TerminalTestSupport
import Testing

struct LiveTerminalTests {
    private func mail(_ subject: String) -> String {
        "From: Ann Berg <ann@client.example>\r\nTo: info@example.test\r\nSubject: \(subject)\r\n\r\nHello\r\n"
    }

    /// Fails when new mail waits for the poll, which comes once a minute while no key is pressed.
    @Test func `mail is on the screen as soon as it is delivered`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        #expect(terminal.wait { _ in (try? setting.streams()) == 1 })

        #expect(try comesTrue { try setting.herald.run("status", "--json").text.contains(#""events":"listening""#) })
        for subject in ["Tide tables", "A second letter"] {
            try setting.control("/deliver?to=info@example.test", body: mail(subject))
            #expect(terminal.waitFor(subject, ceiling: 45), "\(terminal.screen)")
        }

        terminal.send("q")
        #expect(terminal.waitForExit() == 0, "\(terminal.screen)")
        #expect(try comesTrue { try setting.streams() == 0 })
        #expect(try setting.herald.run("status", "--json").text.contains(#""events":"idle""#))
    }

    /// Fails when each event of a burst starts a pass of its own.
    @Test func `a burst of events is answered by few passes`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        #expect(terminal.wait { _ in (try? setting.streams()) == 1 })

        let start = Environment.monotonicMilliseconds
        for number in 1...100 {
            try setting.control("/deliver?to=info@example.test", body: mail("Number \(number) of many"))
        }
        #expect(
            try comesTrue {
                let list = try setting.herald.run("list", "conversations", "--all", "--json")
                return list.text.contains("Number 100 of many")
            })
        #expect(terminal.waitForExit(ceiling: 0) == nil)
        // However slow the machine, passes begin a second apart.
        let seconds = Int((Environment.monotonicMilliseconds - start) / 1_000)
        #expect(try setting.requests("GET /api/v1/mailboxes") < 20 + seconds)
    }

    @Test func `without events nothing is asked for and a key still fetches`() throws {
        let setting = try Setting(hasEvents: false)
        defer { setting.server.stop() }
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        #expect(terminal.wait { _ in (try? setting.requests("GET /api/v1/drafts")) ?? 0 > 0 })

        try setting.control("/deliver?to=info@example.test", body: mail("Tide tables"))
        let isFetched = terminal.wait { terminal in
            terminal.send("$")
            return terminal.screen.contains("Tide tables")
        }

        #expect(isFetched, "\(terminal.screen)")
        #expect(try setting.requests("GET /api/v1/events") == 0)
        #expect(try setting.herald.run("status").text.contains("events     not offered by the server"))
    }
}

extension Setting {
    /// The event streams that are open.
    func streams() throws -> Int {
        let answer = String(decoding: try ask(server.controlPort, "/streams"), as: UTF8.self)
        return Int(answer.filter(\.isNumber)) ?? -1
    }

    /// How often a route was asked.
    func requests(_ route: String) throws -> Int {
        let answer = String(decoding: try ask(server.controlPort, "/log"), as: UTF8.self)
        guard let found = answer.firstRange(of: "\"\(route)\":") else { return 0 }
        return Int(answer[found.upperBound...].prefix { $0.isNumber }) ?? -1
    }
}
