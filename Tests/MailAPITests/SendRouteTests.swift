import HTTP
import HTTPTransport
import LocalServer
import MailAPI
import MailModel
import MailTestSupport
import Testing

/// The routes that send, on the local server over sockets.
@Suite(.timeLimit(.minutes(20)))
struct SendRouteTests {
    private let server: RunningServer
    private let api: HTTPMailAPIClient
    private let id = SendID(milliseconds: 1_767_312_000_000, random: (1, 2))

    init() throws {
        var options = ServerOptions()
        options.hasDemoUsers = true
        server = try MailServer.start(options)
        api = HTTPMailAPIClient(
            origin: server.origin, token: "hqb_access_owner", client: try CurlClient(version: "1"))
    }

    private func control(_ target: String, _ body: String = "") throws -> String {
        try WireClient(port: server.controlPort).send("POST", target, body: Array(body.utf8)).body
    }

    private func mail(_ route: OutgoingMail.Route = .send, text: String = " A word. ") -> OutgoingMail {
        OutgoingMail(
            route: route, from: "info@example.test", to: ["a@client.example"], cc: ["c@client.example"],
            bcc: ["d@client.example"], subject: route == .send ? "Hello" : "", text: text, attachments: [], draft: nil)
    }

    private func deliver() throws -> MessageID {
        let text = "From: a@client.example\r\nTo: info@example.test\r\nSubject: One\r\n\r\nHello there\r\n"
        let answer = try control("/deliver?to=info@example.test", text)
        return MessageID(String(try #require(answer.split(separator: "\"").first { $0.hasPrefix("msg_") })))
    }

    @Test func `a new mail, an answer and one that is passed on are answered with their copies`() async throws {
        defer { server.stop() }
        let original = try deliver()
        for (route, subject) in [
            (OutgoingMail.Route.send, "Hello"), (.reply(to: original), "Re: One"),
            (.forward(of: original, withFiles: true), "Fwd: One"),
        ] {
            let copy = try await api.send(mail(route), requestID: id)
            #expect(copy.subject == subject && copy.direction == .outbound && copy.to == ["a@client.example"])
            let detail = try await api.message(copy.id)
            #expect(detail.cc == ["c@client.example"] && detail.bcc == ["d@client.example"])
            #expect(detail.textBody.hasPrefix("A word."))
            #expect(detail.textBody.contains("Hello there") == (route != .send))
            #expect(try await api.sent(of: copy.mailboxID, next: nil).messages.first?.id == copy.id)
        }
        #expect(try control("/writes").contains(id.rawValue))
    }

    /// Fails when mail that may have been sent passes for mail that was not, or the other way round.
    @Test(arguments: [
        ("close", WriteFailure.Reach.unknown), ("close&after=1", .unknown), ("cut&bytes=5", .unknown),
        ("page", .elsewhere), ("broken", .done), ("status&status=500&code=INTERNAL_ERROR", .unknown),
        ("status&status=429&code=RATE_LIMITED", .refused), ("status&status=401&code=INVALID_OAUTH_TOKEN", .refused),
        ("status&status=404&code=DRAFT_NOT_FOUND", .refused),
    ])
    func `what is known of a failed send is told, and it is not made again`(
        fault: String, reach: WriteFailure.Reach
    ) async throws {
        defer { server.stop() }
        _ = try control("/fault?kind=\(fault)&method=POST&path=/api/v1/send")
        let failure = try await #require(throws: WriteFailure.self) {
            _ = try await api.send(mail(), requestID: id)
        }
        #expect(failure.reach == reach)
        #expect(
            try control("/outgoing").contains(
                "\"count\":\(fault.contains("after=1") || reach == .done || fault.hasPrefix("cut") ? 1 : 0)"))
    }

    @Test func `without a server nothing was sent`() async throws {
        server.stop()
        let failure = try await #require(throws: WriteFailure.self) {
            _ = try await api.send(mail(), requestID: id)
        }
        #expect(failure.reach == .notSent)
    }
}
