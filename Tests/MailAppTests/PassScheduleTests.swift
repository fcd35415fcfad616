import MailAPI
import MailStorage
import MailSync
import Testing

@testable import MailApp

/// Fails when mended credentials leave the terminal without live events, or a refused stream is opened by each pass.
@Test func `a stream that ended is tried again after a sign-in was refused and mended`() {
    var listening = EventListening()
    listening.isOver = true
    listening.passed()
    #expect(listening.isOver)
    listening.isSignedOut = true
    listening.passed()
    #expect(!listening.isOver)
    listening.isOver = true
    listening.passed()
    #expect(listening.isOver)
}

/// Milliseconds until the next pass after one that ended at `now`.
private func delay(_ schedule: PassSchedule, after now: Int64) -> Int64 {
    var wait: Int64 = 0
    while !schedule.isDue(at: now + wait), wait < 1_000_000 { wait += 1_000 }
    return wait
}

/// A schedule whose pass ended at an instant, a key having come at another.
private func ended(_ error: SyncError? = nil, at now: Int64, acted: Int64? = nil) -> PassSchedule {
    var schedule = PassSchedule(isOffline: false)
    if let acted { schedule.personActed(at: acted) }
    _ = schedule.begin(at: now)
    schedule.end(error, at: now)
    return schedule
}

@Test func `the first pass is due at once and only one runs`() {
    var schedule = PassSchedule(isOffline: false)
    #expect(schedule.isDue(at: 0))
    let begun = [schedule.begin(at: 0), schedule.begin(at: 0)]
    #expect(begun == [PassSchedule.Plan(includesDrafts: true), nil] && !schedule.isDue(at: 1_000_000))
}

@Test func `nothing is due offline`() {
    var schedule = PassSchedule(isOffline: true)
    let begun = schedule.begin(at: 0)
    #expect(begun == nil && !schedule.isDue(at: 1_000_000))
}

@Test func `the beat slows without a person and failures stretch it`() {
    let table: [(acted: Int64, errors: [SyncError?], seconds: Int64)] = [
        (900_000, [nil], 15), (0, [nil], 60), (900_000, [.server(.server(503))], 30),
        (900_000, [.server(.server(503)), .server(.server(503))], 60),
        (900_000, [.server(.server(503)), nil], 15), (900_000, [.server(.rateLimited)], 60),
        (0, [.server(.server(500)), .server(.server(500)), .server(.server(500))], 300),
        (900_000, [.server(.signInNeeded("x"))], 300), (900_000, [.store(.diskFull)], 300),
        (900_000, [.store(.busy)], 30),
    ]
    for (acted, errors, seconds) in table {
        var schedule = PassSchedule(isOffline: false)
        schedule.personActed(at: acted)
        for error in errors {
            _ = schedule.begin(at: 1_000_000)
            schedule.end(error, at: 1_000_000)
        }
        #expect(delay(schedule, after: 1_000_000) == seconds * 1_000, "\(errors)")
    }
}

@Test func `a person who comes back does not wait but failures do`() {
    for (error, isDue) in [(SyncError?.none, true), (.server(.server(503)), false)] {
        var schedule = ended(error, at: 500_000)
        #expect(!schedule.isDue(at: 510_000))
        schedule.personActed(at: 510_000)
        #expect(schedule.isDue(at: 510_000) == isDue)
    }
}

/// Fails when a terminal in the background is polled as often as one that is read.
@Test func `without the focus the beat is slow, with it a pass is due at once`() {
    var schedule = ended(at: 1_000_000, acted: 990_000)
    schedule.focusChanged(false, at: 1_001_000)
    _ = schedule.begin(at: 1_015_000)
    schedule.end(nil, at: 1_015_000)
    #expect(delay(schedule, after: 1_015_000) == 60_000)
    schedule.focusChanged(true, at: 1_030_000)
    #expect(schedule.isDue(at: 1_030_000))
    schedule.focusChanged(true, at: 1_030_500)
    _ = schedule.begin(at: 1_031_000)
    schedule.end(nil, at: 1_031_000)
    #expect(delay(schedule, after: 1_031_000) == 15_000)
}

/// Fails when flicking between windows becomes a stream of passes, or lifts what the server asked for.
@Test func `a change of focus keeps a pause and respects what holds`() {
    let table: [(error: SyncError?, dueAfter: Int64)] = [
        (nil, 2_000), (.server(.server(503)), 15_000), (.server(.rateLimited), 60_000),
        (.server(.signInNeeded("")), 300_000),
    ]
    for (error, dueAfter) in table {
        var schedule = ended(error, at: 1_000_000, acted: 1_000_000)
        schedule.focusChanged(false, at: 1_000_100)
        schedule.focusChanged(true, at: 1_000_200)
        #expect(delay(schedule, after: 1_000_000) == dueAfter, "\(String(describing: error))")
    }
}

@Test func `a local write makes a pass due at once, during one another follows`() {
    var schedule = ended(at: 1_000_000)
    schedule.localWrite(at: 1_000_100)
    #expect(schedule.isDue(at: 1_000_100))
    _ = schedule.begin(at: 1_000_100)
    schedule.localWrite(at: 1_000_200)
    schedule.end(nil, at: 1_000_300)
    #expect(schedule.isDue(at: 1_000_300))
    _ = schedule.begin(at: 1_000_300)
    schedule.end(nil, at: 1_000_400)
    #expect(!schedule.isDue(at: 1_000_500))
    var limited = ended(.server(.rateLimited), at: 1_000_000, acted: 1_000_000)
    limited.localWrite(at: 1_000_100)
    #expect(delay(limited, after: 1_000_000) == 60_000)
}

@Test func `asks during a pass become one more pass`() {
    var schedule = PassSchedule(isOffline: false)
    _ = schedule.begin(at: 0)
    for _ in 0..<10 { _ = schedule.begin(at: 10) }
    schedule.end(nil, at: 20)
    #expect(schedule.isDue(at: 20))
    _ = schedule.begin(at: 20)
    schedule.end(nil, at: 30)
    #expect(!schedule.isDue(at: 40))
}

@Test func `drafts are read once a minute, after a draft was written and again after a failure`() {
    var schedule = PassSchedule(isOffline: false)
    func pass(_ schedule: inout PassSchedule, _ now: Int64, _ error: SyncError? = nil) -> Bool? {
        let plan = schedule.begin(at: now)
        schedule.end(error, at: now)
        return plan?.includesDrafts
    }
    let table: [(now: Int64, error: SyncError?, includesDrafts: Bool)] = [
        (0, .server(.server(500)), true), (15_000, nil, true), (30_000, nil, false), (74_999, nil, false),
        (75_000, nil, true), (90_000, nil, false),
    ]
    for (now, error, includesDrafts) in table {
        #expect(pass(&schedule, now, error) == includesDrafts, "at \(now)")
    }
    schedule.localWrite(isDraft: true, at: 91_000)
    #expect(pass(&schedule, 91_000) == true)
    #expect(pass(&schedule, 92_000) == false)
}

/// Fails when a laptop that was closed for the night waits on after it is opened.
@Test func `a wait that was slept through is over, and old failures no longer count`() {
    var schedule = PassSchedule(isOffline: false)
    for _ in 0..<5 {
        _ = schedule.begin(at: 1_000_000)
        schedule.end(.server(.server(503)), at: 1_000_000)
    }
    #expect(delay(schedule, after: 1_000_000) == 300_000)
    #expect(schedule.isDue(at: 30_000_000))
    _ = schedule.begin(at: 30_000_000)
    schedule.end(.server(.server(503)), at: 30_000_000)
    #expect(delay(schedule, after: 30_000_000) == 120_000)
}

@Test func `the doorbell starts a pass at once, and one more when it rings meanwhile`() {
    var schedule = PassSchedule(isOffline: false)
    _ = schedule.begin(at: 0)
    schedule.end(nil, at: 100_000)

    schedule.ring(at: 100_500)
    #expect(!schedule.isDue(at: 100_999) && schedule.isDue(at: 101_000))
    _ = schedule.begin(at: 0)
    for _ in 0..<1_000 { schedule.ring(at: 101_100) }
    #expect(!schedule.isDue(at: 200_000))
    schedule.end(nil, at: 102_000)
    #expect(!schedule.isDue(at: 102_999) && schedule.isDue(at: 103_000))
    _ = schedule.begin(at: 0)
    schedule.end(nil, at: 104_000)
    #expect(!schedule.isDue(at: 110_000))

    schedule.ring(at: 112_000)
    #expect(schedule.isDue(at: 112_000))
}

/// Fails when the doorbell makes Herald hammer a server that fails or asks to slow down.
@Test(
    arguments: [
        (.server(.server(503)), 15), (.server(.rateLimited), 60), (.server(.signInNeeded("")), 300),
    ] as [(SyncError, Int64)])
func `the doorbell does not override a server in trouble`(error: SyncError, seconds: Int64) {
    var schedule = PassSchedule(isOffline: false)
    _ = schedule.begin(at: 0)
    schedule.end(error, at: 500_000)
    schedule.ring(at: 500_001)
    #expect(delay(schedule, after: 500_000) == seconds * 1_000)
}

/// Fails when mail that came while another process made a pass waits for the next poll.
@Test func `a bell that another process's pass may have missed rings on`() {
    var schedule = PassSchedule(isOffline: false)
    _ = schedule.begin(at: 0)
    schedule.endedElsewhere(at: 100_000)
    #expect(!schedule.isDue(at: 110_000))
    schedule.ring(at: 110_000)
    _ = schedule.begin(at: 0)
    schedule.endedElsewhere(at: 110_000)
    #expect(schedule.isDue(at: 111_000))
}

@Test func `nothing rings offline`() {
    var schedule = PassSchedule(isOffline: true)
    schedule.ring(at: 0)
    #expect(!schedule.isDue(at: 1_000_000))
}
