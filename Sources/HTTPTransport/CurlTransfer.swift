internal import CCurl
internal import Glibc
internal import HTTP

/// One exchange in progress: what is sent, what has arrived, and who waits.
///
/// Lives on the client's thread only. libcurl holds an unretained pointer to it between `configure` and the removal of
/// the handle; the thread keeps it alive for that time.
final class CurlTransfer {
    static let headerBytesMax = 256 * 1024

    let id: UInt64
    let request: HTTPRequest
    let target: URLParts
    let settings: CurlClient.Settings
    let receiver: CurlReceiver
    var lines: UnsafeMutablePointer<curl_slist>?
    var body: UnsafeMutableRawBufferPointer?
    /// Where the body comes from, when it is a file.
    var source: CurlFileSource?
    private var headers = HeaderCollector(bytesMax: CurlTransfer.headerBytesMax)
    private var received: [UInt8] = []
    /// Why it cannot go on, where libcurl does not know; `nil` while it can.
    var failure: HTTPError?
    private var hasBegun = false
    private var isPaused = false
    private var lastHeard = ContinuousClock.now
    /// libcurl's own words on a failure, for telling a broken connection from a refused one.
    let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init(_ order: CurlOrder) {
        id = order.id
        request = order.request
        target = order.target
        settings = order.settings
        receiver = order.receiver
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        herald_slist_free_all(lines)
        body?.deallocate()
        words.deallocate()
    }

    func fail(_ error: any Error) { receiver.fail(error) }

    /// Fills a buffer with the next of the body to be sent; answers how much, or libcurl's word for giving up.
    func provide(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        if let count = source?.read(into: buffer) { return count }
        failure = .badBody
        return Int(CURL_READFUNC_ABORT)
    }

    /// What is done with a piece of the body.
    enum Reception {
        case taken, paused, refused
    }

    /// Takes a piece of the body.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Reception {
        if case .stream(let body, _) = receiver {
            lastHeard = .now
            isPaused = !body.append(bytes)
            return isPaused ? .paused : .taken
        }
        guard bytes.count <= request.responseBytesMax - received.count else {
            failure = .tooLarge(limit: request.responseBytesMax)
            return .refused
        }
        received.append(contentsOf: bytes)
        return .taken
    }

    /// Takes a line of the header; returns false to end the transfer.
    func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard headers.receive(Array(bytes)[...]) else {
            failure = .tooLarge(limit: Self.headerBytesMax)
            return false
        }
        if case .stream(let body, _) = receiver {
            lastHeard = .now
            if headers.isFinal, !hasBegun {
                hasBegun = true
                body.begin(CurlBody.Head(status: headers.status, fields: headers.fields))
            }
        }
        return true
    }

    /// Tells the caller how it ended, once libcurl is done with the transfer.
    func finish(_ outcome: Result<HTTPResponse, any Error>) {
        switch receiver {
        case .whole(let continuation): continuation.resume(with: outcome)
        case .stream(let body, _): body.end(outcome.map { _ in })
        }
    }

    /// How the transfer ended.
    func outcome(code: CURLcode, easy: UnsafeMutableRawPointer) -> Result<HTTPResponse, any Error> {
        if let failure { return .failure(failure) }
        guard code == CURLE_OK else {
            let wasSent = Self.wasSent(easy)
            let limit = request.responseBytesMax
            return .failure(HTTPError(code, wasSent: wasSent, wasCut: wasCut(easy), bytesMax: limit))
        }
        // A connection that closes within the header is a success to libcurl, but not an answer.
        guard headers.isComplete else { return .failure(HTTPError.interrupted) }
        var status = 0
        _ = herald_easy_getinfo_long(easy, CURLINFO_RESPONSE_CODE, &status)
        return .success(HTTPResponse(status: status, headers: headers.fields, body: received))
    }

    /// Whether the connection was closed or reset, where libcurl gives a code of encryption for that as well.
    private func wasCut(_ easy: UnsafeMutableRawPointer) -> Bool {
        var code = 0
        let known = herald_easy_getinfo_long(easy, CURLINFO_OS_ERRNO, &code)
        if known == CURLE_OK, [Int(ECONNRESET), Int(EPIPE), Int(ETIMEDOUT)].contains(code) { return true }
        return String(cString: words).contains("SSL_ERROR_SYSCALL")
    }

    // What follows is of streams only.

    /// Whether the body is read while it arrives.
    var isStream: Bool {
        if case .stream = receiver { return true }
        return false
    }

    /// When the silence is too long; `nil` while it is the reader who keeps the sender waiting.
    var silenceEnds: ContinuousClock.Instant? {
        guard case .stream(_, let silenceMax) = receiver, !isPaused else { return nil }
        return lastHeard.advanced(by: silenceMax)
    }

    /// Lets the sender go on after a pause; the silence begins anew.
    func resume(_ easy: UnsafeMutableRawPointer) {
        guard isPaused else { return }
        isPaused = false
        lastHeard = .now
        // May deliver, and pause again, before it returns.
        _ = herald_easy_pause(easy, CURLPAUSE_CONT)
    }

    /// Whether any byte of the request may have left; when in doubt, it has.
    private static func wasSent(_ easy: UnsafeMutableRawPointer) -> Bool {
        var requestBytes = 0
        var readyMicroseconds: curl_off_t = 0
        let first = herald_easy_getinfo_long(easy, CURLINFO_REQUEST_SIZE, &requestBytes)
        let second = herald_easy_getinfo_off(easy, CURLINFO_PRETRANSFER_TIME_T, &readyMicroseconds)
        return first != CURLE_OK || second != CURLE_OK || requestBytes > 0 || readyMicroseconds > 0
    }
}
