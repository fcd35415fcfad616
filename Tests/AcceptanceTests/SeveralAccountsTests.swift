internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// Several accounts at once, with the real program and a server for each.
@Suite(.ownThread)
struct SeveralAccountsTests {
    /// Two servers with the same mail, and so with ids that may be the same, and a program signed in to both.
    struct World {
        let one: Setting
        let two: Setting

        init() throws {
            (one, two) = (try Setting(), try Setting())
            for (setting, name) in [(one, "one"), (two, "two")] {
                try setting.control("/lifetime?interval=1")
                let adding = try one.herald.start(
                    ["account", "add", setting.server.origin, "--name", name], environment: environment)
                #expect(SigningInTests.approve(setting))
                let ended = try #require(adding.wait())
                #expect(ended.code == 0, "\(ended.errors)")
                let mail = "From: ann@client.example\r\nTo: info@example.test\r\nSubject: Only in \(name)\r\n\r\nHi\r\n"
                try setting.control("/deliver?to=info@example.test", body: mail)
            }
        }

        var environment: [String: String] {
            var environment = one.herald.environment
            environment["HERALD_ORIGIN"] = nil
            environment["HERALD_TOKEN"] = nil
            return environment
        }

        func run(_ arguments: String...) throws -> Ended {
            try #require(try one.herald.start(arguments, environment: environment).wait())
        }

        func open(_ arguments: String...) throws -> VirtualTerminal {
            var herald = one.herald
            (herald.variables["HERALD_ORIGIN"], herald.variables["HERALD_TOKEN"]) = (.some(nil), .some(nil))
            return try herald.open(arguments, columns: 120, rows: 30)
        }

        func stop() {
            one.server.stop()
            two.server.stop()
        }
    }

    /// Fails when one account's pass, failure or mail touches the other's.
    @Test func `a pass of all accounts tells of each and ends with the worst`() throws {
        let world = try World()
        defer { world.stop() }
        let first = try world.run("--sync-once")
        #expect(first.code == 0, "\(first.errors)")
        #expect(first.text.contains("one: ") && first.text.contains("two: "), "\(first.text)")
        let json = try world.run("--sync-once", "--json")
        #expect(json.text.contains(#""account":"one""#) && json.text.contains(#""account":"two""#), "\(json.text)")
        #expect(try world.run("--sync-once", "--quiet").text.isEmpty)

        let asked = try world.run("list", "messages")
        #expect(asked.code == 64)
        #expect(asked.errors.contains("Add “--account” with one of: one, two."), "\(asked.errors)")
        #expect(try world.run("account", "check").errors == asked.errors)
        #expect(try world.run("account", "check", "--account", "two").code == 0)
        let listed = try world.run("list", "messages", "--account", "two")
        #expect(listed.text.contains("Only in two") && !listed.text.contains("Only in one"))
        #expect(try world.run("list", "messages", "--account", "three").code == 65)

        // The second server dies: the first account's mail comes all the same.
        world.two.server.stop()
        let news = "From: ann@client.example\r\nTo: info@example.test\r\nSubject: After the end\r\n\r\nHi\r\n"
        try world.one.control("/deliver?to=info@example.test", body: news)
        let half = try world.run("--sync-once", "--quiet")
        #expect(half.code == 69, "\(half.errors)")
        #expect(half.errors.hasPrefix("herald: two: "), "\(half.errors)")
        #expect(try world.run("--sync-once", "--quiet").errors.isEmpty)
        #expect(try world.run("list", "messages", "--account", "one").text.contains("After the end"))
        let mixed = try world.run("--sync-once", "--json")
        #expect(mixed.code == 69)
        #expect(mixed.text.contains(#""exitCode":69"#), "\(mixed.text)")

        // A session that has ended needs a person, which is worse than a server that may come back.
        try world.one.control("/end-session?user=owner")
        #expect(try world.run("--sync-once", "--quiet").code == 77)
        let status = try world.run("status", "--json")
        #expect(status.text.contains(#""account":"one","mode":"signedOut""#), "\(status.text)")
        #expect(status.text.contains(#""account":"two","mode":"offline""#), "\(status.text)")
    }

    /// Fails when a screen shows one account's mail as another's, or a dead server stops the living one.
    @Test func `both accounts are read in one terminal while one dies`() throws {
        let world = try World()
        defer { world.stop() }
        let terminal = try world.open("--account", "two")
        #expect(terminal.wait { $0.screen.contains("Only in two") && !$0.screen.contains("Only in one") })
        terminal.send("gA")
        #expect(terminal.wait { $0.screen.contains("Only in one") && !$0.screen.contains("Only in two") })
        terminal.send("gI")
        #expect(terminal.wait { $0.screen.contains("Only in one") && $0.screen.contains("Only in two") })
        #expect(terminal.waitFor("› All inboxes"), "\(terminal.screen)")

        // The same conversation is in both; the one of the second account opens there.
        world.two.server.stop()
        terminal.send("$")
        #expect(terminal.waitFor("two offline"), "\(terminal.screen)")
        let news = "From: ann@client.example\r\nTo: info@example.test\r\nSubject: After the end\r\n\r\nHi\r\n"
        try world.one.control("/deliver?to=info@example.test", body: news)
        #expect(
            terminal.wait { $0.screen.contains("After the end") && $0.screen.contains("Only in two") },
            "\(terminal.screen)")

        // Removing it elsewhere while this runs is told, and harms nothing.
        #expect(try world.run("account", "remove", "--name", "one").code == 0)
        #expect(terminal.waitFor("The account “one” was removed."), "\(terminal.screen)")
        #expect(!terminal.screen.contains("After the end"), "\(terminal.screen)")
        #expect(!Files.exists(world.one.herald.home.path + "/h/cache/one"))
        #expect(!Files.exists(world.one.herald.home.path + "/h/state/one"))
        terminal.send("Q")
        #expect(terminal.waitForExit() == 0, "\(terminal.screen)")
        #expect(terminal.isCooked)
    }
}
