import MailAPI
import MailModel
import MailStorage
import Testing

@testable import MailSync

@Test(arguments: [1, 2, 3, 7, 100])
func `cursors that go in a circle are noticed soon, whatever leads into it`(_ length: Int) {
    for lead in [0, 1, 5, 40] {
        var cycle = CycleGuard(start: nil, pagesMax: 100_000)
        var pages = 0
        #expect(throws: MailAPIError.endlessPages) {
            while true {
                pages += 1
                try cycle.accept(pages <= lead ? "lead \(pages)" : "\((pages - lead) % length)")
            }
        }
        #expect(pages <= 4 * (lead + length), "\(lead) and \(length)")
    }
}

@Test func `cursors that are all new end at the bound`() {
    var cycle = CycleGuard(start: "0", pagesMax: 50)
    var pages = 0
    #expect(throws: MailAPIError.endlessPages) {
        while true {
            pages += 1
            try cycle.accept("\(pages)")
        }
    }
    #expect(pages == 50)
}

@Test func `empty pages that go on for ever end at the bound`() throws {
    var limits = SyncLimits()
    limits.emptyPagesMax = 3
    var round = ChangeRound(start: "0", limits: limits)
    for number in 1...2 { try round.accept(ChangePage(changes: [], nextCursor: "\(number)", hasMore: true)) }
    let change = MessageChange.delete(MessageID("x"))
    try round.accept(ChangePage(changes: [change], nextCursor: "3", hasMore: true))
    for number in 4...5 { try round.accept(ChangePage(changes: [], nextCursor: "\(number)", hasMore: true)) }
    #expect(throws: MailAPIError.endlessPages) {
        try round.accept(ChangePage(changes: [], nextCursor: "6", hasMore: true))
    }
}

@Test(arguments: [
    (total: Int?.none, messages: 5_000, at: Int64(60_000), expected: SyncProgress(messages: 5_000, isBootstrap: true)),
    (10_000, 100, 60_000, SyncProgress(messages: 100, isBootstrap: true, total: 10_000)),
    (10_000, 5_000, 1_000, SyncProgress(messages: 5_000, isBootstrap: true, total: 10_000)),
    (10_000, 2_500, 10_000, SyncProgress(messages: 2_500, isBootstrap: true, total: 10_000, secondsLeft: 30)),
    (10_000, 10_000, 10_000, SyncProgress(messages: 10_000, isBootstrap: true, total: 10_000, secondsLeft: 0)),
    (10_000, 10_001, 10_000, SyncProgress(messages: 10_001, isBootstrap: true)),
])
func `the time left is told when it is known`(
    total: Int?, messages: Int, at milliseconds: Int64, expected: SyncProgress
) {
    let estimate = ProgressEstimate(total: total, startedAt: 0)
    #expect(estimate.progress(messages: messages, isBootstrap: true, at: milliseconds) == expected)
}

@Test(
    arguments: [
        (0, 3_600_000), (99, 3_600_000), (50_000, 1_207_185), (1_000_000, 60_473), (10_000_000, 60_000),
    ] as [(Int, Int64)])
func `every row is looked at within a week, without a hurry`(messages: Int, milliseconds: Int64) {
    #expect(AuditPace.intervalMilliseconds(messages: messages) == milliseconds)
}

@Test func `a slow check waits its turn and gives way to everything else`() {
    let idle = SyncState(cursor: "c", isBootstrapped: true, pending: [], isBootstrapping: false, relistedAt: 1_000)
    func isDue(_ change: (inout SyncState) -> Void = { _ in }, at now: Int64 = 10_000_000) -> Bool {
        var state = idle
        change(&state)
        return AuditPace.isDue(state, messages: 10, now: now)
    }
    #expect(isDue())
    #expect(isDue { $0.relistedAt = nil })
    #expect(isDue { $0.relisting = Relisting(purpose: .audit, next: "p") })
    #expect(isDue(at: 500), "A clock that went back must not stop the check.")
    #expect(!isDue(at: 3_600_999))
    #expect(!isDue { $0.isBootstrapping = true })
    #expect(!isDue { $0.isBootstrapped = false })
    #expect(!isDue { $0.pending = [ListingProgress(listing: .mailbox(MailboxID("a")), next: nil)] })
    #expect(!isDue { $0.relisting = Relisting(purpose: .repair) })
    #expect(!isDue { $0.relisting = Relisting(purpose: .audit, isListed: true) })
}

@Test func `requests are counted by the UTC day`() {
    let day: Int64 = 86_400_000
    var history = PassHistory()
    history.add(PassRecord(finishedAtMilliseconds: 10 * day - 1, failure: nil, requests: 3))
    history.add(PassRecord(finishedAtMilliseconds: 10 * day, failure: "x", requests: 2, hasDrafts: false))
    history.add(requests: 5, at: 10 * day + 7)
    #expect(history.requestsToday == 7 && history.requestsYesterday == 3)
    #expect(history.failure == "x" && !history.hasDrafts)
    #expect(history.succeededAtMilliseconds == 10 * day - 1 && history.finishedAtMilliseconds == 10 * day)
    history.add(PassRecord(finishedAtMilliseconds: 9 * day, failure: nil, requests: 1))
    #expect(history.requestsToday == 8 && history.failure == nil && !history.hasDrafts)
    #expect(history.seen(at: 11 * day).requestsToday == 0 && history.seen(at: 11 * day).requestsYesterday == 8)
    #expect(history.seen(at: 12 * day).requestsYesterday == 0)
}

@Test(arguments: [
    (BodiesPolicy.all, String?.none), (.opened, nil), (.recent(days: 1), "2026-01-01T00:00:00.000Z"),
    (.recent(days: 0), "2026-01-02T00:00:00.000Z"), (.recent(days: Int.max), nil),
    (.recent(days: -5), "2026-01-02T00:00:00.000Z"),
])
func `a policy names the oldest activity it wants`(policy: BodiesPolicy, since: String?) {
    #expect(policy.since(now: 1_767_312_000_000)?.text == since)
}

/// Answers that no mail server sends, by what is wrong with them.
@Test(arguments: [
    "", "\u{0}", "a\u{0}b", "a\nb", "\u{1B}[2J", String(repeating: "x", count: 513),
    String(repeating: "x", count: 1 << 20),
])
func `an identifier that is none is refused`(_ id: String) {
    var message = FakeServer.message("m")
    #expect(throws: Never.self) { try AnswerRules.check(message) }
    message.threadID = ThreadID(id)
    #expect(throws: MailAPIError.implausible) { try AnswerRules.check(message) }
    message = FakeServer.message(id)
    #expect(throws: MailAPIError.implausible) { try AnswerRules.check(message) }
    message = FakeServer.message("m", mailbox: id)
    #expect(throws: MailAPIError.implausible) { try AnswerRules.check(message) }
    message = FakeServer.message("m", folder: id)
    #expect(throws: MailAPIError.implausible) { try AnswerRules.check(message) }
}
