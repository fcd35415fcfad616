import Glibc
import LocalServer
import MailTestSupport
import Testing

/// The faults that tests ask the local server for, as they arrive on the socket.
struct FaultTests {
    private func server() throws -> RunningServer {
        var options = ServerOptions()
        options.hasDemoUsers = true
        return try MailServer.start(options)
    }

    private func fault(_ server: RunningServer, _ query: String, body: String = "") -> String? {
        let target = "/fault" + (query.isEmpty ? "" : "?" + query)
        return exchange(server.controlPort, target, method: "POST", body: body)?.body
    }

    private func get(_ server: RunningServer, _ target: String) -> WireAnswer? {
        exchange(server.port, "/api/v1" + target, bearer: "owner")
    }

    @Test func `a fault strikes the requests it names and no other`() throws {
        let server = try server()
        defer { server.stop() }
        _ = fault(server, "path=/api/v1/mailboxes&method=GET&nth=2&times=2&kind=status&status=429")

        let statuses = (0..<5).map { _ in get(server, "/mailboxes")?.status }

        #expect(statuses == [200, 429, 429, 200, 200])
        #expect(get(server, "/drafts")?.status == 200)
        #expect(fault(server, "") == #"{"ok":true,"count":2}"#)
    }

    @Test func `several faults come as JSON and go together`() throws {
        let server = try server()
        defer { server.stop() }
        let body = """
            [{"kind":"status","status":401,"path":"/api/v1/changes","times":9},
             {"kind":"page","path":"/api/v1/messages*","query":"folder=inbox","times":9}]
            """
        #expect(fault(server, "", body: body) == #"{"ok":true,"count":2}"#)

        #expect(get(server, "/changes")?.status == 401)
        #expect(get(server, "/messages?folder=inbox")?.headers["content-type"] == "text/html; charset=utf-8")
        #expect(get(server, "/messages?folder=sent")?.headers["content-type"] == "application/json")
        _ = fault(server, "")
        #expect(get(server, "/changes")?.status == 200)
    }

    @Test func `a body is cut in its middle on the socket`() throws {
        let server = try server()
        defer { server.stop() }
        _ = fault(server, "path=/api/v1/mailboxes&kind=cut&bytes=100")

        let cut = try #require(get(server, "/mailboxes"))
        let whole = try #require(get(server, "/mailboxes"))

        #expect(cut.body.utf8.count == 100)
        #expect(whole.body.hasPrefix(cut.body))
        #expect(cut.headers["content-length"] == whole.headers["content-length"])
    }

    @Test func `a connection is closed without an answer`() throws {
        let server = try server()
        defer { server.stop() }
        _ = fault(server, "kind=close")

        #expect(get(server, "/mailboxes") == nil)
        #expect(get(server, "/mailboxes")?.status == 200)
    }

    @Test(arguments: ["", "&bytes=40"])
    func `a stalled answer goes on by itself`(_ place: String) throws {
        let server = try server()
        defer { server.stop() }
        _ = fault(server, "path=/api/v1/mailboxes&kind=stall&ms=50" + place)

        let stalled = try #require(get(server, "/mailboxes"))

        #expect(stalled.body == get(server, "/mailboxes")?.body)
    }

    /// Fails when a stall holds a thread of the server, or a server that is stopped waits for stalls to end.
    @Test(arguments: ["", "&bytes=40"])
    func `stalled connections hold up nobody`(_ place: String) throws {
        let server = try server()
        _ = fault(server, "path=/api/v1/mailboxes&kind=stall&ms=600000&times=12" + place)
        let client = WireClient(port: server.port)
        let ends = try (0..<12).map { _ in
            try client.begin("GET", "/api/v1/mailboxes", headers: [authorization("owner")])
        }
        defer { for end in ends { close(end) } }

        #expect(comesTrue { exchange(server.controlPort, "/log")?.body.contains("mailboxes\":12") == true })
        #expect(get(server, "/drafts")?.status == 200)
        server.stop()
    }

    @Test func `pages can point elsewhere, back and on for ever`() throws {
        let server = try server()
        defer { server.stop() }
        _ = fault(server, "path=/api/v1/messages&kind=link")
        #expect(get(server, "/messages?folder=inbox")?.headers["link"]?.hasPrefix("<http://192.0.2.1/") == true)

        let start = try #require(get(server, "/changes")?.body)
        let cursor = try #require(start.firstMatch(of: /"nextCursor":"([^"]+)"/)?.output.1)
        _ = fault(server, "path=/api/v1/changes&kind=loop")
        let looped = get(server, "/changes?cursor=\(cursor)")?.body
        #expect(looped == #"{"changes":[],"nextCursor":"\#(cursor)","hasMore":true}"#)

        _ = fault(server, "path=/api/v1/changes&kind=endless&times=3")
        var seen: Set<Substring> = [cursor]
        var next = cursor
        for _ in 0..<3 {
            let page = try #require(get(server, "/changes?cursor=\(next)")?.body)
            #expect(page.hasSuffix("\"hasMore\":true}"))
            next = try #require(page.firstMatch(of: /"nextCursor":"([^"]+)"/)?.output.1)
            #expect(seen.insert(next).inserted)
        }
        #expect(get(server, "/changes?cursor=\(next)")?.body.hasSuffix("\"hasMore\":false}") == true)
    }

    @Test func `bodies can be broken, of another type, or huge`() throws {
        let server = try server()
        defer { server.stop() }
        let whole = try #require(get(server, "/mailboxes")?.body)
        for kind in ["broken", "type&member=isActive", "huge&bytes=200000"] {
            _ = fault(server, "path=/api/v1/mailboxes&kind=" + kind)
        }

        let broken = try #require(get(server, "/mailboxes"))
        let retyped = try #require(get(server, "/mailboxes"))
        let huge = try #require(get(server, "/mailboxes"))

        #expect(whole.hasPrefix(broken.body) && broken.body.utf8.count < whole.utf8.count)
        #expect(broken.headers["content-length"] == String(broken.body.utf8.count))
        #expect(retyped.body.contains(#""isActive":[true]"#) && !retyped.body.contains(#""isActive":true"#))
        #expect(huge.body.utf8.count == 200_000 && huge.body.hasPrefix(whole))
    }

    @Test(arguments: ["kind=nonsense", "kind=cut&bytes=x", "path=/api/v1/drafts"])
    func `a fault that is not understood is refused`(_ query: String) throws {
        let server = try server()
        defer { server.stop() }

        #expect(exchange(server.controlPort, "/fault?" + query, method: "POST")?.status == 400)
    }
}
