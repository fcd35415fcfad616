import HTTP
import MailAPI
import MailModel
import MailOutbox
import Testing

/// The table of sends, and what is a case of which line.
struct SendTableTests {
    @Test func `every failure of a send has one line, and every line a phrase`() {
        #expect(SendTable.all.map(\.code) == SendCode.allCases)
        for rule in SendTable.all {
            #expect(SendTable.rule(rule.code) == rule)
            #expect(!rule.condition.isEmpty && !rule.condition.hasSuffix("."))
        }
    }

    /// Fails when mail that the server may have sent could be sent again without the person's word.
    @Test(arguments: [
        WriteFailure(.unknown, .transport(.timedOut)), WriteFailure(.unknown, .transport(.interrupted)),
        WriteFailure(.unknown, .transport(.stopped)), WriteFailure(.unknown, .server(500), status: 500),
        WriteFailure(.unknown, .server(503), status: 503), WriteFailure(.elsewhere, .notJSON, status: 200),
        WriteFailure(.elsewhere, .notJSON, status: 404), WriteFailure(.elsewhere, .notJSON, status: 302),
        WriteFailure(.done, .notJSON, status: 201), WriteFailure(.done, .implausible, status: 201),
        WriteFailure(.unknown, .server(500), status: 500, code: "MESSAGE_INSERT_FAILED"),
    ])
    func `what may have arrived is unknown`(failure: WriteFailure) {
        #expect(SendTable.rule(SendCode(failure)).outcome == .unknown)
    }

    /// Fails when mail would wait for ever, or be doubted, though the server cannot have it.
    @Test(arguments: [
        (WriteFailure(.notSent, .transport(.unreachable)), SendCode.offline),
        (WriteFailure(.notSent, .transport(.tlsFailed)), .offline),
        (WriteFailure(.notSent, .signInNeeded("")), .signedOut), (WriteFailure(.notSent, .rateLimited), .rateLimited),
        (WriteFailure(.refused, .signInNeeded(""), status: 401), .signedOut),
        (WriteFailure(.refused, .rateLimited, status: 429), .rateLimited),
        (WriteFailure(.refused, .forbidden(""), status: 403, code: "INSUFFICIENT_SCOPE"), .scopeMissing),
        (WriteFailure(.refused, .forbidden(""), status: 403, code: "MAILBOX_FORBIDDEN"), .accessLost),
        (WriteFailure(.refused, .refused(400, ""), status: 400, code: "VALIDATION_ERROR"), .requestRefused),
        (WriteFailure(.refused, .refused(413, ""), status: 413, code: "ATTACHMENTS_TOO_LARGE"), .requestRefused),
        (WriteFailure(.refused, .notFound(""), status: 404, code: "MAILBOX_NOT_FOUND"), .senderGone),
        (WriteFailure(.refused, .notFound(""), status: 404, code: "DRAFT_NOT_FOUND"), .draftGone),
        (WriteFailure(.refused, .notFound(""), status: 404, code: "MESSAGE_NOT_FOUND"), .messageGone),
        (WriteFailure(.refused, .notFound(""), status: 404, code: "ATTACHMENT_NOT_FOUND"), .fileGone),
        (WriteFailure(.refused, .refused(409, ""), status: 409, code: "X"), .unclassified),
    ])
    func `what the server did not run is no doubt`(failure: WriteFailure, code: SendCode) {
        #expect(SendCode(failure) == code)
        #expect(SendTable.rule(code).outcome != .unknown)
    }

    @Test(arguments: SendTable.all)
    func `a failure before the request leaves no doubt and loses no mail`(rule: SendRule) {
        #expect(rule.early != .unknown)
        if rule.outcome == .unknown { #expect(rule.early == .queued && rule.endsDrainEarly) }
    }

    @Test func `a copy is looked for less and less often, and never given up`() {
        let waits = (0..<20).map { SendTable.lookWait(probes: $0) }
        #expect(waits.first == 15_000 && waits.last == 3_600_000)
        #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
    }
}
