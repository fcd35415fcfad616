import EventStream
import HTTP
import MailAPI
import MailSync
import Testing

struct ReconnectMachineTests {
    private func waits(_ machine: inout ReconnectMachine, count: Int, jitter: Double = 0) -> [Int64] {
        (0..<count).map { _ in
            guard case .wait(let milliseconds) = machine.lost(.server(503), at: 0, jitter: jitter) else { return -1 }
            return milliseconds
        }
    }

    @Test func `waits double from three seconds to thirty`() {
        var machine = ReconnectMachine()
        #expect(waits(&machine, count: 6) == [3_000, 6_000, 12_000, 24_000, 30_000, 30_000])
        #expect(waits(&machine, count: 100).last == 30_000)
    }

    @Test func `jitter lengthens a wait by up to a fifth`() {
        var machine = ReconnectMachine()
        #expect(waits(&machine, count: 2, jitter: 1) == [3_600, 7_200])
        #expect(waits(&machine, count: 1, jitter: 7) == [14_400])
        #expect(waits(&machine, count: 1, jitter: -1) == [24_000])
    }

    @Test(
        arguments: [
            (500, [500, 1_000, 2_000]), (0, [500]), (5_000, [5_000, 10_000, 20_000, 30_000]),
            (60_000, [60_000, 60_000]),
            (Int64.max, [300_000]), (10_000, [10_000, 20_000, 30_000, 30_000]),
        ] as [(Int64, [Int64])])
    func `the server's wait takes the place of the first`(retry: Int64, expected: [Int64]) {
        var machine = ReconnectMachine()
        _ = machine.take(EventPulse(events: 0, lastEventID: "", retryMilliseconds: retry))
        #expect(waits(&machine, count: expected.count) == expected)
    }

    /// Fails when a server that accepts and drops at once is asked every three seconds for ever.
    @Test func `only a connection that lasted resets the wait`() {
        var machine = ReconnectMachine()
        machine.opened(at: 0)
        #expect(machine.lost(nil, at: 29_999, jitter: 0) == .wait(milliseconds: 3_000))
        machine.opened(at: 40_000)
        #expect(machine.lost(nil, at: 40_001, jitter: 0) == .wait(milliseconds: 6_000))
        machine.opened(at: 50_000)
        #expect(machine.lost(.transport(.interrupted), at: 80_000, jitter: 0) == .wait(milliseconds: 3_000))
        #expect(machine.lost(.transport(.unreachable), at: 900_000, jitter: 0) == .wait(milliseconds: 6_000))
    }

    @Test func `a rate limit waits for its window`() {
        var machine = ReconnectMachine()
        #expect(machine.lost(.rateLimited, at: 0, jitter: 0) == .wait(milliseconds: 60_000))
        #expect(machine.lost(.server(500), at: 0, jitter: 0) == .wait(milliseconds: 6_000))
    }

    @Test(
        arguments: [
            .signInNeeded, .forbidden, .closed, .notOffered, .notEvents, .refused(418), .transport(.stopped),
            .transport(.badURL), .transport(.badRequest),
        ] as [EventFeedError])
    func `what another try cannot mend ends it`(error: EventFeedError) {
        var machine = ReconnectMachine()
        #expect(machine.lost(error, at: 0, jitter: 0) == .stop(error))
    }

    @Test(
        arguments: [
            .transport(.timedOut), .transport(.interrupted), .transport(.unknownHost), .transport(.tlsFailed),
            .transport(.badResponse), .server(500), .server(503), .rateLimited, .unreadable(.lineTooLong(limit: 1)),
            .unreadable(.eventTooLong(limit: 1)),
        ] as [EventFeedError])
    func `what may pass is tried again`(error: EventFeedError) {
        var machine = ReconnectMachine()
        guard case .wait = machine.lost(error, at: 0, jitter: 0.5) else {
            Issue.record("\(error) ended it")
            return
        }
    }

    @Test func `only events ring and the id moves with every pulse`() {
        var machine = ReconnectMachine(lastEventID: "1")
        let quiet = machine.take(EventPulse(events: 0, lastEventID: "2"))
        #expect(!quiet && machine.lastEventID == "2")
        let loud = machine.take(EventPulse(events: 3, lastEventID: "5"))
        #expect(loud && machine.lastEventID == "5")
    }

    @Test func `the id is noted once a minute at most, and at the end`() {
        var machine = ReconnectMachine(lastEventID: "1")
        #expect(machine.idToNote(at: 0) == nil)
        _ = machine.take(EventPulse(events: 1, lastEventID: "2"))
        #expect(machine.idToNote(at: 0) == "2")
        _ = machine.take(EventPulse(events: 1, lastEventID: "3"))
        #expect(machine.idToNote(at: 59_999) == nil)
        #expect(machine.idToNote(at: 60_000) == "3")
        _ = machine.take(EventPulse(events: 1, lastEventID: "4"))
        #expect(machine.idToNote(at: 60_001) == nil)
        #expect(machine.idToNote(at: 60_001, isEnd: true) == "4")
        #expect(machine.idToNote(at: 60_001, isEnd: true) == nil)
    }
}
