import HTTP
import MailAPI
import MailModel
import MailOutbox
import MailStorage
import MailTestSupport
import Synchronization
import Testing

/// A server that keeps what it sent, and fails as a test says.
final class FakeSender: MailSending, SendReading {
    struct State {
        var sent: [MessageDetail] = []
        var requests: [OutgoingMail] = []
        /// What becomes of the next requests: whether they are carried out, and the failure that is answered.
        var script: [(isDone: Bool, failure: WriteFailure?)] = []
        var readFailure: MailAPIError?
        var thread: [MessageDetail] = []
        var isMain = true
        /// What a person does while the request is under way.
        var meanwhile: (@Sendable () async -> Void)?
    }

    let state = Mutex(State())

    func send(_ mail: OutgoingMail, requestID: SendID) async throws -> MessageSummary {
        let meanwhile = state.withLock { $0.meanwhile }
        await meanwhile?()
        return try state.withLock { state in
            state.requests.append(mail)
            let turn = state.script.isEmpty ? (isDone: true, failure: nil) : state.script.removeFirst()
            var copy = SendMachineTests.message("sent-\(state.sent.count + 1)", at: StageWorld.after)
            (copy.to, copy.subject, copy.fromAddress) = (mail.to, mail.subject, mail.from)
            if turn.isDone {
                state.sent.append(
                    MessageDetail(
                        summary: copy, cc: mail.cc, bcc: mail.bcc, deliveredToAddress: nil, textBody: mail.text,
                        htmlAvailable: false, internetMessageID: nil, inReplyTo: nil, references: [], attachments: []))
            }
            if let failure = turn.failure { throw failure }
            return copy
        }
    }

    private func read<Value>(_ value: (State) -> Value) throws -> Value {
        try state.withLock { state in
            if let failure = state.readFailure { throw failure }
            return value(state)
        }
    }

    func features() async throws -> ServerFeatures {
        try read { ServerFeatures(hasChanges: true, hasDraftChanges: $0.isMain, hasEvents: false) }
    }
    func message(_ id: MessageID) async throws -> MessageDetail {
        guard let found = try read({ ($0.sent + $0.thread).first { $0.summary.id == id } }) else {
            throw MailAPIError.notFound("")
        }
        return found
    }
    func thread(of id: MessageID) async throws -> [MessageDetail] { try read { $0.thread } }
    func sent(of mailbox: MailboxID?, next: String?) async throws -> MessagePage {
        try read { MessagePage(messages: $0.sent.reversed().map(\.summary), next: nil) }
    }
}

/// Brings drafts to a server that takes everything, or answers what a test says.
struct FakeBringer: DraftBringing {
    let outbox: OutboxStore
    var answer: BroughtDraft?

    func bring(_ id: LocalDraftID) async throws -> BroughtDraft {
        if let answer { return answer }
        guard var draft = try await outbox.draft(id) else { return .gone }
        draft.server = ServerDraft(id: DraftID("drf-\(id)"), version: 1, content: draft.content)
        return .saved(draft, at: Timestamp(StageWorld.before))
    }
}

/// Sent copies in memory.
final class FakeCopies: SentCopies {
    let inserted = Mutex<[MessageID]>([])
    let failure = Mutex<StoreError?>(nil)

    func insert(sent message: MessageSummary, of draft: DraftID?) async throws {
        if let failure = failure.withLock({ $0 }) { throw failure }
        inserted.withLock { $0.append(message.id) }
    }
    func conversation(of message: MessageID) async throws -> [MessageSummary] { [] }
}

/// An outbox on the disk, and a drain's last part over it.
struct StageWorld {
    static let now: Int64 = 1_767_312_000_000
    static let before = "2026-01-02T00:00:00.000Z"
    static let after = "2026-01-02T00:00:00.100Z"

    let scratch: Scratch
    let outbox: OutboxStore
    let server = FakeSender()
    let copies = FakeCopies()

    init() throws {
        scratch = try Scratch()
        outbox = try OutboxStore(path: scratch.path + "/outbox.sqlite", owner: "http://127.0.0.1 one")
    }

    func draft(_ text: String = "A word.", origin: DraftOrigin = .new) async throws -> LocalDraftID {
        try await outbox.createDraft(
            DraftContent(origin: origin, from: "me@x.example", to: "a@x.example", subject: "Hello", text: text),
            at: StageWorld.now
        ).id
    }

    func queue(_ draft: LocalDraftID, delay: Int64 = 0, minder: SendMinderID? = nil) async throws -> SendID {
        let send = try await outbox.queueSend(
            draft, notBefore: StageWorld.now + delay, minder: minder, at: StageWorld.now)
        return try #require(send).id
    }

    func drain(
        at time: Int64 = 0, answer: BroughtDraft? = nil, isMinding: Bool = true
    ) async throws -> DrainReport {
        let stage = SendStage(
            queue: outbox, server: server, drafts: FakeBringer(outbox: outbox, answer: answer), copies: copies,
            surroundings: SendStage.Surroundings(
                now: { StageWorld.now + time }, isMinding: { _ in isMinding }, original: { _ in "---------- Forwarded" }
            ))
        try await stage.begin()
        return try await stage.run()
    }

    func status(_ id: SendID) async throws -> SendStatus? { try await outbox.send(id)?.status }

    func script(_ turns: (isDone: Bool, failure: WriteFailure?)...) { server.state.withLock { $0.script = turns } }
    /// Has another device send a mail with the words of a draft.
    func sendElsewhere(_ text: String = "A word.", at time: String = after) {
        var summary = SendMachineTests.message("elsewhere", at: time)
        (summary.to, summary.subject) = (["a@x.example"], "Hello")
        let copy = MessageDetail(
            summary: summary, cc: [], bcc: [], deliveredToAddress: nil, textBody: text, htmlAvailable: false,
            internetMessageID: nil, inReplyTo: nil, references: [], attachments: [])
        server.state.withLock { $0.sent.append(copy) }
    }

    var sentCount: Int { server.state.withLock { $0.sent.count } }
    var requestCount: Int { server.state.withLock { $0.requests.count } }
}
