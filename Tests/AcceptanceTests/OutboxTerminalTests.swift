internal import Glibc
internal import LocalServer
internal import MailModel
internal import MailStorage
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// What waits, sent by the terminal program.
@Suite(.serialized, .ownThread)
struct OutboxTerminalTests {
    private let setting: Setting

    init() throws {
        setting = try Setting()
        let ended = try setting.herald.run("--sync-once")
        try #require(ended.code == 0, "\(ended.errors)")
    }

    private func writes() throws -> [DoneWrite] { try DoneWrite.all(setting.server.controlPort) }

    @Test func `a key is sent without a pass being asked for`() throws {
        defer { setting.server.stop() }
        let terminal = try setting.herald.open()
        try #require(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        terminal.send("e")
        #expect(try comesTrue { try writes().count == 1 })
        #expect(try writes().first?.path.hasSuffix("/archive") == true)
        terminal.send("u")
        #expect(try comesTrue { try writes().count == 2 })
        #expect(try writes().last?.path.hasSuffix("/unarchive") == true)
        terminal.send("q")
        #expect(terminal.waitForExit() == 0)
    }

    /// Fails when quitting waits for a server that does not answer, or leaves something as being sent.
    @Test func `quitting while the server is silent leaves nothing under way`() async throws {
        defer { setting.server.stop() }
        try setting.control("/fault?kind=swallow&ms=600000&method=POST&path=/api/v1/messages/*&times=9")
        let terminal = try setting.herald.open()
        try #require(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        terminal.send("e")
        #expect(
            try comesTrue {
                try !ask(setting.server.controlPort, "/struck", method: "POST").starts(
                    with: Array("{\"ok\":true,\"count\":0".utf8))
            })
        terminal.send("q")
        #expect(terminal.waitForExit() == 0)
        let waiting = try await setting.herald.outbox().operations()
        #expect(waiting.count == 1 && waiting.allSatisfy { $0.status == .retrying })
        try setting.control("/fault")
        #expect(try setting.herald.run("--sync-once").code == 0)
        #expect(try writes().count == 1)
    }
}
