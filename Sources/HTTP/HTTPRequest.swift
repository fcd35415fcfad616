/// A request to send: everything the transport needs, and nothing it has to guess.
package struct HTTPRequest: Sendable, Hashable {
    package var method: String
    package var url: String
    package var headers: [HTTPHeader]
    package var body: [UInt8]?
    /// A body that comes from a file, in place of `body`; `nil` for none.
    package var fileBody: HTTPFileBody?
    /// The time the whole exchange may take, connecting included; with a body from a file only its silence counts.
    package var timeout: Duration
    /// The largest body accepted, counted after decompression.
    package var responseBytesMax: Int
    /// Whether the transport may send the request again by itself when a kept connection turns out to be dead.
    ///
    /// False by default for POST: the server may have acted on it before the connection broke.
    package var isRepeatable: Bool

    package init(
        method: String = "GET", url: String, headers: [HTTPHeader] = [], body: [UInt8]? = nil,
        fileBody: HTTPFileBody? = nil, timeout: Duration = .seconds(30), responseBytesMax: Int = 32 * 1024 * 1024,
        isRepeatable: Bool? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.fileBody = fileBody
        self.timeout = timeout
        self.responseBytesMax = responseBytesMax
        self.isRepeatable = isRepeatable ?? (method != "POST")
    }

    /// Whether the method and the headers can be sent as they are.
    package var isWellFormed: Bool {
        !method.isEmpty && method.utf8.allSatisfy(HTTPHeader.isTokenByte) && headers.allSatisfy(\.isWellFormed)
    }

    /// Adds a bearer token, but only when the request goes to the origin the token belongs to.
    ///
    /// Returns whether the token was added. A link found in a response may point anywhere; a token must not follow it.
    package mutating func authorize(bearer token: String, for origin: URLParts) -> Bool {
        guard let target = URLParts(url), target.hasSameOrigin(as: origin) else { return false }
        headers.removeAll { $0.name.equalsIgnoringASCIICase("Authorization") }
        headers.append(HTTPHeader("Authorization", "Bearer \(token)"))
        return true
    }
}
