/// One event of an event stream (WHATWG HTML, "Server-sent events").
package struct StreamEvent: Sendable, Hashable {
    /// The name the sender gave it; `message` when it gave none.
    package var name: String
    /// The `data` lines, joined with line feeds.
    package var data: String
    /// The last id the stream named, by this event or one before it; empty when there was none.
    package var lastEventID: String

    package init(name: String = "message", data: String, lastEventID: String = "") {
        self.name = name
        self.data = data
        self.lastEventID = lastEventID
    }
}

/// Why a stream cannot be read further; the connection is to be dropped.
package enum EventStreamError: Error, Hashable, Sendable {
    /// A line is longer than allowed.
    case lineTooLong(limit: Int)
    /// The data of one event is longer than allowed.
    case eventTooLong(limit: Int)
}
