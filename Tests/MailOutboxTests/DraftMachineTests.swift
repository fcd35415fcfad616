import HTTP
import MailAPI
import MailCompose
import MailModel
import MailOutbox
import MailStorage
import Testing

/// What a draft needs next, and what a failure does to it.
struct DraftMachineTests {
    private static let at = Timestamp("2026-11-30T08:00:00.000Z")
    private static let saved = ServerDraft(id: DraftID("d"), version: 3, content: .written())

    private static func draft(_ change: (inout LocalDraft) -> Void) -> LocalDraft {
        var draft = LocalDraft(id: LocalDraftID("l"), content: .written(), createdAt: at, updatedAt: at)
        change(&draft)
        return draft
    }

    private static let sent = SentDraft(revision: 1, content: .written(), at: 0)

    static let steps: [(String, LocalDraft, Bool, DraftMachine.Step)] = [
        ("new", draft { _ in }, true, .create),
        ("nothing typed", draft { $0.content = DraftContent(from: "a@b.example") }, false, .nothing),
        ("made, answer lost", draft { $0.sent = sent }, false, .find(sent)),
        ("saved", draft { ($0.server, $0.savedRevision) = (saved, 1) }, false, .nothing),
        (
            "typed on", draft { ($0.server, $0.content.text) = (saved, "B") }, true,
            .replace(DraftID("d"), version: 3)
        ),
        (
            "half an address", draft { ($0.server, $0.content.to) = (saved, "a@client.example, b") }, true, .markSaved
        ),
        (
            "proven, answer lost", draft { ($0.server, $0.savedRevision, $0.sent) = (saved, 1, sent) }, false,
            .look(DraftID("d"))
        ),
        ("replaced, answer lost", draft { ($0.server, $0.sent) = (saved, sent) }, true, .look(DraftID("d"))),
        (
            "changed elsewhere, open", draft { ($0.server, $0.theirs, $0.content.text) = (saved, saved, "B") }, true,
            .nothing
        ),
        (
            "changed elsewhere, closed", draft { ($0.server, $0.theirs, $0.content.text) = (saved, saved, "B") },
            false, .merge(saved)
        ),
        (
            "left to the person",
            draft { ($0.server, $0.theirs, $0.state) = (saved, saved, .blocked(.conflictUnresolved)) }, false, .nothing
        ),
        ("refused before", draft { $0.state = .blocked(.refused) }, false, .nothing),
        ("signed out before", draft { $0.state = .blocked(.credentialRefused) }, false, .create),
        ("too long", draft { $0.content.text = String(repeating: "x", count: 100_001) }, false, .refuse(.textTooLong)),
        (
            "too many recipients",
            draft { $0.content.cc = (0..<51).map { "a\($0)@b.example" }.joined(separator: ",") }, false,
            .refuse(.tooManyRecipients)
        ),
        ("thrown away, never saved", draft { $0.isDiscarded = true }, false, .remove),
        ("thrown away", draft { ($0.isDiscarded, $0.server) = (true, saved) }, false, .delete(DraftID("d"))),
        ("thrown away, answer lost", draft { ($0.isDiscarded, $0.sent) = (true, sent) }, false, .find(sent)),
        (
            "thrown away while refused",
            draft { ($0.isDiscarded, $0.server, $0.state) = (true, saved, .blocked(.refused)) }, false,
            .delete(DraftID("d"))
        ),
    ]

    @Test(arguments: steps)
    func `each state has its step`(example: (String, LocalDraft, Bool, DraftMachine.Step)) {
        #expect(DraftMachine.step(example.1, isOpen: example.2) == example.3, "\(example.0)")
    }

    private static func refused(_ status: Int, _ code: String = "X") -> WriteFailure {
        WriteFailure(
            status >= 500 ? .unknown : .refused, status >= 500 ? .server(status) : .refused(status, code),
            status: status, code: code)
    }

    static let failures: [(WriteFailure, DraftMachine.Outcome, endsDrain: Bool)] = [
        (WriteFailure(.notSent, .transport(.unreachable)), .retry(mayHaveArrived: false), true),
        (WriteFailure(.unknown, .transport(.interrupted)), .retry(mayHaveArrived: true), true),
        (WriteFailure(.elsewhere, .notJSON, status: 200), .retry(mayHaveArrived: false), true),
        (WriteFailure(.done, .notJSON, status: 201), .retry(mayHaveArrived: true), false),
        (refused(500, "DRAFT_SAVE_FAILED"), .retry(mayHaveArrived: true), true),
        (refused(503), .retry(mayHaveArrived: true), true),
        (refused(429), .retry(mayHaveArrived: false), true),
        (refused(401), .block(.credentialRefused), true),
        (refused(403, "INSUFFICIENT_SCOPE"), .block(.credentialRefused), true),
        (refused(403, "MAILBOX_FORBIDDEN"), .block(.refused), false),
        (refused(404, "DRAFT_NOT_FOUND"), .gone, false),
        (refused(404, "MESSAGE_NOT_FOUND"), .block(.refused), false),
        (refused(404, "MAILBOX_NOT_FOUND"), .block(.refused), false),
        (refused(400, "VALIDATION_ERROR"), .block(.refused), false),
        (refused(409, "DRAFT_CONFLICT"), .conflict, false),
        (refused(418), .retry(mayHaveArrived: false), false),
    ]

    @Test(arguments: failures)
    func `each failure has its outcome`(example: (WriteFailure, DraftMachine.Outcome, endsDrain: Bool)) {
        let failure = DraftMachine.failure(example.0, attempts: 1)
        #expect(failure.outcome == example.1 && failure.endsDrain == example.endsDrain)
    }

    @Test func `a refusal that nobody knows waits for the person the fifth time`() {
        #expect(DraftMachine.failure(DraftMachineTests.refused(418), attempts: 5).outcome == .block(.refused))
    }

    @Test func `a lost draft is found by its text, its age and its being nobody's`() {
        func server(_ id: String, text: String = "A", version: Int = 1, minutes: Int64 = 0) -> Draft {
            var draft = Draft(
                id: DraftID(id), mailboxID: nil, replyToMessageID: nil, forwardOfMessageID: nil,
                from: "INFO@example.test", to: ["a@client.example"], cc: [], bcc: [], subject: "A", text: text,
                html: "",
                version: version, updatedAt: Timestamp(millisecondsSinceEpoch: DraftBench.now), attachments: [])
            draft.updatedAt = Timestamp(millisecondsSinceEpoch: DraftBench.now + minutes * 60_000)
            return draft
        }
        let sent = SentDraft(revision: 1, content: .written(), at: DraftBench.now)
        let drafts = [
            server("other", text: "B"), server("changed", version: 2), server("old", minutes: -20), server("known"),
            server("it", minutes: -10),
        ]
        #expect(DraftMachine.find(sent, in: drafts, known: [DraftID("known")])?.id == DraftID("it"))
    }
}

/// What a draft does when the server's list was read.
struct DraftFollowerTests {
    private static let at = Timestamp("2026-11-30T08:00:00.000Z")

    private static func followed(
        _ change: (inout LocalDraft) -> Void = { _ in }, isGoing: Bool = false
    ) -> FollowedDraft {
        let server = ServerDraft(id: DraftID("d"), version: 3, content: DraftContent(there(3)))
        var draft = LocalDraft(
            id: LocalDraftID("l"), content: server.content, savedRevision: 1, server: server, createdAt: at,
            updatedAt: at)
        change(&draft)
        return FollowedDraft(draft: draft, server: server, confirmedAt: 0, isGoing: isGoing)
    }

    private static func there(_ version: Int, text: String = "A") -> Draft {
        Draft(
            id: DraftID("d"), mailboxID: nil, replyToMessageID: nil, forwardOfMessageID: nil, from: "a@b.example",
            to: [], cc: [], bcc: [], subject: "A", text: text, html: "", version: version, updatedAt: at,
            attachments: [])
    }

    private static func typed(_ draft: inout LocalDraft) { (draft.revision, draft.content.subject) = (2, "M") }

    private static func taken() -> DraftFollower.Step {
        let ancestor = DraftContent(there(3))
        return .take(DraftMerge(ancestor: ancestor, mine: ancestor, theirs: DraftContent(there(4, text: "N"))))
    }

    static let cases: [(String, FollowedDraft, Draft?, Bool, DraftFollower.Step)] = [
        ("as there", followed(), there(3), false, .drop),
        ("as there, open", followed(), there(3), true, .alignFiles),
        ("as there, about to be sent", followed(isGoing: true), there(3), false, .nothing),
        ("as there, with a typed name", followed { $0.content.to = "Ann <" }, there(3), false, .alignFiles),
        ("a copy of a conflict", followed { $0.copyOf = LocalDraftID("o") }, there(3), false, .alignFiles),
        ("newer there", followed(), there(4, text: "N"), false, taken()),
        ("newer there, open", followed(), there(4, text: "N"), true, .note),
        ("newer there, about to be sent", followed(isGoing: true), there(4, text: "N"), false, .note),
        ("newer there, unsaved", followed(typed), there(4, text: "N"), false, .note),
        (
            "newer there, noted already",
            followed { $0.theirs = ServerDraft(id: DraftID("d"), version: 4, content: $0.content) },
            there(4, text: "N"), true, .nothing
        ),
        (
            "newer there, a save without an answer",
            followed { $0.sent = SentDraft(revision: 1, content: $0.content, at: 0) },
            there(4, text: "N"), false, .nothing
        ),
        ("the list is older", followed(), there(2), false, .nothing),
        ("gone", followed(), nil, false, .remove),
        ("gone, open", followed(), nil, true, .nothing),
        ("gone, unsaved", followed(typed), nil, false, .renew),
        ("gone, about to be sent", followed(isGoing: true), nil, false, .nothing),
        (
            "gone, a file not there yet",
            followed { draft in
                draft.files = [
                    DraftFile(
                        id: DraftFileID("f"), filename: "f", contentType: "t/t", sizeBytes: 1, sha256: "0")
                ]
            }, nil, false, .renew
        ),
    ]

    @Test(arguments: cases)
    func `nothing that is written or on its way is overwritten`(
        example: (String, FollowedDraft, Draft?, Bool, DraftFollower.Step)
    ) {
        #expect(DraftFollower.step(example.1, example.2, isOpen: example.3) == example.4, "\(example.0)")
    }
}
