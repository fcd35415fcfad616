package import HTTP
internal import Synchronization

/// Sends requests with libcurl, on one thread of its own.
///
/// Connections are kept and shared by every request; HTTP/2 is used over TLS where the server offers it.
/// Callers never block a thread: they are suspended until the answer is complete. Streams have a thread and connections
/// of their own, since libcurl would have requests wait to learn whether such a connection can be shared.
package final class CurlClient: HTTPStreamClient {
    /// What every request of a client has in common.
    package struct Settings: Sendable, Hashable {
        /// The value of the `User-Agent` header.
        package var userAgent: String
        /// A file of certificate authorities to trust in place of the system's.
        package var certificateAuthorityFile: String?
        /// The time connecting may take, within the timeout of the request.
        package var connectTimeout: Duration
        /// How many connections to one server may be open at once.
        package var connectionsPerHostMax: Int

        package init(
            userAgent: String, certificateAuthorityFile: String? = nil,
            connectTimeout: Duration = .seconds(10), connectionsPerHostMax: Int = 8
        ) {
            self.userAgent = userAgent
            self.certificateAuthorityFile = certificateAuthorityFile
            self.connectTimeout = connectTimeout
            self.connectionsPerHostMax = connectionsPerHostMax
        }
    }

    private struct Streams {
        var queue: CurlQueue?
        var isStopped = false
    }

    private let queue: CurlQueue
    private let settings: Settings
    /// The thread of streams, started with the first.
    private let streams = Mutex(Streams())

    /// Starts the thread; it ends with `stop` or with the last reference to the client.
    package init(settings: Settings) throws(HTTPError) {
        self.settings = settings
        queue = try CurlThread.start(connectionsPerHostMax: settings.connectionsPerHostMax)
    }

    /// Starts a client that calls itself `herald/` and the version.
    package convenience init(version: String, certificateAuthorityFile: String? = nil) throws(HTTPError) {
        let settings = Settings(userAgent: "herald/\(version)", certificateAuthorityFile: certificateAuthorityFile)
        try self.init(settings: settings)
    }

    deinit { stop() }

    /// Ends every request in flight with `HTTPError.stopped`, and refuses new ones; may be called again.
    package func stop() {
        queue.stop()
        let streaming = streams.withLock { streams in
            streams.isStopped = true
            return streams.queue
        }
        streaming?.stop()
    }

    private func streamQueue() throws(HTTPError) -> CurlQueue {
        try streams.withLock { streams throws(HTTPError) in
            if let queue = streams.queue { return queue }
            if streams.isStopped { throw .stopped }
            let queue = try CurlThread.start(connectionsPerHostMax: settings.connectionsPerHostMax)
            streams.queue = queue
            return queue
        }
    }

    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        guard let target = URLParts(request.url) else { throw HTTPError.badURL }
        guard request.isWellFormed else { throw HTTPError.badRequest }
        let id = queue.makeID()
        defer { queue.forget(id) }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let order = CurlOrder(
                    id: id, request: request, target: target, settings: settings, receiver: .whole(continuation))
                if let refusal = queue.post(order) { continuation.resume(throwing: refusal) }
            }
        } onCancel: {
            queue.cancel(id)
        }
    }

    package func stream(_ request: HTTPRequest, silenceMax: Duration) async throws -> HTTPStream {
        guard let target = URLParts(request.url) else { throw HTTPError.badURL }
        guard request.isWellFormed else { throw HTTPError.badRequest }
        let queue = try streamQueue()
        let id = queue.makeID()
        let lease = CurlLease(client: self, queue: queue, id: id)
        let (head, body) = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let body = CurlBody(head: continuation)
                let order = CurlOrder(
                    id: id, request: request, target: target, settings: settings,
                    receiver: .stream(body, silenceMax: silenceMax))
                if let refusal = queue.post(order) { order.receiver.fail(refusal) }
            }
        } onCancel: {
            queue.cancel(id)
        }
        return HTTPStream(
            status: head.status, headers: head.fields,
            body: AsyncThrowingStream { try await body.next(lease) })
    }
}
