internal import Glibc
internal import HTTP
internal import LocalServer
internal import Platform
internal import Testing

@testable internal import MailSignIn

struct SignInTests {
    /// Fails when the thin path from the address to a bearer that opens mail is broken.
    @Test func `an approved code gives a bearer`() async throws {
        let world = try await SignInWorld()
        let stored = try await world.signedIn()
        #expect(stored.scopes == SignInEndpoints.scopes)
        #expect(try await world.status(stored.access) == 200)
        #expect(try await world.keeper().bearer() == stored.access)
    }

    /// Fails when signing in again registers anew or takes the person for another.
    @Test func `signing in again keeps registration and identity`() async throws {
        let world = try await SignInWorld()
        let first = try await world.signedIn()
        let second = try await world.signedIn()
        #expect(second.clientID == first.clientID)
        #expect(second.identity == first.identity)
        #expect(second.access != first.access)
    }

    /// Fails when a denial is not told as one.
    @Test func `a denied code ends`() async throws {
        let world = try await SignInWorld()
        let pending = try await world.signIn.begin(world.origin)
        try await world.control("/deny")
        await #expect(throws: SignInError.denied) { try await world.signIn.wait(pending) }
    }

    /// Fails when a bearer could travel unencrypted.
    @Test func `an address without encryption is refused before it is asked`() async throws {
        let world = try await SignInWorld()
        let origin = try #require(URLParts("http://mail.example.com"))
        await #expect(throws: SignInError.insecure) { try await world.signIn.begin(origin) }
    }

    /// Fails when a page that is no mail server is taken for one.
    @Test func `another kind of server is told`() async throws {
        let world = try await SignInWorld()
        let origin = try #require(URLParts("http://127.0.0.1:\(world.server.controlPort)"))
        await #expect(throws: SignInError.wrongServer) { try await world.signIn.begin(origin) }
    }

    /// Fails when a server that is busy or failing is taken for one of another kind, at any step.
    @Test(arguments: [
        (429, SignInError.rateLimited), (500, .server(500)), (503, .server(503)), (302, .malformed),
    ]) func `a server that cannot answer now is told as one`(_ status: Int, _ error: SignInError) async throws {
        let world = try await SignInWorld()
        for path in [
            "/.well-known/oauth-authorization-server/*", "/.well-known/oauth-protected-resource/*",
            "/api/auth/oauth2/register", "/api/auth/device/code",
        ] {
            // A document that is elsewhere is none of this server.
            if status == 302, path.hasPrefix("/.well") { continue }
            try await world.control("/fault?kind=status&status=\(status)&path=\(path)&times=1")
            await #expect(throws: error, "\(path)") { try await world.signIn.begin(world.origin) }
        }
    }

    /// Fails when a token that is still good is held back because no other can be had just now.
    @Test(arguments: [429, 500])
    func `a token serves until its end while none other can be had`(_ status: Int) async throws {
        let world = try await SignInWorld()
        let first = try await world.signedIn()
        try await world.control("/fault?kind=status&status=\(status)&path=/api/auth/oauth2/token&times=2")
        #expect(try await world.keeper(clockShift: 3_570_000).bearer() == first.access)
        await #expect(throws: SignInError.self) { try await world.keeper(clockShift: 3_700_000).bearer() }
        #expect(try await world.keeper(clockShift: 3_700_000).bearer() != first.access)
    }

    /// Fails when a server can fill the screen with what the person is to type.
    @Test func `a code that nobody can type is none`() async throws {
        let world = try await SignInWorld()
        let endpoints = try await SignInEndpoints.discover(world.origin, world.client)
        for (code, isTaken) in [("ABCD2345", true), ("", false), (String(repeating: "A", count: 41), false)] {
            let text = """
                {"device_code":"d","user_code":"\(code)","verification_uri":"\(world.origin.origin)/device","expires_in":9}
                """
            let client = SignInClient(world.origin, endpoints, OneAnswer(text: text))
            let found = try? await client.requestCode(client: "c")
            #expect(found?.userCode == (isTaken ? code : nil))
        }
    }

    /// Fails when a token is sent after its end, or a pair is used before it is kept.
    @Test func `a token that is about to end is renewed first`() async throws {
        let world = try await SignInWorld()
        let first = try await world.signedIn()
        let bearer = try await world.keeper(clockShift: 3_570_000).bearer()
        #expect(bearer != first.access)
        #expect(try world.file.load()?.access == bearer)
        #expect(try await world.status(bearer) == 200)
    }

    /// Fails when a process that is open for one person goes on with the tokens of the next.
    @Test func `nobody is given another person's tokens`() async throws {
        let world = try await SignInWorld()
        let first = try await world.signedIn()
        let keeper = TokenKeeper(
            store: world.file, lockPath: world.lockPath, client: world.client, identity: first.identity,
            now: { Environment.millisecondsSinceEpoch })
        #expect(try await keeper.bearer() == first.access)
        var second = try await world.signedIn()
        second.identity = "another"
        try world.file.save(second)
        await #expect(throws: SignInError.anotherPerson) { try await keeper.bearer(insteadOf: first.access) }
        await keeper.noteRefused(second.access)
        #expect(try world.file.load()?.isEnded == false)
    }

    /// Fails when two processes both renew one sign-in, so that one of them holds worthless tokens.
    @Test func `many at once renew once a round`() async throws {
        let world = try await SignInWorld()
        try await world.signedIn()
        for round in 1...5 {
            let before = try await world.tokenRequests()
            let refused = try #require(try world.file.load()).access
            let bearers = try await withThrowingTaskGroup(of: String?.self, returning: Set<String?>.self) { group in
                for _ in 0..<8 {
                    let keeper = world.keeper()
                    group.addTask { try await keeper.bearer(insteadOf: refused) }
                }
                return try await group.reduce(into: Set<String?>()) { bearers, bearer in bearers.insert(bearer) }
            }
            #expect(bearers.count == 1, "round \(round)")
            #expect(try await world.tokenRequests() == before + 1, "round \(round)")
        }
        #expect(try await world.status(world.keeper().bearer()) == 200)
    }

    /// Fails when the end of a sign-in is believed although another process has a new pair.
    @Test func `what is stored is read again before the end is believed`() async throws {
        let world = try await SignInWorld()
        let first = try await world.signedIn()
        let keeper = world.keeper()
        _ = try await keeper.bearer()
        let second = try await world.keeper().bearer(insteadOf: first.access)
        #expect(try await keeper.bearer(insteadOf: first.access) == second)
    }

    /// Fails when the server's word that a sign-in is over is believed while another process has a new pair.
    @Test func `the end is believed only after a second look at the store`() async throws {
        let world = try await SignInWorld()
        let first = try await world.signedIn()
        let second = try #require(try await world.keeper().bearer(insteadOf: first.access))
        let newest = try #require(try world.file.load())
        try await world.control("/clock?advance=31000")
        // As it is when a process that takes no lock has been faster: old until the server was asked.
        let store = ScriptedStore([first, first, newest])
        let keeper = TokenKeeper(
            store: store, lockPath: world.lockPath, client: world.client,
            now: { Environment.millisecondsSinceEpoch }, jitter: 0)
        #expect(try await keeper.bearer(insteadOf: first.access) == second)
        #expect(store.load()?.isEnded == false)
    }

    /// Fails when a pair is asked for that cannot be kept: the server would forget the old one.
    @Test func `nothing is renewed while there is no room to keep it`() async throws {
        let world = try await SignInWorld()
        let first = try await world.signedIn()
        let before = try await world.tokenRequests()
        let keeper = TokenKeeper(
            store: ScriptedStore([first], isFull: true), lockPath: world.lockPath, client: world.client,
            now: { Environment.millisecondsSinceEpoch }, jitter: 0)
        await #expect(throws: TokenStoreError.system(ENOSPC)) { try await keeper.bearer(insteadOf: first.access) }
        #expect(try await world.tokenRequests() == before)
    }

    /// Fails when a sign-in that is over is asked for again and again, or a new one is not noticed.
    @Test func `a sign-in that is over waits for the person`() async throws {
        let world = try await SignInWorld()
        let first = try await world.signedIn()
        try await world.control("/end-session?user=owner")
        let keeper = world.keeper()
        let second = try #require(try await keeper.bearer(insteadOf: first.access))
        #expect(try await world.status(second) == 401)
        await keeper.noteRefused(second)
        let before = try await world.tokenRequests()
        await #expect(throws: SignInError.ended) { try await keeper.bearer() }
        await #expect(throws: SignInError.ended) { try await world.keeper().bearer() }
        #expect(try await keeper.bearer(insteadOf: second) == nil)
        #expect(try await world.tokenRequests() == before)
        let third = try await world.signedIn()
        #expect(try await keeper.bearer() == third.access)
    }

    /// Fails when the note that a token is refused takes the place of a pair that another process got meanwhile.
    @Test func `a refusal is noted while nobody can renew`() async throws {
        let world = try await SignInWorld()
        let first = try await world.signedIn()
        let store = RacedStore(world.file, lockPath: world.lockPath)
        let keeper = TokenKeeper(
            store: store, lockPath: world.lockPath, client: world.client,
            now: { Environment.millisecondsSinceEpoch }, jitter: 0)
        await keeper.noteRefused(first.access)
        let kept = try #require(try world.file.load())
        #expect(store.renewed == 0 || (!kept.isEnded && kept.access != first.access), "\(store.renewed)")
        #expect(store.unguardedSaves == 0)
        #expect(kept.isEnded)
        await #expect(throws: SignInError.ended) { try await keeper.bearer() }
    }

    /// Fails when a refusal of a token that was replaced while the note waited ends the new one.
    @Test func `a refusal that waits for a renewal ends nothing new`() async throws {
        let world = try await SignInWorld()
        let first = try await world.signedIn()
        guard let lock = try FileLock.take(world.lockPath) else { throw SignInError.none }
        let keeper = world.keeper()
        let noting = Task { await keeper.noteRefused(first.access) }
        // As a renewal of another process does, which began before.
        var second = first
        second.access = "hqb_access_second"
        try world.file.save(second)
        _ = consume lock
        await noting.value
        #expect(try world.file.load() == second)
    }

    /// Fails when a file that others can read, or one that is no sign-in, is used.
    @Test func `a file is refused with its reason`() async throws {
        let world = try await SignInWorld()
        #expect(try world.file.load() == nil)
        let stored = try await world.signedIn()
        #expect(try world.file.load() == stored)
        chmod(world.file.path, 0o640)
        #expect(throws: TokenStoreError.exposed) { try world.file.load() }
        chmod(world.file.path, 0o600)
        try Files.replace(world.file.path, with: Array(stored.bytes.dropLast(20)))
        #expect(throws: TokenStoreError.damaged) { try world.file.load() }
        try world.file.remove()
        #expect(try world.file.load() == nil)
    }
}
