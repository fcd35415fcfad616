/// Opens the account's live events, where the server has them.
///
/// The contract has no such route; a server that has one lists it in its own description. An event says only that
/// something changed, so nothing of it is kept but its id.
package protocol EventFeed: Sendable {
    /// Opens the stream after the last event heard; returns once the server has accepted.
    ///
    /// An empty id asks for what comes from now on. Throws `EventFeedError`, or `CancellationError` when the task is
    /// cancelled.
    func open(lastEventID: String) async throws -> any EventConnection
}

/// One open stream of events, for one reader.
///
/// It is closed as soon as the reading task is cancelled or nobody holds it.
package protocol EventConnection: Sendable {
    /// What arrived, as soon as something has; `nil` when the server ended the stream.
    ///
    /// Throws `EventFeedError`, or `CancellationError` when the task is cancelled.
    func next() async throws -> EventPulse?
}

/// What one reading of a stream brought.
package struct EventPulse: Sendable, Hashable {
    /// How many events came; none when only the id or the wait changed.
    package var events: Int
    /// The id to go on from; empty when there is none.
    package var lastEventID: String
    /// The wait before a reconnect the server asked for last.
    package var retryMilliseconds: Int64?

    package init(events: Int, lastEventID: String, retryMilliseconds: Int64? = nil) {
        self.events = events
        self.lastEventID = lastEventID
        self.retryMilliseconds = retryMilliseconds
    }
}
