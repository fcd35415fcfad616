internal import EventStream
package import HTTP

/// The event stream of one account over HTTP.
///
/// The token goes to the account's own origin only; an answer that points elsewhere is not followed.
package struct HTTPEventFeed: EventFeed {
    /// The path of the route, as a server's description lists it.
    package static let path = "/api/v1/events"
    /// Four heartbeats, at the 15 seconds that the standard advises; silence beyond it means that nobody is there.
    package static let silenceMax = Duration.seconds(60)
    /// The longest id kept: it is sent in a header, and servers bound those.
    private static let idBytesMax = 1_024

    private let origin: String
    private let source: any BearerSource
    private let client: any HTTPStreamClient
    private let silenceMax: Duration

    /// A feed of the account at `origin` (scheme, host and port); a bearer is asked for at each opening.
    package init(
        origin: String, bearers source: any BearerSource, client: any HTTPStreamClient,
        silenceMax: Duration = HTTPEventFeed.silenceMax
    ) {
        self.origin = URLParts(origin)?.origin ?? origin
        self.client = client
        self.silenceMax = silenceMax
        self.source = source
    }

    package func open(lastEventID: String) async throws -> any EventConnection {
        try await source.attempt(isRefusal: { $0 as? EventFeedError == .signInNeeded }) { bearer in
            try await open(lastEventID: lastEventID, bearer)
        }
    }

    private func open(lastEventID: String, _ bearer: String) async throws -> any EventConnection {
        var request = HTTPRequest(
            url: origin + HTTPEventFeed.path,
            headers: [HTTPHeader("Accept", "text/event-stream"), HTTPHeader("Cache-Control", "no-store")])
        guard let own = URLParts(origin), request.authorize(bearer: bearer, for: own) else {
            throw EventFeedError.transport(.badURL)
        }
        let last = HTTPEventFeed.sendable(lastEventID)
        if !last.isEmpty { request.headers.append(HTTPHeader("Last-Event-ID", last)) }
        let stream: HTTPStream
        do {
            stream = try await client.stream(request, silenceMax: silenceMax)
        } catch let error as HTTPError {
            throw EventFeedError.transport(error)
        }
        if let failure = EventFeedError(status: stream.status, mediaType: stream.mediaType) { throw failure }
        return HTTPEventConnection(stream.body, lastEventID: last)
    }

    /// The id, or none when it cannot travel in a header.
    static func sendable(_ id: String) -> String {
        id.utf8.count <= idBytesMax && HTTPHeader("Last-Event-ID", id).isWellFormed ? id : ""
    }
}

/// Reads the events off one answer.
private actor HTTPEventConnection: EventConnection {
    private let body: AsyncThrowingStream<[UInt8], any Error>
    private var parser: EventStreamParser
    private var last: EventPulse
    private var fault: EventStreamError?

    init(_ body: AsyncThrowingStream<[UInt8], any Error>, lastEventID: String) {
        self.body = body
        parser = EventStreamParser(lastEventID: lastEventID)
        last = EventPulse(events: 0, lastEventID: lastEventID)
    }

    func next() async throws -> EventPulse? {
        var pieces = body.makeAsyncIterator()
        while true {
            // What was read before the fault has been told.
            if let fault { throw EventFeedError.unreadable(fault) }
            let piece: [UInt8]?
            do {
                piece = try await pieces.next(isolation: #isolation)
            } catch let error as HTTPError {
                throw EventFeedError.transport(error)
            }
            guard let piece else {
                // A cancelled stream just ends, too.
                try Task.checkCancellation()
                return nil
            }
            let pulse = read(piece)
            if pulse.events > 0 || pulse != last {
                last = pulse
                last.events = 0
                return pulse
            }
        }
    }

    private func read(_ piece: [UInt8]) -> EventPulse {
        var events: [StreamEvent] = []
        do {
            try parser.read(piece, into: &events)
        } catch {
            fault = error
        }
        return EventPulse(
            events: events.count, lastEventID: HTTPEventFeed.sendable(parser.lastEventID),
            retryMilliseconds: parser.retryMilliseconds)
    }
}
