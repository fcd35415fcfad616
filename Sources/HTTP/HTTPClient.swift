/// Sends requests; the one thing the layers above know about the network.
package protocol HTTPClient: Sendable {
    /// Sends a request and returns the complete answer, whatever its status.
    ///
    /// Redirects are returned, never followed. Throws `HTTPError`, or `CancellationError` when the task is cancelled.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
