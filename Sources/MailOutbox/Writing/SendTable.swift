package import MailModel

/// What becomes of a mail that met a failure: one line of the table of sends.
package struct SendRule: Sendable, Hashable {
    /// What becomes of it when the failure answers the request that sends.
    package enum Outcome: Sendable, Hashable {
        /// The server did not run it: it goes with a later drain.
        case queued
        /// The server did not run it: it waits for the person.
        case held(HoldReason)
        /// The server said no: the text is a draft as before.
        case refused
        /// The server may have run it: it is never sent again unasked, and its Sent copy is looked for.
        case unknown
    }

    package let code: SendCode
    /// When it applies, as a phrase for the pages.
    package let condition: String
    package let outcome: Outcome
    /// Whether nothing else is sent until the next drain.
    package let endsDrain: Bool

    init(_ code: SendCode, _ outcome: Outcome, endsDrain: Bool = false, _ condition: String) {
        self.code = code
        self.condition = condition
        self.outcome = outcome
        self.endsDrain = endsDrain
    }

    /// What becomes of it when the failure comes before the request: nothing can have been sent.
    package var early: Outcome { outcome == .unknown ? .queued : outcome }

    /// Whether nothing else is sent when the failure comes before the request.
    package var endsDrainEarly: Bool { endsDrain || outcome == .unknown }
}

/// The one table of what a failure does to a send; the drain, its tests and the pages are made from it.
package enum SendTable {
    /// Every line, in the order they are listed.
    package static let all: [SendRule] = [
        SendRule(
            .offline, .queued, endsDrain: true,
            "no network, no such host, nobody there, no secure connection: nothing was sent"),
        SendRule(
            .rateLimited, .queued, endsDrain: true,
            "429, a refusal before anything is done; nothing is sent for as long as the answer asks, else a minute"),
        SendRule(
            .signedOut, .held(.credentialRefused), endsDrain: true,
            "401, also with a renewed token; each later drain asks again"),
        SendRule(
            .scopeMissing, .held(.credentialRefused), endsDrain: true,
            "403 INSUFFICIENT_SCOPE: the sign-in may not send; each later drain asks again"),
        SendRule(.accessLost, .refused, "403 MAILBOX_FORBIDDEN: the access to the mailbox is gone, or too low to send"),
        SendRule(.actionForbidden, .refused, "any other 403"),
        SendRule(.senderGone, .refused, "404 MAILBOX_NOT_FOUND: the sender's address may not send any more"),
        SendRule(
            .draftGone, .held(.gone),
            "404 DRAFT_NOT_FOUND: the draft was ended elsewhere, which proves neither that it was sent nor that it was not"
        ),
        SendRule(
            .messageGone, .held(.gone), "404 MESSAGE_NOT_FOUND: the message that is answered or passed on is gone"),
        SendRule(.fileGone, .held(.notSaved), "404 of a file: it has to be uploaded again"),
        SendRule(.requestRefused, .refused, "400, 413, 415: the server does not take the mail as it is"),
        SendRule(.unclassified, .refused, "any other 3xx or 4xx of the server"),
        SendRule(
            .answerLost, .unknown, "the connection broke or the time ran out after something was sent"),
        SendRule(.serverFailed, .unknown, "5xx: the mail may have left before the server failed"),
        SendRule(
            .notTheServer, .unknown,
            "a web page, a redirect or a refusal without the server's envelope: a proxy, behind which it may have arrived"
        ),
        SendRule(.unreadableAnswer, .unknown, "2xx with an answer that cannot be read"),
        SendRule(.interrupted, .unknown, "the program ended while the request was under way"),
    ]

    /// The line of a failure.
    package static func rule(_ code: SendCode) -> SendRule {
        // Every code has a line, which a test makes sure of; unknown is what loses nothing and sends nothing twice.
        all.first { $0.code == code } ?? SendRule(code, .unknown, endsDrain: true, "unknown")
    }

    /// How long nothing is sent after a 429 that does not say.
    static let rateLimitMilliseconds: Int64 = 60_000

    /// When a copy that was not found is looked for again: after 15 s, doubling up to an hour.
    package static func lookWait(probes: Int) -> Int64 { min(15_000 << Int64(min(max(probes, 0), 8)), 3_600_000) }
}
