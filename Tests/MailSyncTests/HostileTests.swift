import Glibc
import HTTP
import MailAPI
import MailModel
import MailStorage
import MailSync
import MailTestSupport
import Synchronization
import Testing

/// A server whose answers are written down, by the path and query they belong to.
private final class ScriptedSite: HTTPClient {
    private let answer: Mutex<@Sendable (String) -> HTTPResponse?>
    private let requests = Mutex(0)

    init(_ answer: @escaping @Sendable (String) -> HTTPResponse?) {
        self.answer = Mutex(answer)
    }

    /// Answers honestly from now on.
    func reform() { answer.withLock { $0 = { _ in nil } } }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let target = String(request.url.dropFirst("http://127.0.0.1:1/api/v1".count))
        let number = requests.withLock { count in
            count += 1
            return count
        }
        if number > 3_000 { throw HTTPError.timedOut }
        let answer = answer.withLock { $0 }
        return answer(target) ?? ScriptedSite.honest(target)
    }

    static func json(_ body: String, link: String? = nil) -> HTTPResponse {
        var headers = [HTTPHeader("Content-Type", "application/json")]
        if let link { headers.append(HTTPHeader("Link", "<\(link)>; rel=\"next\"")) }
        return HTTPResponse(status: 200, headers: headers, body: Array(body.utf8))
    }

    static func message(_ id: String, subject: String = "s", folder: String = "inbox") -> String {
        """
        {"id":"\(id)","threadId":"t","mailboxId":"a","direction":"inbound","folder":"\(folder)","fromAddress":"x@y",\
        "to":["a@x"],"subject":"\(subject)","snippet":"","receivedAt":"2026-01-01T00:00:00.000Z","sentAt":null,\
        "readAt":null,"starredAt":null,"hasAttachments":false,"createdAt":"2026-01-01T00:00:00.000Z"}
        """
    }

    static func honest(_ target: String) -> HTTPResponse {
        if target.hasPrefix("/openapi") { return json(#"{"paths":{"/api/v1/changes":{}}}"#) }
        if target.hasPrefix("/mailboxes") {
            return json(#"[{"id":"a","address":"a@x","displayName":"A","isActive":true,"accessLevel":"agent"}]"#)
        }
        if target.hasPrefix("/changes") { return json(#"{"changes":[],"nextCursor":"c","hasMore":false}"#) }
        let isInbox = target.hasPrefix("/messages?folder=inbox") || target.hasPrefix("/messages?limit")
        return json(isInbox ? "[\(message("m1")),\(message("m2"))]" : "[]")
    }
}

/// A lie of a server, and the pass that meets it.
struct Lie: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let error: MailAPIError?
    let answer: @Sendable (String) -> HTTPResponse?

    init(_ name: String, _ error: MailAPIError?, _ answer: @escaping @Sendable (String) -> HTTPResponse?) {
        testDescription = name
        self.error = error
        self.answer = answer
    }

    private static func on(
        _ prefix: String, _ response: @escaping @Sendable () -> HTTPResponse
    ) -> @Sendable (String) -> HTTPResponse? {
        { $0.hasPrefix(prefix) ? response() : nil }
    }

    private static let inbox = "/messages?folder=inbox"
    private static let base = "http://127.0.0.1:1/api/v1/messages?folder=inbox&limit=100&cursor="

    static let table = [
        Lie("a list whose pages go in a circle", .endlessPages) { target in
            guard target.hasPrefix(inbox) else { return nil }
            let next = target.hasSuffix("cursor=A") ? "B" : "A"
            return ScriptedSite.json("[\(ScriptedSite.message("x\(next)"))]", link: base + next)
        },
        Lie("a list with ever new pages", .endlessPages) { target in
            guard target.hasPrefix(inbox) else { return nil }
            let page = (target.split(separator: "=").last.flatMap { Int($0) } ?? 0) + 1
            return ScriptedSite.json("[]", link: base + "\(page)")
        },
        Lie("changes that never end", .endlessPages) { target in
            guard target.hasPrefix("/changes?limit=100&cursor") else { return nil }
            let page = (target.split(separator: "=").last.flatMap { Int($0) } ?? 0) + 1
            return ScriptedSite.json(#"{"changes":[],"nextCursor":"\#(page)","hasMore":true}"#)
        },
        Lie(
            "changes that go in a circle", .endlessPages,
            on("/changes?limit=100&cursor") {
                let upsert = #"{"type":"upsert","message":\#(ScriptedSite.message("m1"))}"#
                return ScriptedSite.json(#"{"changes":[\#(upsert)],"nextCursor":"c","hasMore":true}"#)
            }),
        Lie(
            "drafts that go in a circle", .endlessPages,
            on("/drafts") {
                ScriptedSite.json("[]", link: "http://127.0.0.1:1/api/v1/drafts?limit=100&cursor=A")
            }),
        Lie(
            "a next page on another host", .foreignLink,
            on(inbox) {
                ScriptedSite.json("[]", link: "http://evil.example/api/v1/messages?folder=inbox&limit=100&cursor=A")
            }),
        Lie(
            "more rows than were asked for", .implausible,
            on(inbox) {
                ScriptedSite.json(
                    "[" + (0..<10_000).map { ScriptedSite.message("r\($0)") }.joined(separator: ",") + "]")
            }),
        Lie(
            "an identifier of a megabyte", .implausible,
            on(inbox) { ScriptedSite.json("[\(ScriptedSite.message(String(repeating: "i", count: 1 << 20)))]") }),
        Lie(
            "an identifier with a NUL", .implausible,
            on(inbox) { ScriptedSite.json("[\(ScriptedSite.message("m\\u0000"))]") }),
        Lie(
            "a folder with a line break", .implausible,
            on(inbox) { ScriptedSite.json("[\(ScriptedSite.message("m", folder: "in\\nbox"))]") }),
        Lie(
            "a change cursor that is empty", nil,
            on("/changes") { ScriptedSite.json(#"{"changes":[],"nextCursor":"","hasMore":false}"#) }),
        Lie("a number for a subject", nil, on(inbox) { ScriptedSite.json(#"[{"id":"m","subject":5}]"#) }),
        Lie("a list for an object", nil, on("/changes") { ScriptedSite.json("[]") }),
        Lie("an object for a list", nil, on(inbox) { ScriptedSite.json("{}") }),
        Lie("half an answer", nil, on(inbox) { ScriptedSite.json("[" + ScriptedSite.message("m1")) }),
        Lie("a page of a website", .notJSON, on(inbox) { HTTPResponse(status: 200, body: Array("<html>".utf8)) }),
    ]
}

/// Fails when a server can hang a pass, leave half of an answer behind, or stop the passes after it.
@Test(arguments: Lie.table)
func `a server that lies ends the pass with a sentence and the next goes on`(_ lie: Lie) async throws {
    let site = ScriptedSite(lie.answer)
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = scratch.path + "/cache.sqlite"
    let store = try MailStore(path: path, owner: "test")
    var limits = SyncLimits()
    limits.pagesMax = 200
    limits.emptyPagesMax = 100
    let engine = SyncEngine(
        api: HTTPMailAPIClient(origin: "http://127.0.0.1:1", token: "t", client: site), store: store, limits: limits)
    let failure = await #expect(throws: SyncError.self) { _ = try await engine.pass() }
    if let error = lie.error { #expect(failure == .server(error)) }
    #expect(failure?.message.hasSuffix(".") == true)
    let reader = try #require(try MailReader(path: path, owner: "test"))
    let kept = Set(try await reader.messages(mailbox: nil, folder: nil, limit: nil).map(\.id.rawValue))
    #expect(kept.isSubset(of: ["m1", "m2", "xA", "xB"]))
    site.reform()
    _ = try await engine.pass()
    _ = try await engine.pass()
    let rows = Set(try await reader.messages(mailbox: nil, folder: nil, limit: nil).map(\.id.rawValue))
    #expect(rows.isSuperset(of: ["m1", "m2"]))
}

/// Fails when anyone can stop a mailbox's sync by sending it a mail with a NUL.
@Test func `a NUL that a sender wrote is kept as it is`() async throws {
    let site = ScriptedSite { target in
        guard target.hasPrefix("/messages?folder=inbox") else { return nil }
        return ScriptedSite.json("[\(ScriptedSite.message("m1", subject: "be\\u0000fore"))]")
    }
    let scratch = try Scratch()
    defer { scratch.remove() }
    let path = scratch.path + "/cache.sqlite"
    let engine = SyncEngine(
        api: HTTPMailAPIClient(origin: "http://127.0.0.1:1", token: "t", client: site),
        store: try MailStore(path: path, owner: "test"))
    #expect(try await engine.pass().inserted == 1)
    #expect(try await engine.pass().updated == 0)
    let reader = try #require(try MailReader(path: path, owner: "test"))
    #expect(try await reader.message(MessageID("m1"))?.summary.subject == "be\u{0}fore")
}
