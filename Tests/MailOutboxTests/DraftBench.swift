import HTTPTransport
import LocalServer
import MailAPI
import MailModel
import MailOutbox
import MailStorage
import MailTestSupport
import Platform
import SQLite
import Synchronization

/// Drafts on the disk, and a local server over sockets that they are saved to.
final class DraftBench: Sendable {
    static let now: Int64 = 1_767_312_000_000

    let server: RunningServer
    let store: OutboxStore
    let api: HTTPMailAPIClient
    let recorder: RecordedDrafts
    let spool: DraftSpool
    let open: OpenDrafts
    let directory: String
    private let scratch: Scratch
    private let told = Mutex<[OutboxEvent]>([])
    private let clock = Mutex(Environment.millisecondsSinceEpoch)

    init() throws {
        scratch = try Scratch()
        directory = scratch.path
        var options = ServerOptions()
        options.hasDemoUsers = true
        server = try MailServer.start(options)
        store = try OutboxStore(path: directory + "/outbox.sqlite", owner: "http://127.0.0.1 one")
        api = HTTPMailAPIClient(
            origin: server.origin, token: "hqb_access_owner", client: try CurlClient(version: "1"))
        recorder = RecordedDrafts(api)
        spool = DraftSpool(directory: directory + "/files")
        open = OpenDrafts(directory: directory + "/open")
    }

    deinit { server.stop() }

    var events: [OutboxEvent] { told.withLock { $0 } }

    /// The program's time, in milliseconds since 1970.
    var time: Int64 { clock.withLock { $0 } }

    func passTime(_ milliseconds: Int64) { clock.withLock { $0 += milliseconds } }

    /// A saver as each drain of a process has one.
    func saver(isInteractive: Bool = false) -> DraftSaver {
        DraftSaver(
            store: store, api: recorder, spool: spool, open: open, isInteractive: isInteractive,
            now: { self.time },
            tell: { event in self.told.withLock { $0.append(event) } })
    }

    @discardableResult
    func save(isInteractive: Bool = false) async throws -> DraftReport {
        try await saver(isInteractive: isInteractive).run()
    }

    /// What the server has, the last changed first.
    func drafts() async throws -> [Draft] { try await api.drafts(next: nil).drafts }

    func create(_ content: DraftContent, mode: ConflictMode = .auto) async throws -> LocalDraft {
        try await store.createDraft(content, mode: mode, at: time)
    }

    func draft(_ id: LocalDraftID) async throws -> LocalDraft? { try await store.draft(id) }

    /// Asks the server's control port.
    @discardableResult
    func control(_ target: String, _ body: String = "") throws -> String {
        try WireClient(port: server.controlPort).send("POST", target, body: Array(body.utf8)).body
    }

    /// Changes a draft of the server as another client does.
    func changeElsewhere(_ id: DraftID, _ change: (inout DraftUpload) -> Void) async throws {
        let draft = try await api.draft(id)
        var upload = DraftUpload(DraftContent(draft))
        change(&upload)
        _ = try await api.replaceDraft(id, version: draft.version, with: upload, requestID: "elsewhere")
    }

    /// What was asked of the server by savers since the last call.
    func requests() -> [String] { recorder.take() }

    /// Makes a file of so many bytes that are not all the same; answers its path.
    func file(_ name: String, bytes count: Int) throws -> String {
        let path = directory + "/" + name
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        try Files.replace(path, with: bytes, isSynced: false)
        return path
    }

    /// Attaches a file as the program does.
    @discardableResult
    func attach(_ path: String, to id: LocalDraftID) async throws -> DraftFile {
        let files = try await store.draft(id)?.files ?? []
        let copy = try spool.add(path, to: files)
        let file = DraftFile(
            id: DraftFileID(milliseconds: time, random: (UInt64(files.count), 7)), filename: copy.filename,
            contentType: copy.contentType, sizeBytes: copy.sizeBytes, sha256: copy.sha256)
        try await store.addFile(file, to: id, at: time)
        return file
    }
}

extension DraftContent {
    /// A content from the demo server's own address.
    static func written(
        to: String = "a@client.example", subject: String = "A", text: String = "A"
    ) -> DraftContent {
        DraftContent(from: "info@example.test", to: to, subject: subject, text: text)
    }
}

/// The server's routes of drafts, with a note of what was asked of them.
final class RecordedDrafts: DraftWriting {
    private struct State {
        var asked: [String] = []
        var active = 0
        var activeMax = 0
    }

    private let api: any DraftWriting
    private let state = Mutex(State())

    init(_ api: any DraftWriting) { self.api = api }

    /// The most requests that were under way at once.
    var activeMax: Int { state.withLock { $0.activeMax } }

    func take() -> [String] {
        state.withLock { state in
            defer { state.asked = [] }
            return state.asked
        }
    }

    private func note<Answer: Sendable>(
        _ name: String, _ ask: @Sendable () async throws -> Answer
    ) async throws -> Answer {
        state.withLock { state in
            state.asked.append(name)
            state.active += 1
            state.activeMax = max(state.activeMax, state.active)
        }
        defer { state.withLock { $0.active -= 1 } }
        return try await ask()
    }

    func drafts(next: String?) async throws -> DraftPage { try await note("list") { try await api.drafts(next: next) } }

    func draft(_ id: DraftID) async throws -> Draft { try await note("get") { try await api.draft(id) } }

    func createDraft(_ draft: DraftUpload, requestID: String) async throws -> Draft {
        try await note("create") { try await api.createDraft(draft, requestID: requestID) }
    }

    func replaceDraft(
        _ id: DraftID, version: Int, with draft: DraftUpload, requestID: String
    ) async throws -> Draft {
        try await note("replace") {
            try await api.replaceDraft(id, version: version, with: draft, requestID: requestID)
        }
    }

    func deleteDraft(_ id: DraftID) async throws { try await note("delete") { try await api.deleteDraft(id) } }

    func upload(
        path: String, filename: String, contentType: String, sizeBytes: Int, to draft: DraftID,
        progress: @escaping @Sendable (Int) -> Void
    ) async throws -> DraftAttachment {
        try await note("upload") {
            try await api.upload(
                path: path, filename: filename, contentType: contentType, sizeBytes: sizeBytes, to: draft,
                progress: progress)
        }
    }

    func deleteAttachment(_ id: AttachmentID, of draft: DraftID) async throws {
        try await note("takeOff") { try await api.deleteAttachment(id, of: draft) }
    }
}

extension DraftBench {
    /// Makes a send one whose request was made and has no answer.
    func markAsPosted(_ id: SendID) async throws {
        let database = try Database(directory + "/outbox.sqlite")
        try database.run(
            "UPDATE sends SET status = 'unknown', posted_at = 1, may_have_arrived = 1 WHERE id = '\(id.rawValue)'")
    }
}
