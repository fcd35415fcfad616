internal import Glibc
internal import LocalServer
internal import MailModel
internal import MailStorage
internal import MailTestSupport
internal import Platform
internal import Testing

/// `herald send` where there is no room.
@Suite(.serialized, .ownThread)
struct SendDiskTests {
    private let setting: Setting

    init() throws { setting = try Setting() }

    private func variables(_ home: String) -> [String: String] {
        setting.herald.environment.merging(["HERALD_HOME": home + "/h"]) { $1 }
    }

    private func run(_ arguments: [String], _ home: String) throws -> Ended {
        try #require(try setting.herald.start(arguments, environment: variables(home)).wait())
    }

    private func words(_ subject: String) throws -> [String] {
        let body = setting.herald.home.path + "/body"
        try Files.replace(body, with: Array("The words.".utf8))
        return ["send", "--to", "ann@client.example", "--subject", subject, "--body", body]
    }

    /// The code must not have anybody send a mail twice, or believe that it was sent.
    private func expectTruth(_ ended: Ended, _ subject: String) throws {
        let sent = try setting.mailsHandedOn(subject)
        switch ended.code {
        case 0: #expect(sent == 1, "\(subject): \(ended.errors)")
        case 79: #expect(ended.errors.contains("do not send it anew"), "\(subject): \(ended.errors)")
        case 74, 73:
            #expect(sent == 0, "\(subject): \(ended.errors)")
            // Where there is no room even to open the cache, that is what is told.
            #expect(ended.errors.contains("was not queued") || ended.errors.contains("Mail already here is safe"))
        default: Issue.record("\(subject): \(ended.code) \(ended.errors)")
        }
    }

    /// After there is room again, what was told as waiting is sent once, and what was told as failed never is.
    private func expectEnd(_ code: Int32, _ subject: String, _ home: String) throws {
        for _ in 0..<2 {
            let ended = try run(["outbox", "retry"], home)
            #expect(ended.code == 0, "\(subject): \(ended.errors)")
        }
        #expect(try setting.mailsHandedOn(subject) == (code == 0 || code == 79 ? 1 : 0), "\(subject)")
        #expect(try run(["outbox", "list", "--json"], home).text.contains("\"items\":[]"), "\(subject)")
    }

    /// Fails when a mail that left is told as not sent, or one that was told as not sent leaves later.
    @Test(.enabled(if: SmallDisk.isPossible, "needs root, to mount a small disk"))
    func `a full disk never has a mail sent twice, or told as sent that was not`() throws {
        defer { setting.server.stop() }
        let disk = try SmallDisk(kilobytes: 16_384)
        #expect(try run(["--sync-once"], disk.path).code == 0)
        for kilobytes in [0, 4, 8, 12, 16, 24, 32, 40, 48, 64, 80, 96, 128] {
            let subject = "Room \(kilobytes) kB"
            try disk.fill(leaving: kilobytes)
            let ended = try run(try words(subject), disk.path)
            try expectTruth(ended, subject)
            disk.empty()
            try expectEnd(ended.code, subject, disk.path)
        }
    }

    /// Fails when a disk that fills up while the mail is under way has it told as a failure, or sent again.
    @Test(.enabled(if: SmallDisk.isPossible, "needs root, to mount a small disk"))
    func `a disk that fills up while the mail is under way does not hide that it left`() throws {
        defer { setting.server.stop() }
        let disk = try SmallDisk(kilobytes: 16_384)
        #expect(try run(["--sync-once"], disk.path).code == 0)
        try setting.control("/fault?kind=stall&ms=2000&after=1&method=POST&path=/api/v1/send")
        let running = try setting.herald.start(try words("Under way"), environment: variables(disk.path))
        #expect(
            try comesTrue {
                let struck = try ask(setting.server.controlPort, "/struck", method: "POST")
                return !running.isRunning || !struck.starts(with: Array("{\"ok\":true,\"count\":0".utf8))
            })
        try disk.fill(leaving: 0)
        let ended = try #require(running.wait())

        try expectTruth(ended, "Under way")
        #expect(ended.code == 0 || ended.code == 79, "\(ended.errors)")
        disk.empty()
        try expectEnd(ended.code, "Under way", disk.path)
    }

    /// Fails when an output that cannot be written has a script send a mail twice.
    @Test func `mail that was sent is told with 0 also where the output cannot be written`() throws {
        defer { setting.server.stop() }
        #expect(try setting.herald.run("--sync-once").code == 0)
        let ended = try #require(
            try setting.herald.start(try words("No output"), after: "exec >/dev/full").wait())
        #expect(ended.code == 0)
        #expect(ended.errors.contains("The mail was sent. The output cannot be written."), "\(ended.errors)")
        #expect(try setting.mailsHandedOn("No output") == 1)
    }
}
