internal import Glibc
internal import JSON
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import Testing

/// `herald watch` with real processes.
@Suite(.serialized, .ownThread)
struct WatchTests {
    private func deliver(_ setting: Setting, _ subject: String) throws {
        try setting.control(
            "/deliver?to=info@example.test",
            body: "From: Ann Berg <ann@client.example>\r\nTo: info@example.test\r\nSubject: \(subject)\r\n\r\nHi\r\n")
    }

    /// Fails when what other processes commit, how their passes end, or what was given up is not told.
    @Test func `events of other processes are lines of JSON`() throws {
        let setting = try Setting()
        #expect(try setting.herald.run("--sync-once").code == 0)
        let watch = try Watch(setting.herald, ["--json"])
        #expect(watch.waits { $0.contains(#""event":"opened""#) }, "\(watch.lines())")

        try deliver(setting, "Tide tables")
        #expect(try setting.herald.run("--sync-once").code == 0)
        #expect(watch.waits { $0.contains(#""event":"synced","at":"2"#) }, "\(watch.lines())")
        #expect(
            watch.waits { line in
                line.contains(#""event":"changed","isBootstrap":false"#) && line.contains(#""inserted":["#)
                    && !line.contains(#""inserted":[]"#)
            }, "\(watch.lines())")

        #expect(try setting.herald.run("apply", "archive", "--where", "subject:tide", "--offline").code == 79)
        #expect(try setting.herald.run("outbox", "drop", "--all").code == 0)
        #expect(
            watch.waits { $0.contains(#""event":"mutationDropped""#) && $0.contains(#""kind":"archive""#) },
            "\(watch.lines())")

        setting.server.stop()
        #expect(try setting.herald.run("--sync-once").code == 69)
        #expect(watch.waits { $0.contains(#""event":"failed""#) && $0.contains(#""code":"unreachable""#) })
        for line in watch.lines() { #expect(line.hasPrefix(#"{"version":1,"type":"event","account":"127.0.0.1-"#)) }
        #expect(watch.areJSON())
    }

    /// Fails when an answer is not there at once, is not renewed by another process, or is printed unchanged.
    @Test func `answers come at once and again when they change`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        // Also from before there is a cache or an outbox.
        let watch = try Watch(
            setting.herald, ["--query", "conversations", "--query", "mailboxes", "--query", "operations"])
        #expect(watch.waits { $0.contains(#""query":"operations","items":[]"#) }, "\(watch.lines())")

        #expect(try setting.herald.run("--sync-once").code == 0)
        #expect(watch.waits { $0.contains(#""query":"conversations","folder":"inbox""#) && $0.contains("harbour") })
        #expect(watch.waits { $0.contains(#""inbox":{"total":3,"unread":4}"#) }, "\(watch.lines())")
        #expect(try setting.herald.run("apply", "read", "--where", "subject:harbour", "--offline").code == 79)
        #expect(watch.waits { $0.contains(#""query":"operations""#) && $0.contains(#""kind":"read""#) })
        #expect(watch.waits { $0.contains(#""inbox":{"total":3,"unread":3}"#) }, "\(watch.lines())")
        #expect(try setting.herald.run("--sync-once").code == 0)
        #expect(try setting.herald.run("--sync-once").code == 0)

        #expect(watch.areJSON())
        #expect(zip(watch.lines(), watch.lines().dropFirst()).allSatisfy { $0 != $1 })
        #expect(!watch.lines().contains { $0.contains(#""type":"event""#) })
    }

    /// Fails when one conversation, messages or drafts cannot be followed, or a query takes the first event away.
    @Test func `each query has its members`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try setting.herald.run("--sync-once").code == 0)
        let list = try setting.herald.run("list", "conversations", "--json").text
        let thread = try #require(list.firstRange(of: #""threadId":""#))
        let id = String(list[thread.upperBound...].prefix { $0 != "\"" })

        for (arguments, wanted) in [
            (["--query", "conversation", "--thread", id], #""threadId":"\#(id)","items":[{"id":""#),
            (["--query", "messages", "--limit", "1", "--folder", "inbox"], #""query":"messages","folder":"inbox""#),
            (["--query", "drafts", "--mailbox", "info@example.test"], #""query":"drafts","items":[]"#),
            (["--query", "mailboxes", "--events"], #""event":"opened""#),
        ] {
            let watch = try Watch(setting.herald, arguments)
            #expect(watch.waits { $0.contains(wanted) }, "\(arguments) \(watch.lines())")
            #expect(watch.areJSON())
        }
    }

    /// Fails when a watch outlives its reader, or ends noisily.
    @Test func `it ends with its reader and by signals, quietly`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try setting.herald.run("--sync-once").code == 0)

        let pipe = try setting.herald.run(
            ["-c", "{ \"$0\" watch --events --query mailboxes; echo $? >&2; } | head -n 1", Herald.program],
            of: ["/bin/sh"])
        #expect(pipe.errors == "0\n" && pipe.text.hasPrefix("{"), "\(pipe.errors)")

        for signal in [SIGINT, SIGTERM] {
            let watch = try Watch(setting.herald, ["--events"])
            #expect(watch.waits { $0.contains(#""event":"opened""#) })
            watch.process.signal(signal)
            let ended = try #require(watch.process.wait())
            #expect(ended.code == 128 + signal && ended.errors.isEmpty, "\(ended.errors)")
        }
    }

    @Test(
        arguments: [
            (["watch", "--query", "weather"], Int32(64)), (["watch", "--folder", "sent"], 64),
            (["watch", "--query", "conversation"], 64), (["watch", "--thread", "x"], 64),
            (["watch", "--query", "operations", "--mailbox", "info@example.test"], 64),
            (["watch", "--query", "messages", "--mailbox", "nobody@example.test"], 65),
            (["watch", "--account", "nobody"], 65),
        ] as [([String], Int32)])
    func `what cannot be watched is refused`(_ arguments: [String], _ code: Int32) throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        #expect(try setting.herald.run("--sync-once").code == 0)

        let ended = try setting.herald.run(arguments)

        #expect(ended.code == code && ended.output.isEmpty, "\(ended.errors)")
    }
}

/// A watch that runs, and the lines it has printed.
private final class Watch {
    let process: RunningHerald
    private let path: String

    init(_ herald: Herald, _ arguments: [String]) throws {
        path = herald.home.path + "/lines-\(UInt64.random(in: 0...UInt64.max))"
        process = try herald.start(["watch"] + arguments, after: "exec >'\(path)'")
    }

    deinit { process.signal(SIGKILL) }

    /// The whole lines so far.
    func lines() -> [String] {
        let text = String(decoding: (try? Files.read(path)) ?? [], as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Waits for a line.
    func waits(for isWanted: (String) -> Bool) -> Bool {
        comesTrue { lines().contains(where: isWanted) }
    }

    /// Whether every line is one value of JSON.
    func areJSON() -> Bool {
        lines().allSatisfy { line in
            var reader = JSONReader(Array(line.utf8))
            return (try? reader.skip()) != nil
        }
    }
}
