internal import HTTP
internal import MailSignIn
internal import Synchronization

/// Sends requests, and compares this machine's clock with the time that servers put on their answers.
///
/// A clock that is off is the reason of refusals that say something else: a certificate that seems to be over, a sign-in
/// that seems to be too old.
final class ClockWatch: HTTPClient, Sendable {
    private let client: any HTTPClient
    private let ahead = Mutex<Int64?>(nil)

    /// How far the clock may be off before it is worth a word, in seconds.
    static let toleratedSeconds: Int64 = 60

    init(_ client: any HTTPClient) { self.client = client }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let response = try await client.send(request)
        let own = WallClock.milliseconds() / 1_000
        if let server = response.value(of: "Date").flatMap(HTTPDate.seconds) { ahead.withLock { $0 = own - server } }
        return response
    }

    /// How far this machine's clock is ahead of the server's, in milliseconds; zero while it is right, or nothing is
    /// known.
    var aheadMilliseconds: Int64 {
        guard let ahead = ahead.withLock({ $0 }), abs(ahead) > ClockWatch.toleratedSeconds else { return 0 }
        return ahead * 1_000
    }

    /// What time it is by the server's clock, in milliseconds since 1970; by this machine's while that is right.
    var milliseconds: Int64 { WallClock.milliseconds() - aheadMilliseconds }

    /// A sign-in that was approved just now, dated by the server's clock, which is the one that ends it.
    func dated(_ signIn: StoredSignIn) -> StoredSignIn {
        var signIn = signIn
        signIn.signedInAt -= aheadMilliseconds
        return signIn
    }

    /// What to tell of the clock; `nil` while it is right, or nothing is known.
    var sentence: String? { ahead.withLock { $0 }.flatMap(ClockWatch.sentence) }

    /// What to tell of a clock that is so many seconds ahead of the server's; `nil` when it is right.
    static func sentence(ahead: Int64) -> String? {
        guard abs(ahead) > toleratedSeconds else { return nil }
        return "This machine's clock is \(span(abs(ahead))) \(ahead < 0 ? "behind" : "ahead of") the server's. Set it."
    }

    /// A span of time in its largest whole unit.
    private static func span(_ seconds: Int64) -> String {
        let units: [(Int64, String)] = [(86_400, "day"), (3_600, "hour"), (60, "minute")]
        for (length, name) in units where seconds >= length {
            let count = seconds / length
            return count == 1 ? "1 \(name)" : "\(count) \(name)s"
        }
        return "\(seconds) seconds"
    }

    /// A failure of a sign-in, with what is wrong with the clock where that may be why.
    func explained(_ failure: CommandFailure) -> CommandFailure {
        guard let sentence else { return failure }
        return CommandFailure("\(failure.message) \(sentence)", failure.exitCode)
    }
}
