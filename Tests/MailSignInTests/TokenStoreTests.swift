internal import Glibc
internal import MailTestSupport
internal import Platform
internal import Testing

@testable internal import MailSignIn

/// Where tokens are kept, without a keyring; `KeyringTests` has a real one.
struct TokenStoreTests {
    /// A script as a command; it is not started by itself, since a file that was just written may still be open in
    /// another child.
    private static func program(_ scratch: Scratch, _ name: String, _ script: String) throws -> [String] {
        try scratch.write(name, script + "\n")
        return ["/bin/sh", scratch.path + "/" + name]
    }

    private static func tokens(
        _ scratch: Scratch, _ command: [String], limit: Duration = .seconds(120)
    ) -> AccountTokens {
        AccountTokens(path: scratch.path + "/token.json", label: "work", command: command, limit: limit)
    }

    /// Fails when the program is not asked anew after a refusal, or what it prints lands on the disk.
    @Test func `a program prints the bearer`() async throws {
        let world = try await SignInWorld()
        let scratch = try Scratch()
        let program = try Self.program(
            scratch, "print", "echo \"$HERALD_ACCOUNT:$1 $2\" >> '\(scratch.path)/calls'\ncat '\(scratch.path)/bearer'")
        try scratch.write("bearer", "hqb_access_wrong\n")
        let tokens = Self.tokens(scratch, program + ["a b", "$HOME;"])
        let stored = try await world.signIn.adopt("hqb_access_wrong", at: world.origin)
        try await tokens.save(stored)
        let keeper = TokenKeeper(
            store: tokens, lockPath: scratch.path + "/lock", client: world.client,
            now: { Environment.millisecondsSinceEpoch })
        #expect(try await keeper.bearer() == "hqb_access_wrong")
        #expect(try await keeper.bearer(insteadOf: "hqb_access_wrong") == nil)
        try scratch.write("bearer", "hqb_access_owner")
        #expect(try await keeper.bearer(insteadOf: "hqb_access_wrong") == "hqb_access_owner")
        #expect(try await world.status(keeper.bearer()) == 200)
        #expect(scratch.lines("calls").allSatisfy { $0 == "work:a b $HOME;" })
        #expect(!scratch.lines("token.json").joined().contains("hqb_"))
    }

    /// Fails when a program that fails is not told with its own sentence.
    @Test(arguments: [
        ("exit 3", TokenStoreError.failed(.command)), ("echo two words", .noToken), ("printf 'a\\nb'", .noToken),
        ("true", .noToken), ("head -c 200000 /dev/zero", .failed(.command)), ("kill -9 $$", .failed(.command)),
    ]) func `a program's failure has a sentence`(_ script: String, _ error: TokenStoreError) async throws {
        let scratch = try Scratch()
        let program = try Self.program(scratch, "print", script)
        let tokens = Self.tokens(scratch, program)
        await #expect(throws: error) { try await tokens.command.bearer() }
        #expect(!error.message.contains("/"))
    }

    @Test func `a program that is not there is told`() async throws {
        let scratch = try Scratch()
        await #expect(throws: TokenStoreError.noProgram(.command)) {
            try await Self.tokens(scratch, [scratch.path + "/none"]).command.bearer()
        }
        await #expect(throws: TokenStoreError.noCommand) { try await Self.tokens(scratch, []).command.bearer() }
    }

    /// Fails when a program that hangs is waited for, is left behind with what it started, or is asked again at once.
    @Test func `a program that hangs is ended with all it started`() async throws {
        let scratch = try Scratch()
        let program = try Self.program(
            scratch, "print",
            "echo $$ >> '\(scratch.path)/pids'\nsleep 100000 &\necho $! >> '\(scratch.path)/pids'\nwait")
        let tokens = Self.tokens(scratch, program, limit: .milliseconds(300))
        await #expect(throws: TokenStoreError.hangs(.command)) { try await tokens.command.bearer() }
        await #expect(throws: TokenStoreError.hangs(.command)) { try await tokens.command.bearer() }
        let started = scratch.lines("pids").compactMap { pid_t($0) }
        #expect(started.count <= 2)
        #expect(await eventually { started.allSatisfy { kill($0, 0) != 0 || Self.isZombie($0) } })
    }

    /// A process that nobody has waited for yet, as that of a container without an init stays.
    private static func isZombie(_ process: pid_t) -> Bool {
        let bytes = (try? Files.read("/proc/\(process)/stat")) ?? []
        return String(decoding: bytes, as: UTF8.self).contains(") Z ")
    }

    /// Fails when something else than a file is taken for a sign-in, or stops an account from being removed.
    @Test func `a directory in the file's place is told and removed`() async throws {
        let world = try await SignInWorld()
        let stored = try await world.signedIn()
        try world.file.remove()
        try Files.makeDirectory(world.file.path)
        #expect(throws: TokenStoreError.notFile) { try world.file.load() }
        #expect(throws: TokenStoreError.notFile) { try world.file.save(stored) }
        try world.file.remove()
        #expect(!Files.exists(world.file.path))
        symlink("/etc/hostname", world.file.path)
        #expect(throws: TokenStoreError.notFile) { try world.file.load() }
    }

    /// Fails when the record of an account whose tokens are elsewhere has one in it, or loses anything else.
    @Test(arguments: StoredSignIn.Place.allCases) func `a record comes back`(_ place: StoredSignIn.Place) async throws {
        let world = try await SignInWorld()
        var stored = try await world.signedIn()
        stored.place = place
        let read = try #require(StoredSignIn(stored.bytes))
        let text = String(decoding: stored.bytes, as: UTF8.self)
        #expect(text.contains("hqb_") == (place == .file))
        #expect(read.identity == stored.identity && read.clientID == stored.clientID && read.place == place)
        #expect(read.hasRedirect && read.endpoints == stored.endpoints && read.signedInAt == stored.signedInAt)
        #expect(StoredSignIn(Array(stored.secret.utf8)) == stored)
        let out = try #require(StoredSignIn(stored.signedOut.bytes))
        #expect(out.isEnded && out.place == .file && out.identity == stored.identity)
        #expect(!String(decoding: out.bytes, as: UTF8.self).contains("hqb_"))
    }

    /// Fails when a damaged file has the program add up numbers that no sum can hold.
    @Test func `times that no clock tells are damage`() async throws {
        let world = try await SignInWorld()
        let text = String(decoding: try await world.signedIn().bytes, as: UTF8.self)
        for (name, number) in [
            ("signedInAt", Int.max), ("signedInAt", .min), ("accessEnds", .max), ("accessEnds", .min),
            ("accessBegins", .max), ("accessBegins", .min),
        ] {
            let parts = text.split(separator: "\"\(name)\":", maxSplits: 1)
            let rest = try #require(parts.last).drop { $0.isNumber }
            let damaged = "\(parts[0])\"\(name)\":\(number)\(rest)"
            #expect(StoredSignIn(Array(damaged.utf8)) == nil, "\(name) \(number)")
        }
        #expect(StoredSignIn(Array(text.utf8)) != nil)
    }

    /// Fails when a server whose tokens live a minute is asked for a new one at every request.
    @Test func `a token that lives shortly is used for most of its life`() async throws {
        let world = try await SignInWorld()
        try await world.control("/lifetime?access=60")
        let first = try await world.signedIn()
        let before = try await world.tokenRequests()
        let keeper = world.keeper(jitter: TokenKeeper.jitterMax)
        #expect(try await keeper.bearer() == first.access)
        #expect(try await world.tokenRequests() == before)
        #expect(try await world.keeper(clockShift: 50_000).bearer() != first.access)
    }
}
