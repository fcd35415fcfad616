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
    let continuation: CheckedContinuation<HTTPResponse, any Error>
    var lines: UnsafeMutablePointer<curl_slist>?
    var body: UnsafeMutableRawBufferPointer?
    private var headers = HeaderCollector(bytesMax: CurlTransfer.headerBytesMax)
    private var received: [UInt8] = []
    private var failure: HTTPError?

    init(_ order: CurlOrder) {
        id = order.id
        request = order.request
        target = order.target
        settings = order.settings
        continuation = order.continuation
    }

    deinit {
        curl_slist_free_all(lines)
        body?.deallocate()
    }

    func fail(_ error: any Error) { continuation.resume(throwing: error) }

    /// Takes a piece of the body; returns false to end the transfer.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= request.responseBytesMax - received.count else {
            failure = .tooLarge(limit: request.responseBytesMax)
            return false
        }
        received.append(contentsOf: bytes)
        return true
    }

    /// Takes a line of the header; returns false to end the transfer.
    func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard headers.receive(Array(bytes)[...]) else {
            failure = .tooLarge(limit: Self.headerBytesMax)
            return false
        }
        return true
    }

    /// What the caller is told, once libcurl is done with the transfer.
    func outcome(code: CURLcode, easy: UnsafeMutableRawPointer) -> Result<HTTPResponse, any Error> {
        if let failure { return .failure(failure) }
        guard code == CURLE_OK else {
            let wasSent = Self.wasSent(easy)
            return .failure(HTTPError(code, wasSent: wasSent, bytesMax: request.responseBytesMax))
        }
        // A connection that closes within the header is a success to libcurl, but not an answer.
        guard headers.isComplete else { return .failure(HTTPError.interrupted) }
        var status = 0
        _ = herald_easy_getinfo_long(easy, CURLINFO_RESPONSE_CODE, &status)
        return .success(HTTPResponse(status: status, headers: headers.fields, body: received))
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
