package import HTTP
package import MailModel

/// The files of one account's messages over HTTP, read while they arrive.
///
/// The token goes to the account's own origin only; an answer that points elsewhere is not followed.
package struct HTTPAttachmentSource: Sendable {
    /// Silence beyond it means that nobody is there; whole files may take as long as they need.
    package static let silenceMax = Duration.seconds(60)
    /// An error's envelope is smaller.
    private static let errorBytesMax = 64 * 1_024

    private let origin: String
    private let source: any BearerSource
    private let client: any HTTPStreamClient
    private let silenceMax: Duration

    /// A source of the account at `origin` (scheme, host and port); a bearer is asked for at each file.
    package init(
        origin: String, bearers source: any BearerSource, client: any HTTPStreamClient,
        silenceMax: Duration = HTTPAttachmentSource.silenceMax
    ) {
        self.origin = URLParts(origin)?.origin ?? origin
        self.client = client
        self.silenceMax = silenceMax
        self.source = source
    }

    /// Reads a message's file and hands each piece on, waiting for it to be taken; answers how many bytes there were.
    ///
    /// More bytes than `bytesMax` are not read. Throws `MailAPIError`, what `take` throws, or `CancellationError` when
    /// the task is cancelled; pieces may have been handed on by then.
    package func read(
        _ id: AttachmentID, bytesMax: Int, isolation: isolated (any Actor)? = #isolation,
        _ take: ([UInt8]) async throws -> Void
    ) async throws -> Int {
        let stream = try await open(id)
        var count = 0
        var pieces = stream.body.makeAsyncIterator()
        while let piece = try await next(&pieces) {
            count += piece.count
            guard count <= bytesMax else { throw MailAPIError.transport(.tooLarge(limit: bytesMax)) }
            try await take(piece)
        }
        return count
    }

    private func open(_ id: AttachmentID) async throws -> HTTPStream {
        let name = id.rawValue
        guard !name.isEmpty, name != ".", name != "..", let own = URLParts(origin) else {
            throw MailAPIError.notFound("")
        }
        let url = "\(own.origin)/api/v1/attachments/\(PercentEncoding.encode(name))"
        return try await source.attempt(isRefusal: HTTPMailAPIClient.isRefusal) { bearer in
            var request = HTTPRequest(url: url, headers: [HTTPHeader("Accept", "*/*")])
            guard request.authorize(bearer: bearer, for: own) else { throw MailAPIError.transport(.badURL) }
            return try await open(request)
        }
    }

    private func open(_ request: HTTPRequest) async throws -> HTTPStream {
        let stream: HTTPStream
        do {
            stream = try await client.stream(request, silenceMax: silenceMax)
        } catch let error as HTTPError {
            throw MailAPIError.transport(error)
        }
        guard (200..<300).contains(stream.status) else { throw try await refusal(stream) }
        return stream
    }

    /// What an answer that is no file means.
    private func refusal(_ stream: HTTPStream) async throws -> MailAPIError {
        var body: [UInt8] = []
        var pieces = stream.body.makeAsyncIterator()
        while body.count < HTTPAttachmentSource.errorBytesMax, let piece = try await next(&pieces) { body += piece }
        do {
            try ResponseStatus.check(HTTPResponse(status: stream.status, headers: stream.headers, body: body))
            return .notJSON
        } catch {
            return error
        }
    }

    private func next(
        _ pieces: inout AsyncThrowingStream<[UInt8], any Error>.Iterator
    ) async throws -> [UInt8]? {
        do {
            return try await pieces.next(isolation: #isolation)
        } catch let error as HTTPError {
            throw MailAPIError.transport(error)
        }
    }
}
