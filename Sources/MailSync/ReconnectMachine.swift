package import MailAPI

/// Decides when the event stream is opened again, and when never.
///
/// Times are milliseconds of a clock that never goes back; all of them are passed in.
package struct ReconnectMachine: Sendable, Hashable {
    /// The waits, in milliseconds.
    package struct Timing: Sendable, Hashable {
        /// The first wait after a good connection, unless the server asks for another.
        package var first: Int64
        /// Where doubling ends, unless the server asks for more.
        package var longest: Int64
        /// A connection that lasted this long was a good one.
        package var good: Int64
        /// The least between two notes of the last id.
        ///
        /// Losing one costs nothing but a pass.
        package var noteEvery: Int64

        package init(first: Int64 = 3_000, longest: Int64 = 30_000, good: Int64 = 30_000, noteEvery: Int64 = 60_000) {
            self.first = first
            self.longest = longest
            self.good = good
            self.noteEvery = noteEvery
        }
    }

    /// What to do after a connection is lost.
    package enum Step: Sendable, Hashable {
        case wait(milliseconds: Int64)
        /// Never open it again.
        case stop(EventFeedError)
    }

    /// What a server may ask for as a wait; more or less than that is not meant well.
    private static let retryRange: ClosedRange<Int64> = 500...300_000
    /// The server counts requests by the minute and does not tell how long to wait (contract §1.5).
    private static let rateLimitWait: Int64 = 60_000

    /// The id to go on from; empty when there is none.
    package private(set) var lastEventID: String
    private let timing: Timing
    private var retry: Int64?
    private var failures = 0
    private var openedAt: Int64?
    private var notedID: String
    private var notedAt: Int64?

    /// A machine that goes on from the id of an earlier run.
    package init(lastEventID: String = "", timing: Timing = Timing()) {
        self.lastEventID = lastEventID
        self.timing = timing
        notedID = lastEventID
    }

    /// Notes that the server accepted.
    package mutating func opened(at now: Int64) {
        openedAt = now
    }

    /// Takes what the stream brought; whether the bell rings.
    package mutating func take(_ pulse: EventPulse) -> Bool {
        lastEventID = pulse.lastEventID
        if let asked = pulse.retryMilliseconds {
            retry = min(max(asked, ReconnectMachine.retryRange.lowerBound), ReconnectMachine.retryRange.upperBound)
        }
        return pulse.events > 0
    }

    /// Notes that the connection is lost or was refused; `nil` when the server ended it.
    ///
    /// `jitter` from 0 to 1 lengthens the wait by up to a fifth, so that not all come back at once.
    package mutating func lost(_ error: EventFeedError?, at now: Int64, jitter: Double) -> Step {
        if let error, !error.isRetryable { return .stop(error) }
        if let openedAt, now - openedAt >= timing.good { failures = 0 }
        openedAt = nil
        let first = retry ?? timing.first
        var wait = min(first << Int64(min(failures, 10)), max(first, timing.longest))
        failures += 1
        if error == .rateLimited { wait = max(wait, ReconnectMachine.rateLimitWait) }
        return .wait(milliseconds: wait + Int64(Double(wait) * 0.2 * min(max(jitter, 0), 1)))
    }

    /// The last id when it is to be noted now: it is new, and the note before is old or this is the end.
    package mutating func idToNote(at now: Int64, isEnd: Bool = false) -> String? {
        guard lastEventID != notedID else { return nil }
        if !isEnd, let notedAt, now - notedAt < timing.noteEvery { return nil }
        notedID = lastEventID
        notedAt = now
        return lastEventID
    }
}
