internal import LocalServer
internal import MailTestSupport
internal import Testing

struct DiscoveryTests {
    private func get(_ server: RunningServer, _ path: String, _ method: String = "GET") throws -> WireAnswer {
        try #require(exchange(server.port, path, method: method))
    }

    @Test(arguments: [
        ("/api/v1/openapi.json", "application/json; charset=utf-8"),
        ("/skills/hqbase-mail/SKILL.md", "text/markdown; charset=utf-8"),
        ("/.well-known/oauth-protected-resource/api/v1", "application/json"),
        ("/.well-known/oauth-authorization-server", "application/json"),
        ("/.well-known/oauth-authorization-server/api/auth", "application/json"),
    ])
    func `a public document needs no bearer and may be kept`(_ path: String, _ type: String) throws {
        let fixture = try ServerFixture()
        let server = fixture.server
        let answer = try get(server, path)

        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == type)
        #expect(answer.headers["cache-control"] == "public, max-age=300")
        #expect(answer.headers["access-control-allow-origin"] == "*")
    }

    @Test func `the documents lead from the resource to the place of sign-in`() throws {
        let fixture = try ServerFixture()
        let server = fixture.server
        let resource = try get(server, "/.well-known/oauth-protected-resource/api/v1").body
        let issuer = json(resource, "authorization_servers.0")

        #expect(json(resource, "resource") == server.origin + "/api/v1")
        #expect(issuer == server.origin + "/api/auth")
        let place = "/.well-known/oauth-authorization-server/api/auth"
        let document = try get(server, place).body
        #expect(json(document, "issuer") == issuer)
        #expect(json(document, "token_endpoint") == server.origin + "/api/auth/oauth2/token")
        #expect(document == (try get(server, "/.well-known/oauth-authorization-server").body))
    }

    @Test func `old names move, other methods are refused, other documents are a page`() throws {
        let fixture = try ServerFixture()
        let server = fixture.server

        let moved = try get(server, "/AGENTS.md")
        #expect(moved.status == 308)
        #expect(moved.headers["location"] == server.origin + "/skills/hqbase-mail/SKILL.md")
        let refused = try get(server, "/api/v1/openapi.json", "POST")
        #expect(refused.status == 405)
        #expect(refused.headers["allow"] == "GET, HEAD")
        #expect(try get(server, "/.well-known/openid-configuration").headers["content-type"] == "text/html")
    }

    @Test func `the description lists every route with its method and scope`() throws {
        let fixture = try ServerFixture()
        let server = fixture.server
        let paths = try #require(json(get(server, "/api/v1/openapi.json").body, "paths"))

        for (path, method, scope) in [
            ("/api/v1/changes", "get", "mail:read"), ("/api/v1/drafts/{id}", "patch", "mail:send"),
            ("/api/v1/drafts/changes", "get", "mail:send"), ("/api/v1/forward", "post", "mail:send"),
            ("/api/v1/messages/{id}/{action}", "post", "mail:write"),
        ] {
            #expect(paths.contains("\"\(path)\":{"), "\(path)")
            #expect(json(paths, "\(path).\(method).security.0.oauth.0") == scope, "\(path)")
        }
    }
}

struct TierTests {
    private func started() throws -> RunningServer {
        var options = ServerOptions()
        options.hasDemoUsers = true
        options.tier = .release
        return try MailServer.start(options)
    }

    private func get(_ server: RunningServer, _ target: String) throws -> WireAnswer {
        try #require(exchange(server.port, "/api/v1" + target, bearer: "owner"))
    }

    /// Fails when the server of the older release offers what only the head has.
    @Test func `release 1.2 has no feed of drafts and no pages of them`() throws {
        let server = try started()
        defer { server.stop() }

        let feed = try get(server, "/drafts/changes")
        #expect(feed.status == 404)
        #expect(json(feed.body, "error.code") == "DRAFT_NOT_FOUND")
        #expect(try get(server, "/drafts?limit=0&cursor=x").status == 200)
        let description = try #require(exchange(server.port, "/api/v1/openapi.json")).body
        #expect(!description.contains("/api/v1/drafts/changes"))
        #expect(description.contains("/api/v1/changes"))
    }

    @Test(arguments: [("%25", 1), ("H_llo", 1), ("Hel%25o", 1), ("nothing", 0)])
    func `release 1.2 searches with wildcards`(_ words: String, _ count: Int) throws {
        let server = try started()
        defer { server.stop() }
        let mail = "From: a@b.example\r\nSubject: Hello\r\n\r\nText\r\n"
        _ = exchange(server.controlPort, "/deliver?to=info@example.test", method: "POST", body: mail)

        let found = try get(server, "/messages?search=\(words)").body

        #expect((json(found, "0.id") == nil) == (count == 0))
    }

    @Test func `release 1.2 cuts HTML at Gmail's quote only and in two`() throws {
        let server = try started()
        defer { server.stop() }
        let mail = """
            From: a@b.example\r\nSubject: Hello\r\nContent-Type: text/html\r\n\r\n\
            <p>new</p><div class="gmail_quote">old</div><p>more</p>
            """
        let answer = exchange(server.controlPort, "/deliver?to=info@example.test", method: "POST", body: mail)
        let id = try #require(json(answer?.body ?? "", "ids.0"))

        let html = try get(server, "/messages/\(id)/html").body

        #expect(json(html, "html") == "<p>new</p>")
        #expect(json(html, "quotedHtml")?.hasPrefix("<div>old</div><p>more</p>") == true)
        #expect(!html.contains("afterQuotedHtml"))
    }
}
