import MailModel
import MailStorage
import MailTestSupport
import Platform
import Testing

@testable import MailApp

/// What is not sent yet, where somebody signs out.
struct UnsentWorkTests {
    private static func message(_ id: String) -> MessageSummary {
        MessageSummary(
            id: MessageID(id), threadID: ThreadID("t"), mailboxID: MailboxID("a"), direction: .inbound, folder: "inbox",
            fromAddress: "a@example.org", to: [], subject: "", snippet: "",
            receivedAt: Timestamp("2026-01-01T00:00:00.000Z"), sentAt: nil, readAt: nil, starredAt: nil,
            hasAttachments: false, createdAt: Timestamp("2026-01-01T00:00:00.000Z"))
    }

    /// Fails when unsent work is lost without its number, is kept against the person's word, or the file is changed.
    @Test func `unsent work goes only by its number`() async throws {
        let scratch = try Scratch()
        let places = Places(config: scratch.path, cache: scratch.path, state: scratch.path)
        let account = Account(label: "a", origin: "", credential: .signIn(identity: "i"), places: places)
        let work = UnsentWork(account)
        try work.checkDiscard(nil)
        #expect(throws: CommandFailure.self) { try work.checkDiscard(1) }
        #expect(Files.names(in: scratch.path).isEmpty)

        try Files.makeDirectory(account.stateDirectory)
        let path = account.stateDirectory + "/outbox.sqlite"
        let store = try OutboxStore(path: path, owner: "o")
        try work.checkDiscard(nil)
        let operations = ["1", "2"].map { NewOperation(.star, on: Self.message($0)) }
        _ = try await store.enqueue(operations, name: "Star", at: 1)
        for named in [nil, 1, 3] {
            let failure = #expect(throws: CommandFailure.self) { try work.checkDiscard(named) }
            #expect(failure?.exitCode == .badInput)
            #expect(failure?.message.contains("2 changes are not sent yet") == true)
            #expect(failure?.message.contains("--discard 2") == true)
        }
        try work.checkDiscard(2)
        #expect(try await store.counts().queued == 2)
    }

    /// Fails when an outbox that cannot be read passes for an empty one.
    @Test func `a damaged outbox stops a sign-out`() throws {
        let scratch = try Scratch()
        let places = Places(config: scratch.path, cache: scratch.path, state: scratch.path)
        let account = Account(label: "a", origin: "", credential: .signIn(identity: "i"), places: places)
        try Files.makeDirectory(account.stateDirectory)
        let path = account.stateDirectory + "/outbox.sqlite"
        try Files.replace(path, with: Array(repeating: 0x41, count: 8_192))
        let failure = #expect(throws: CommandFailure.self) { try UnsentWork(account).checkDiscard(1) }
        #expect(failure?.exitCode == .inputOutput)
        #expect(Files.exists(path))
    }
}
