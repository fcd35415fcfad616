internal import Glibc
internal import LocalServer
internal import MailModel
internal import MailStorage
internal import MailTestSupport
internal import Platform
internal import SoakSupport
internal import Testing

/// Everything that may go wrong with a send, together with kills of the program.
@Suite(.serialized, .ownThread)
struct SendProductTests {
    private static let isSoak = Environment.value("HERALD_SOAK_SECONDS") != nil
    /// Every how-manieth statement of a pass is tried.
    private static let stride = isSoak ? 1 : 1_000

    private let setting: Setting

    init() throws {
        setting = try Setting()
        try #require(try setting.herald.run("--sync-once").code == 0)
    }

    /// Fails when a spoilt answer, a kill and a draft that goes meanwhile together have a mail sent twice, its text lost,
    /// or told as sent without its copy.
    @Test(arguments: SendProofTests.spoilings, [false, true])
    func `a spoilt send is killed anywhere, and sent once or looked for`(
        _ spoiling: SendProofTests.Spoiling, isDraftGone: Bool
    ) async throws {
        defer { setting.server.stop() }
        // Each combination begins elsewhere, so that an ordinary run tries many places.
        let place = SendProofTests.spoilings.firstIndex { $0.control == spoiling.control } ?? 0
        var point = SendProductTests.isSoak ? 1 : 1 + place * 11 + (isDraftGone ? 5 : 0)
        while true {
            let name = "\(spoiling.testDescription), \(isDraftGone ? "gone, " : "")\(point)"
            let mail = try await setting.queueMail(name)
            try setting.control(spoiling.control)
            let isKilled = try run(killedAt: point)
            try await setting.checkMail(mail, name)
            if isDraftGone { try await deleteDraft(mail) }
            // Once more, somewhere else in the work that is left.
            _ = try run(killedAt: 1 + point * 7 % 60)
            for pass in 1...5 {
                _ = try await setting.herald.outbox().hurrySends()
                _ = try setting.herald.run("--sync-once")
                try await setting.checkMail(mail, "\(name), pass \(pass)")
            }
            try await expectEnd(mail, spoiling, name)
            try setting.control("/fault")
            try setting.control("/sender?fail=0")
            guard isKilled else { break }
            point += SendProductTests.stride
        }
    }

    private func run(killedAt point: Int) throws -> Bool {
        var doomed = setting.herald
        doomed.variables["HERALD_FAULT"] = "statement:\(point)"
        return try doomed.run("--sync-once").code == 128 + SIGKILL
    }

    private func deleteDraft(_ mail: TestMail) async throws {
        guard let id = try await setting.herald.outbox().draft(mail.draft)?.server?.id else { return }
        try? setting.control("/delete-draft?id=\(id)")
    }

    /// Checks how a mail ended, and has the next one find an empty outbox.
    private func expectEnd(_ mail: TestMail, _ spoiling: SendProofTests.Spoiling, _ name: String) async throws {
        let handedOn = try setting.mailsHandedOn(mail.subject)
        switch try await setting.checkMail(mail, "\(name), end") {
        case .sent: #expect(handedOn == 1, "\(name)")
        // What a provider took and the server then failed at has no copy.
        case .unknown: #expect(handedOn <= (spoiling.control.hasSuffix("when=after") ? 1 : 0), "\(name)")
        case .held(.gone): #expect(handedOn == 0, "\(name)")
        case let status: Issue.record("\(name): \(status)")
        }
        let outbox = try setting.herald.outbox()
        _ = try await outbox.keepAsDraft(mail.send)
        try await outbox.discardDraft(mail.draft)
        _ = try setting.herald.run("--sync-once")
    }
}
