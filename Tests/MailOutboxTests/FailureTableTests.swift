import HTTP
import MailAPI
import MailModel
import MailOutbox
import Testing

/// The table of failures, and what is a case of which line.
struct FailureTableTests {
    @Test func `every failure has one line, and every line a phrase`() {
        #expect(
            FailureTable.all.map(\.code).sorted { $0.rawValue < $1.rawValue }
                == FailureCode.allCases.sorted { $0.rawValue < $1.rawValue })
        for rule in FailureTable.all {
            #expect(FailureTable.rule(rule.code) == rule)
            #expect(!rule.condition.isEmpty && !rule.condition.hasSuffix("."))
        }
    }

    /// Fails when being offline, or a server that is down, could lose what somebody did.
    @Test(arguments: FailureTable.all.filter { $0.kind == .environment || $0.kind == .local })
    func `nothing that is nobody's fault counts or drops`(rule: FailureRule) {
        #expect(rule.endsDrain && rule.ceiling == nil)
        #expect(rule.outcome == .retrying || rule.outcome == .unchanged)
    }

    @Test(arguments: FailureTable.all.filter { $0.kind == .permanent })
    func `what would fail for ever goes to the journal and lets the others pass`(rule: FailureRule) {
        guard case .dropped = rule.outcome else {
            Issue.record("\(rule.code) stays")
            return
        }
        #expect(!rule.endsDrain)
    }

    @Test(arguments: [
        (WriteFailure(.notSent, .transport(.unreachable)), FailureCode.offline),
        (WriteFailure(.notSent, .transport(.tlsFailed)), .offline),
        (WriteFailure(.unknown, .transport(.timedOut)), .answerLost),
        (WriteFailure(.unknown, .transport(.interrupted)), .answerLost),
        (WriteFailure(.elsewhere, .notJSON, status: 302), .notTheServer),
        (WriteFailure(.refused, .rateLimited, status: 429), .rateLimited),
        (WriteFailure(.unknown, .server(500), status: 500), .serverFailed),
        (WriteFailure(.unknown, .server(503), status: 503), .serverFailed),
        (WriteFailure(.refused, .signInNeeded(""), status: 401), .signedOut),
        (WriteFailure(.notSent, .signInNeeded("")), .signedOut),
        (WriteFailure(.notSent, .rateLimited), .rateLimited),
        (WriteFailure(.refused, .forbidden(""), status: 403, code: "INSUFFICIENT_SCOPE"), .scopeMissing),
        (WriteFailure(.refused, .forbidden(""), status: 403, code: "MAILBOX_FORBIDDEN"), .accessLost),
        (WriteFailure(.refused, .forbidden(""), status: 403, code: "ATTACHMENTS_FORBIDDEN"), .actionForbidden),
        (WriteFailure(.refused, .refused(400, ""), status: 400, code: "VALIDATION_ERROR"), .requestRefused),
        (WriteFailure(.refused, .refused(413, ""), status: 413), .requestRefused),
        (WriteFailure(.refused, .refused(415, ""), status: 415), .requestRefused),
        (WriteFailure(.refused, .notFound(""), status: 404, code: "MESSAGE_NOT_FOUND"), .messageGone),
        (WriteFailure(.refused, .refused(418, ""), status: 418, code: "TEAPOT"), .unclassified),
        (WriteFailure(.refused, .refused(409, ""), status: 409, code: "X"), .unclassified),
        (WriteFailure(.refused, .notJSON, status: 302, code: "X"), .unclassified),
        (WriteFailure(.done, .notJSON, status: 200), .unreadableAnswer),
    ])
    func `a failed write is a case of one line`(failure: WriteFailure, code: FailureCode) {
        #expect(FailureCode(failure) == code)
    }

    @Test(arguments: [
        (TriageAction.unarchive, "trash", true), (.restore, "archived", true), (.unarchive, "inbox", false),
        (.restore, "sent", false), (.archive, "archived", false), (.trash, "trash", false), (.star, "trash", false),
    ])
    func `only coming back can be without effect`(action: TriageAction, folder: String, isIdle: Bool) {
        let answer = FakeServer.message("m", folder: folder)
        #expect((FailureCode(answer: answer, to: .triage(action)) == .noEffect) == isIdle)
    }
}
