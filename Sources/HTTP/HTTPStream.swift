/// An answer whose body is read while it arrives.
package struct HTTPStream: Sendable {
    package let status: Int
    package let headers: [HTTPHeader]
    /// The body in pieces of no particular size, for one reader.
    ///
    /// It ends where the server ended the body, and throws `HTTPError` when it broke off or was silent for too long.
    /// The connection is closed as soon as the reading task is cancelled or the body is no longer held.
    package let body: AsyncThrowingStream<[UInt8], any Error>

    package init(status: Int, headers: [HTTPHeader], body: AsyncThrowingStream<[UInt8], any Error>) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The value of the first header field with this name, in any case of letters.
    package func value(of name: String) -> String? { headers.value(of: name) }

    /// The media type of the body in lower case, without parameters; empty when the server named none.
    package var mediaType: String { headers.mediaType }
}

/// Sends requests whose answers never end by themselves.
package protocol HTTPStreamClient: HTTPClient {
    /// Sends a request and returns as soon as the header of the answer is complete, whatever its status.
    ///
    /// There is no deadline for the whole and no limit to its size: the request's own do not apply. What ends it is
    /// silence: `silenceMax` without a byte, from the start of the request on. A reader that is slow holds the sender
    /// back. Redirects are returned, never followed. Throws `HTTPError`, or `CancellationError` when the task is
    /// cancelled.
    func stream(_ request: HTTPRequest, silenceMax: Duration) async throws -> HTTPStream
}
