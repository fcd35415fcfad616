internal import Glibc
internal import HTTP
internal import MailTestSupport
internal import Testing

@testable internal import MailSignIn

/// Signing in with a browser on this machine, on the local server's own pages.
struct BrowserSignInTests {
    /// Fails when the way from the address to a bearer that opens mail is broken, or a stranger can end it.
    @Test func `an approved page gives a bearer`() async throws {
        let world = try await SignInWorld()
        let browsing = try await world.signIn.beginInBrowser(world.origin)
        let waiting = Task { try await world.signIn.wait(browsing) }
        let back = try await decided(browsing)
        let base = String(back.prefix { $0 != "?" })
        #expect(try await opened(String(base.dropLast(8)) + "favicon.ico").status == 404)
        #expect(try await opened(base + "?code=stolen&state=guessed").status == 400)
        let page = try await opened(back)
        #expect(page.status == 200 && page.body.contains("go back to Herald"))

        let stored = try await waiting.value
        #expect(stored.scopes == SignInEndpoints.scopes)
        #expect(stored.hasRedirect)
        #expect(try await world.status(stored.access) == 200)
        try world.file.save(stored)
        let renewed = try #require(try await world.keeper().bearer(insteadOf: stored.access))
        #expect(try await world.status(renewed) == 200)
    }

    /// Fails when a denial is not told as one.
    @Test func `a denied page ends`() async throws {
        let world = try await SignInWorld()
        let browsing = try await world.signIn.beginInBrowser(world.origin)
        let waiting = Task { try await world.signIn.wait(browsing) }
        let page = try await opened(try await decided(browsing, approve: false))
        #expect(page.body.contains("was not let in"))
        await #expect(throws: SignInError.denied) { try await waiting.value }
    }

    /// Fails when nobody's answer is waited for without end, or the end of the task is not noticed.
    @Test func `the wait ends by its time and by its task`() async throws {
        let world = try await SignInWorld()
        let short = try await world.signIn.beginInBrowser(world.origin, secondsMax: 0)
        await #expect(throws: SignInError.expired) { try await world.signIn.wait(short) }
        let long = try await world.signIn.beginInBrowser(world.origin)
        let waiting = Task { try await world.signIn.wait(long) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    /// Fails when an answer of another server is exchanged here.
    @Test func `an answer that names another server is refused`() async throws {
        let world = try await SignInWorld()
        let browsing = try await world.signIn.beginInBrowser(world.origin)
        let waiting = Task { try await world.signIn.wait(browsing) }
        let state = browsing.state
        _ = try await opened(
            browsing.listener.redirect + "?code=c&state=\(state)&iss=https%3A%2F%2Fevil.example")
        await #expect(throws: SignInError.foreignEndpoint) { try await waiting.value }
    }

    /// Fails when each way of signing in registers for itself, or a registration the server lost is not renewed.
    @Test func `one registration serves both ways until the server forgets it`() async throws {
        let world = try await SignInWorld()
        let first = try await world.signedIn()
        let second = try await world.browsed(former: first)
        #expect(second.clientID == first.clientID)
        #expect(second.identity == first.identity)

        var forgotten = second
        forgotten.clientID = "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"
        let third = try await world.browsed(former: forgotten)
        #expect(third.clientID != forgotten.clientID)
        #expect(third.identity == first.identity)
        try world.file.save(forgotten)
        let fourth = try await world.signedIn()
        #expect(fourth.clientID != forgotten.clientID && fourth.hasRedirect)

        var old = first
        old.hasRedirect = false
        #expect(try await world.browsed(former: old).clientID != old.clientID)
    }

    /// Fails when connections that say nothing, as browsers open them ahead, keep the answer away.
    @Test func `silent connections hold nothing up`() async throws {
        let world = try await SignInWorld()
        let browsing = try await world.signIn.beginInBrowser(world.origin)
        let port = browsing.listener.port
        let waiting = Task { try await world.signIn.wait(browsing) }
        let silent = try await onOwnThread { try (0..<40).map { _ in try Loopback.connect(port) } }
        defer { for file in silent { close(file) } }
        _ = try await opened(try await decided(browsing))
        #expect(try await world.status(waiting.value.access) == 200)
    }
}

/// The page a browser ends at; it waits on a thread of its own.
private func opened(_ address: String) async throws -> WireAnswer {
    try await onOwnThread { try FakeBrowser().open(address) }
}

/// Where a person's decision sends the browser.
private func decided(_ browsing: SignIn.Browsing, approve: Bool = true) async throws -> String {
    let address = browsing.address
    return try await onOwnThread { try FakeBrowser().decide(address, approve: approve) }
}

extension SignInWorld {
    /// Signs in as somebody who approves in a browser.
    fileprivate func browsed(former: StoredSignIn?) async throws -> StoredSignIn {
        let browsing = try await signIn.beginInBrowser(origin, former: former)
        let waiting = Task { try await signIn.wait(browsing) }
        _ = try await opened(try await decided(browsing))
        return try await waiting.value
    }
}
