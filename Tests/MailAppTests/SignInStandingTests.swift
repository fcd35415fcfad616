import MailTestSupport
import Platform
import Testing

@testable import MailApp

/// How old a sign-in is, as the terminal tells it.
struct SignInStandingTests {
    private static func account(store: String) throws -> (Account, Scratch) {
        let scratch = try Scratch()
        let places = Places(config: scratch.path, cache: scratch.path, state: scratch.path)
        let account = Account(
            label: "a", origin: "https://x.example", credential: .signIn(identity: "i"), places: places)
        try Files.makeDirectory(account.stateDirectory)
        let routes = ["registration", "deviceAuthorization", "token", "revocation"].map {
            "\"\($0)\":\"https://x.example/\($0)\","
        }.joined()
        let text = """
            {"version":1,"origin":"https://x.example",\(routes)"clientId":"c","identity":"i","store":"\(store)",\
            "scopes":"","signedInAt":1700000000000,"accessToken":"t","accessEnds":1700000000000,"isEnded":true}
            """
        try Files.replace(account.stateDirectory + "/token.json", with: Array(text.utf8))
        return (account, scratch)
    }

    /// Fails when the age is told by a clock that is known to be wrong.
    @Test func `an approval is dated by this machine's clock`() throws {
        let (account, scratch) = try Self.account(store: "file")
        let standing = try #require(SignInStanding(account))
        #expect(standing.approvedAt == 1_700_000_000 && standing.isEnded)
        #expect(SignInStanding(account, clockAhead: -5_000)?.approvedAt == 1_699_999_995)
        try Files.replace(account.stateDirectory + "/token.json", with: [0x7B])
        #expect(SignInStanding(account) == nil)
        withExtendedLifetime(scratch) {}
    }

    /// Fails when a person is asked to sign in again because of the age of what a program prints.
    @Test func `nobody knows how old a program's bearer is`() throws {
        let (account, scratch) = try Self.account(store: "command")
        let standing = try #require(SignInStanding(account))
        #expect(standing.approvedAt == nil && standing.isEnded == false)
        withExtendedLifetime(scratch) {}
    }
}
