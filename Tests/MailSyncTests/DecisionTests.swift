import MailAPI
import MailModel
import MailStorage
import Testing

@testable import MailSync

/// base64url of `["c1","999",null]` and its like, written with the tests' own encoder.
private func cursor(_ after: String, _ high: String?) -> String {
    let text = #"["c1","\#(after)",\#(high.map { "\"\($0)\"" } ?? "null")]"#
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var bits = text.utf8.flatMap { byte in (0..<8).map { byte >> UInt8(7 - $0) & 1 } }
    while bits.count % 6 != 0 { bits.append(0) }
    return String(
        stride(from: 0, to: bits.count, by: 6).map { start in
            alphabet[bits[start..<start + 6].reduce(0) { $0 << 1 | Int($1) }]
        })
}

@Test func `documented cursors are read`() {
    #expect(cursor("412", nil) == "WyJjMSIsIjQxMiIsbnVsbF0")
    #expect(ChangeCursor("WyJjMSIsIjQxMiIsbnVsbF0")?.after == "412")
    #expect(ChangeCursor("WyJjMSIsIjQxMiIsbnVsbF0")?.isMidRound == false)
    #expect(ChangeCursor("WyJjMSIsIjUxMiIsIjU0MCJd")?.isMidRound == true)
}

@Test(arguments: ["", "j12", "!", "WyJkYzEiLCJ1IiwiMSIsbnVsbF0", "WyJjMSJd"])
func `other cursors stay opaque`(text: String) {
    #expect(ChangeCursor(text) == nil)
}

@Test(arguments: [
    ([cursor("412", nil), cursor("440", nil)], false),
    ([cursor("412", nil), cursor("512", "540"), cursor("540", nil)], false),
    ([cursor("999", nil), cursor("1099", "1150"), cursor("1150", nil)], true),
    ([cursor("512", "540"), cursor("540", nil)], true),
    ([cursor("412", nil), "opaque", "opaque2"], true),
    (["a", "b"], false),
    (["a", "b", "c"], true),
])
func `a round that may have lost rows is repaired`(cursors: [String], isRepaired: Bool) throws {
    var round = ChangeRound(start: cursors[0])
    for (index, cursor) in cursors.enumerated().dropFirst() {
        try round.accept(ChangePage(changes: [], nextCursor: cursor, hasMore: index < cursors.count - 1))
    }
    #expect(round.needsReconcile(end: cursors[cursors.count - 1]) == isRepaired)
}

/// Fails when rows of the journal that were not shown go unnoticed, or shown ones raise a doubt.
@Test(arguments: [
    ([cursor("412", nil), cursor("412", nil)], 0, FeedTrust.complete),
    ([cursor("412", nil), cursor("414", nil)], 2, .complete),
    ([cursor("412", nil), cursor("414", nil)], 1, .hidesRows),
    ([cursor("412", nil), cursor("512", "514"), cursor("514", nil)], 102, .complete),
    ([cursor("412", nil), cursor("512", "515"), cursor("515", nil)], 102, .hidesRows),
    ([cursor("999", nil), cursor("1099", "1100"), cursor("1100", nil)], 101, .losesRows),
    (["opaque", "opaque"], 0, .complete), (["opaque", "other"], 1, .hidesRows),
    ([cursor("412", nil), cursor("99999999999999999999", nil)], 1, .hidesRows),
])
func `a round tells whether it showed everything`(cursors: [String], rows: Int, trust: FeedTrust) throws {
    var round = ChangeRound(start: cursors[0])
    for (index, cursor) in cursors.enumerated().dropFirst() {
        let isLast = index == cursors.count - 1
        let shown = isLast ? rows - (cursors.count > 2 ? 100 : 0) : 100
        let changes = (0..<shown).map { MessageChange.delete(MessageID("m\($0)")) }
        try round.accept(ChangePage(changes: changes, nextCursor: cursor, hasMore: !isLast))
    }
    #expect(round.trust(end: cursors[cursors.count - 1]) == trust)
}

/// Fails when a doubt has a large cache listed by passes, or a small one only by the audit.
@Test func `a doubt a day old makes the slow check as fast as it may be`() {
    var state = SyncState(
        cursor: "c", isBootstrapped: true, pending: [], isBootstrapping: false, relistedAt: 1_000, listedAt: 1_000,
        isDoubtful: true)
    let day: Int64 = 86_400_000
    #expect(!AuditPace.isOverdue(state, now: day) && AuditPace.isOverdue(state, now: day + 1_000))
    #expect(AuditPace.isOverdue(state, now: 0))
    state.relistedAt = day
    #expect(!AuditPace.isDue(state, messages: 50_000, now: day + 59_999))
    #expect(AuditPace.isDue(state, messages: 50_000, now: day + 60_000))
    state.isDoubtful = false
    #expect(!AuditPace.isOverdue(state, now: day * 9) && !AuditPace.isDue(state, messages: 50_000, now: day + 60_000))
    state.isDoubtful = true
    state.isBootstrapping = true
    #expect(!AuditPace.isOverdue(state, now: day * 9))
}

@Test func `only a recognised cursor is stored within a round`() throws {
    var round = ChangeRound(start: cursor("1", nil))
    try round.accept(ChangePage(changes: [], nextCursor: "opaque", hasMore: true))
    #expect(round.held == cursor("1", nil))
    try round.accept(ChangePage(changes: [], nextCursor: cursor("5", "9"), hasMore: true))
    #expect(round.held == cursor("5", "9"))
    #expect(throws: MailAPIError.endlessPages) {
        try round.accept(ChangePage(changes: [], nextCursor: "opaque", hasMore: true))
    }
}

@Test(arguments: [
    (0, true, 15), (0, false, 60), (1, true, 30), (1, false, 120), (2, false, 240), (3, false, 300), (5, true, 300),
    (400, true, 300),
])
func `failures stretch the beat up to a cap`(failures: Int, isActive: Bool, seconds: Int) {
    var cadence = SyncCadence()
    for _ in 0..<failures { cadence.failed(.server(.server(503))) }
    #expect(cadence.delaySeconds(isActive: isActive) == seconds)
    cadence.succeeded()
    #expect(cadence.delaySeconds(isActive: true) == 15)
}

/// Fails when all who lost a server come back to it at once, or the steady beat is not steady.
@Test func `only the wait after a failure is shortened at random`() {
    func delay(_ jitter: Double, failures: Int, _ error: SyncError = .server(.server(503))) -> Int {
        var cadence = SyncCadence()
        for _ in 0..<failures { cadence.failed(error, jitter: jitter) }
        return cadence.delaySeconds(isActive: true)
    }
    #expect([0, 0.5, 1, 9].map { delay($0, failures: 3) } == [120, 90, 60, 60])
    #expect([0, 1].map { delay($0, failures: 40) } == [300, 150])
    #expect([0, 1].map { delay($0, failures: 0) } == [15, 15])
    // What the server asked for is kept to.
    #expect(delay(1, failures: 1, .server(.rateLimited)) == 60)
    #expect(delay(1, failures: 1, .server(.signInNeeded(""))) == 300)
}

@Test func `a rate limit waits a minute and a refused sign-in the longest`() {
    var cadence = SyncCadence()
    cadence.failed(.server(.rateLimited))
    #expect(cadence.delaySeconds(isActive: true) == 60)
    cadence.failed(.server(.signInNeeded("")))
    #expect(cadence.delaySeconds(isActive: true) == 300)
}

@Test func `a walk fetches ahead up to a bound and writes the inbox first`() throws {
    var walk = ListingWalk(Folder.stored.map { ListingProgress(listing: .folder($0), next: nil) })
    #expect(walk.fetches().map(\.listing) == Folder.stored.map { .folder($0) })
    #expect(walk.commit() == nil)
    try walk.accept(ListingPage(listing: .folder(.sent), messages: [], next: nil))
    try walk.accept(ListingPage(listing: .folder(.inbox), messages: [], next: "2"))
    #expect(walk.fetches() == [ListingProgress(listing: .folder(.inbox), next: "2")])
    #expect(walk.commit()?.map(\.listing) == [.folder(.inbox), .folder(.sent)])
    // The other three are still being fetched, and two are being written.
    let last = ListingWalk.aheadMax - 5 + 2
    for page in 3...last {
        try walk.accept(ListingPage(listing: .folder(.inbox), messages: [], next: "\(page)"))
        #expect(walk.commit() == nil)
        #expect(walk.fetches().isEmpty == (page == last))
    }
    walk.committed()
    #expect(walk.fetches().count == 1)
    #expect(walk.commit()?.map(\.next) == (3...last).map { "\($0)" })
    #expect(throws: MailAPIError.endlessPages) {
        // A circle is noticed within as many pages again as there were before it.
        for _ in 0..<(2 * last) {
            try walk.accept(ListingPage(listing: .folder(.inbox), messages: [], next: "4"))
        }
    }
}
