internal import Glibc
internal import HTTP
internal import HTTPTransport
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import Synchronization
internal import Testing

@testable internal import MailSignIn

/// A local server with short pauses, a client, and a place for tokens.
final class SignInWorld: Sendable {
    let server: RunningServer
    let client: CurlClient
    private let scratch: Scratch
    let origin: URLParts

    init() async throws {
        var options = ServerOptions()
        options.hasDemoUsers = true
        server = try MailServer.start(options)
        client = try CurlClient(version: "test")
        scratch = try Scratch()
        origin = try #require(URLParts(server.origin))
        try await control("/lifetime?interval=1")
    }

    deinit {
        client.stop()
        server.stop()
    }

    var file: TokenFile { TokenFile(path: scratch.path + "/token.json") }
    var lockPath: String { scratch.path + "/token.lock" }
    var signIn: SignIn { SignIn(client: client) { Environment.millisecondsSinceEpoch } }

    /// Uses a verb of the server.
    func control(_ target: String) async throws {
        let url = "http://127.0.0.1:\(server.controlPort)" + target
        let answer = try await client.send(HTTPRequest(method: "POST", url: url, body: []))
        #expect(answer.status == 200, "\(target)")
    }

    /// Signs in and keeps the tokens.
    @discardableResult
    func signedIn() async throws -> StoredSignIn {
        let pending = try await signIn.begin(origin, former: try file.load())
        try await control("/approve")
        let stored = try await signIn.wait(pending)
        try file.save(stored)
        return stored
    }

    /// A keeper as a process of its own would have it.
    func keeper(clockShift: Int64 = 0, jitter: Int64 = 0) -> TokenKeeper {
        TokenKeeper(
            store: file, lockPath: lockPath, client: client,
            now: { Environment.millisecondsSinceEpoch + clockShift }, jitter: jitter)
    }

    /// The status of a request with a bearer.
    func status(_ bearer: String) async throws -> Int {
        var request = HTTPRequest(url: server.origin + "/api/v1/mailboxes")
        _ = request.authorize(bearer: bearer, for: origin)
        return try await client.send(request).status
    }

    /// How often the token route was asked.
    func tokenRequests() async throws -> Int {
        let url = "http://127.0.0.1:\(server.controlPort)/log"
        let text = String(
            decoding: try await client.send(HTTPRequest(method: "POST", url: url, body: [])).body, as: UTF8.self)
        let name = "\"POST /api/auth/oauth2/token\":"
        guard let part = text.split(separator: name, maxSplits: 1).dropFirst().first else { return 0 }
        return Int(part.prefix { $0.isNumber }) ?? 0
    }
}

/// A file of tokens which another process renews just when it may: after each look that takes no lock.
final class RacedStore: TokenStore {
    let file: TokenFile
    private let lockPath: String
    private let renewals = Mutex(0)
    private let unguarded = Mutex(0)

    init(_ file: TokenFile, lockPath: String) {
        self.file = file
        self.lockPath = lockPath
    }

    /// How often the other process had its way.
    var renewed: Int { renewals.withLock { $0 } }
    /// How often something was kept without the lock.
    var unguardedSaves: Int { unguarded.withLock { $0 } }

    func load() throws(TokenStoreError) -> StoredSignIn? {
        let found = try file.load()
        guard var signIn = found, let lock = try? FileLock.take(lockPath) else { return found }
        let count = renewals.withLock { count in
            count += 1
            return count
        }
        signIn.access = "hqb_access_of_another_process_\(count)"
        try file.save(signIn)
        _ = consume lock
        return found
    }

    func save(_ signIn: StoredSignIn) throws(TokenStoreError) {
        if !FileLock.isHeld(lockPath) { unguarded.withLock { $0 += 1 } }
        try file.save(signIn)
    }

    func remove() {}
}

/// A server that answers everything with one JSON text.
struct OneAnswer: HTTPClient {
    let text: String

    func send(_ request: HTTPRequest) -> HTTPResponse {
        HTTPResponse(status: 200, headers: [HTTPHeader("Content-Type", "application/json")], body: Array(text.utf8))
    }
}

/// A store that answers from a list, the last one again and again, and keeps nothing.
final class ScriptedStore: TokenStore {
    private let answers: Mutex<[StoredSignIn]>
    private let isFull: Bool

    init(_ answers: [StoredSignIn], isFull: Bool = false) {
        self.answers = Mutex(answers)
        self.isFull = isFull
    }

    func load() -> StoredSignIn? {
        answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
    }

    func save(_ signIn: StoredSignIn) throws(TokenStoreError) {
        if isFull { throw .system(ENOSPC) }
    }

    func remove() {}
}
