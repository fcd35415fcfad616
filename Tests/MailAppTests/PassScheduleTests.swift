import MailAPI
import MailStorage
import MailSync
import Testing

@testable import MailApp

/// Milliseconds until the next pass after one that ended at `now`.
private func delay(_ schedule: PassSchedule, after now: Int64) -> Int64 {
    var wait: Int64 = 0
    while !schedule.isDue(at: now + wait), wait < 1_000_000 { wait += 1_000 }
    return wait
}

@Test func `the first pass is due at once and only one runs`() {
    var schedule = PassSchedule(isOffline: false)
    #expect(schedule.isDue(at: 0))
    let begun = [schedule.begin(), schedule.begin()]
    #expect(begun == [true, false] && !schedule.isDue(at: 1_000_000))
    schedule.end(nil, at: 1_000)
    #expect(!schedule.isDue(at: 15_999) && schedule.isDue(at: 16_000))
    let begunAgain = schedule.begin()
    #expect(begunAgain)
}

@Test func `nothing is due offline`() {
    var schedule = PassSchedule(isOffline: true)
    let begun = schedule.begin()
    #expect(!begun && !schedule.isDue(at: 1_000_000))
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
            _ = schedule.begin()
            schedule.end(error, at: 1_000_000)
        }
        #expect(delay(schedule, after: 1_000_000) == seconds * 1_000, "\(errors)")
    }
}

@Test func `a person who comes back does not wait but failures do`() {
    for (error, isDue) in [(SyncError?.none, true), (.server(.server(503)), false)] {
        var schedule = PassSchedule(isOffline: false)
        _ = schedule.begin()
        schedule.end(error, at: 500_000)
        #expect(!schedule.isDue(at: 510_000))
        schedule.personActed(at: 510_000)
        #expect(schedule.isDue(at: 510_000) == isDue)
    }
}
