import Glibc
import HTTP
import HTTPTransport
import LocalServer
import MailAPI
import MailModel
import MailStorage
import MailSync
import MailTestSupport
import Testing

/// The local server on loopback, with its verbs for tests.
final class Site: Sendable {
    let server: RunningServer
    let http: CurlClient

    init() throws {
        var options = ServerOptions()
        options.hasDemoUsers = true
        server = try MailServer.start(options)
        http = try CurlClient(version: "test")
    }

    deinit {
        http.stop()
        server.stop()
    }

    /// Does a verb such as `/deliver?to=…&count=…`; answers what the server said.
    @discardableResult
    func control(_ verb: String) async throws -> String {
        let url = "http://127.0.0.1:\(server.controlPort)\(verb)"
        let response = try await http.send(HTTPRequest(method: "POST", url: url, body: []))
        try #require(response.status == 200, "\(verb)")
        return String(decoding: response.body, as: UTF8.self)
    }

    /// The first identifier that a verb's answer names.
    func firstID(_ answer: String) throws -> String {
        try #require(answer.split(separator: "\"").first { $0.hasPrefix("msg_") }).description
    }

    func api(_ user: String) -> HTTPMailAPIClient {
        HTTPMailAPIClient(origin: server.origin, token: "hqb_access_\(user)", client: http)
    }

    /// A new cache of a user that bootstraps.
    func fresh(_ user: String) async throws -> View {
        let cache = try SiteCache(api(user))
        _ = try await cache.engine.pass()
        return try await cache.view()
    }
}

/// What a cache shows, for comparing two.
struct View: Hashable {
    var messages: [MessageSummary]
    var counts: [MailboxCounts]
    var drafts: [DraftID]
}

/// A cache on a new file and its engine.
final class SiteCache: Sendable {
    let store: MailStore
    let engine: SyncEngine
    let clock = ManualClock()
    let path: String
    private let scratch: Scratch

    init(_ api: any MailAPIClient) throws {
        scratch = try Scratch()
        path = scratch.path + "/cache.sqlite"
        store = try MailStore(path: path, owner: "test")
        let clock = clock
        engine = SyncEngine(api: api, store: store, now: { clock.milliseconds })
    }

    func view() async throws -> View {
        guard let reader = try MailReader(path: path, owner: "test") else { throw StoreError.cannotAccess }
        return View(
            messages: try await reader.messages(mailbox: nil, folder: nil, limit: nil),
            counts: try await reader.mailboxCounts(), drafts: try await reader.drafts(mailbox: nil).map(\.id))
    }
}

/// A client that does something of the test's before a request goes out.
final class TappedClient: MailAPIClient {
    private let client: any MailAPIClient
    private let before: @Sendable (String) async throws -> Void

    init(_ client: any MailAPIClient, before: @escaping @Sendable (String) async throws -> Void) {
        self.client = client
        self.before = before
    }

    var traffic: Traffic { client.traffic }

    func features() async throws -> ServerFeatures { try await client.features() }

    func mailboxes() async throws -> [Mailbox] {
        try await before("mailboxes")
        return try await client.mailboxes()
    }

    func messages(listing: Listing, next: String?, limit: Int) async throws -> MessagePage {
        let place = next == nil ? "first" : "later"
        switch listing {
        case .folder(let folder): try await before("\(place) \(folder.rawValue)")
        case .mailbox: try await before("\(place) mailbox")
        case .everything: try await before("\(place) everything")
        }
        return try await client.messages(listing: listing, next: next, limit: limit)
    }

    func changes(cursor: String?) async throws -> ChangePage {
        try await before(cursor == nil ? "checkpoint" : "changes")
        return try await client.changes(cursor: cursor)
    }

    func drafts(next: String?) async throws -> DraftPage { try await client.drafts(next: next) }
    func message(_ id: MessageID) async throws -> MessageDetail { try await client.message(id) }
    func thread(of id: MessageID) async throws -> [MessageDetail] { try await client.thread(of: id) }

    func html(of id: MessageID, loadRemoteImages: Bool) async throws -> MessageHTML? {
        try await client.html(of: id, loadRemoteImages: loadRemoteImages)
    }

    func attachment(_ id: AttachmentID) async throws -> [UInt8] { try await client.attachment(id) }

    func inline(message: MessageID, attachment: AttachmentID) async throws -> [UInt8] {
        try await client.inline(message: message, attachment: attachment)
    }
}
