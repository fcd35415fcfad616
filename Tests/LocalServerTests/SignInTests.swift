internal import JSON
internal import MailTestSupport
internal import Testing

@testable internal import LocalServer

/// What the recordings do not show of signing in.
struct SignInTests {
    private static let form = "application/x-www-form-urlencoded"

    /// A server with a program that registered itself.
    private struct World {
        let fixture: ServerFixture
        let client: String

        init() throws {
            fixture = try ServerFixture()
            let body = """
                {"application_type":"native","token_endpoint_auth_method":"none",
                "grant_types":["\(SignInNames.deviceGrant)","refresh_token"]}
                """
            let answer = exchange(
                fixture.server.port, "/api/auth/oauth2/register", method: "POST", body: body, type: "application/json")
            client = try #require(answer.flatMap { json($0.body, "client_id") })
        }

        private var resource: String { fixture.server.origin + "/api/v1" }

        /// The texts and numbers of the JSON object that a form is answered with.
        func post(_ path: String, _ fields: String) -> [String: String] {
            let answer = exchange(fixture.server.port, path, method: "POST", body: fields, type: SignInTests.form)
            guard let answer, case .object(let members)? = try? BodyValue(Array(answer.body.utf8)) else { return [:] }
            return members.compactMapValues { value in
                switch value {
                case .string(let text), .number(let text): text
                default: nil
                }
            }
        }

        func code() throws -> [String: String] {
            let answer = post(
                "/api/auth/device/code", "client_id=\(client)&scope=mail:read+offline_access&resource=\(resource)")
            #expect(answer["user_code"]?.count == 8)
            return answer
        }

        func token(_ fields: String) -> [String: String] {
            post("/api/auth/oauth2/token", fields + "&client_id=\(client)")
        }

        func poll(_ code: [String: String]) -> [String: String] {
            token("grant_type=\(SignInNames.deviceGrant)&device_code=\(code["device_code"] ?? "")")
        }

        func refresh(_ token: String?) -> [String: String] {
            self.token("grant_type=refresh_token&refresh_token=\(token ?? "")")
        }

        func signIn() throws -> [String: String] {
            let code = try code()
            try fixture.control("/approve")
            return poll(code)
        }

        func isIn(_ token: String?) -> Bool {
            let bearer = token.map { String($0.dropFirst(SignInNames.accessPrefix.count)) }
            return exchange(fixture.server.port, "/api/v1/mailboxes", bearer: bearer ?? "none")?.status == 200
        }
    }

    /// Fails when the page lets a program in by a wrong password, or does not by the right one.
    @Test func `a person approves on the page`() throws {
        let world = try World()
        let code = try world.code()
        let typed = "user_code=\(code["user_code"] ?? "")&email=owner@hqbase.test&decision=approve&password="
        _ = world.post("/device", typed + "wrong")
        #expect(world.poll(code)["error"] == "authorization_pending")
        _ = world.post("/device", typed + Store.demoPassword)
        try world.fixture.control("/clock?advance=6000")
        #expect(world.isIn(world.poll(code)["access_token"]))
    }

    /// Fails when a token outlives the browser's session that approved it, or refreshing tells of that.
    @Test func `a token dies with the session that approved it`() throws {
        let world = try World()
        let first = try world.signIn()
        #expect(world.isIn(first["access_token"]))
        try world.fixture.control("/end-session?user=owner")
        #expect(!world.isIn(first["access_token"]))
        let second = world.refresh(first["refresh_token"])
        #expect(second["access_token"] != nil)
        #expect(!world.isIn(second["access_token"]))
    }

    /// Fails when lifetimes cannot be shortened, or a token lives on after its own.
    @Test func `tokens end with their lifetimes`() throws {
        let world = try World()
        try world.fixture.control("/lifetime?access=60&refresh=120")
        let first = try world.signIn()
        #expect(first["expires_in"] == "60")
        try world.fixture.control("/clock?advance=61000")
        #expect(!world.isIn(first["access_token"]))
        try world.fixture.control("/clock?advance=60000")
        #expect(world.refresh(first["refresh_token"])["error"] == "invalid_grant")
    }

    /// Fails when a rotated token still works after its grace, or leaves the rest of its family alive.
    @Test func `a rotated token used late ends its family`() throws {
        let world = try World()
        let first = try world.signIn()
        let second = world.refresh(first["refresh_token"])
        #expect(world.refresh(first["refresh_token"])["access_token"] == second["access_token"])
        try world.fixture.control("/clock?advance=31000")
        #expect(world.refresh(first["refresh_token"])["error"] == "invalid_grant")
        #expect(!world.isIn(second["access_token"]))
        #expect(world.refresh(second["refresh_token"])["error"] == "invalid_grant")
    }

    /// Fails when a changed or late query passes for one that the server sealed.
    @Test func `a query keeps only what the server sealed`() throws {
        let wish = AuthorizationRequest([
            QueryItem(name: "client_id", value: "a"), QueryItem(name: "state", value: "b c"),
        ])
        let sealed = wish.sealed(now: 1_000, secret: "s")
        #expect(AuthorizationRequest(sealed: sealed, now: 2_000, secret: "s")?.fields["state"] == "b c")
        #expect(AuthorizationRequest(sealed: sealed, now: 2_000, secret: "t") == nil)
        #expect(AuthorizationRequest(sealed: "x" + sealed, now: 2_000, secret: "s") == nil)
        #expect(AuthorizationRequest(sealed: sealed, now: 700_000, secret: "s") == nil)
    }

    /// Fails when the digest is not the one of PKCE; the pair is of RFC 7636, appendix B.
    @Test func `a digest is that of the standard`() {
        #expect(
            SignInSecret.digest("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
                == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }
}
