/// Why a request has no complete answer.
package enum HTTPError: Error, Sendable, Hashable {
    /// The address is not one that can be asked.
    case badURL
    /// The method or a header of the request cannot be sent.
    case badRequest
    /// The file that is the body cannot be read, or has another length than was told; the server has no whole request.
    case badBody
    /// The name of the server could not be resolved.
    case unknownHost
    /// No connection could be made; nothing was sent.
    case unreachable
    /// The time ran out; the server may have acted on the request.
    case timedOut
    /// The secure connection was refused by either side.
    case tlsFailed
    /// The connection broke before the answer was complete; the server may have acted on the request.
    case interrupted
    /// The answer was larger than the request allowed.
    case tooLarge(limit: Int)
    /// The answer was not HTTP that can be read.
    case badResponse
    /// The client was shut down.
    case stopped
    /// The transport could not work, for want of memory for example.
    case transportFailed

    /// The error in words for people.
    package var message: String {
        switch self {
        case .badURL: "The server address is not a valid web address."
        case .badRequest: "The request could not be written."
        case .badBody: "The file to be sent could not be read."
        case .unknownHost: "The server name could not be found. Check the address and your connection."
        case .unreachable: "The server could not be reached."
        case .timedOut: "The server did not answer in time."
        case .tlsFailed: "A secure connection to the server could not be made."
        case .interrupted: "The connection broke before the answer was complete."
        case .tooLarge(let limit): "The answer is larger than the \(limit) bytes allowed."
        case .badResponse: "The server sent an answer that could not be read."
        case .stopped: "The connection to the server was closed."
        case .transportFailed: "The network could not be used."
        }
    }

    /// Whether the same request may succeed later.
    ///
    /// Says nothing about whether repeating it is safe; see `mayHaveReachedServer`.
    package var isRetryable: Bool {
        switch self {
        case .unknownHost, .unreachable, .timedOut, .interrupted, .transportFailed: true
        case .badURL, .badRequest, .badBody, .tlsFailed, .tooLarge, .badResponse, .stopped: false
        }
    }

    /// Whether the server may have acted on the request though no answer is known.
    package var mayHaveReachedServer: Bool {
        switch self {
        case .badURL, .badRequest, .badBody, .unknownHost, .unreachable, .tlsFailed: false
        case .timedOut, .interrupted, .tooLarge, .badResponse, .stopped, .transportFailed: true
        }
    }
}
