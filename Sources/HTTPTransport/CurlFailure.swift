internal import CCurl
internal import HTTP

extension HTTPError {
    /// The error for a code of libcurl.
    ///
    /// A failure before anything was sent is `unreachable`, so that callers know the server cannot have acted.
    ///
    /// `wasCut` says that the connection ended within the agreement on encryption, which is no word of the server.
    init(_ code: CURLcode, wasSent: Bool, wasCut: Bool, bytesMax: Int) {
        switch code {
        case CURLE_SSL_CONNECT_ERROR where wasCut:
            self = .unreachable
        case CURLE_URL_MALFORMAT:
            self = .badURL
        case CURLE_UNSUPPORTED_PROTOCOL:
            // The scheme was checked before, so this is an answer without a status line.
            self = wasSent ? .badResponse : .badURL
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            self = .unknownHost
        case CURLE_COULDNT_CONNECT, CURLE_PROXY:
            self = .unreachable
        case CURLE_OPERATION_TIMEDOUT:
            self = wasSent ? .timedOut : .unreachable
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2,
            CURLE_HTTP2_STREAM, CURLE_SEND_FAIL_REWIND:
            self = wasSent ? .interrupted : .unreachable
        case CURLE_FILESIZE_EXCEEDED:
            self = .tooLarge(limit: bytesMax)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
            self = .badResponse
        default:
            self = Self.tlsCodes.contains(code.rawValue) ? .tlsFailed : .transportFailed
        }
    }

    private static let tlsCodes: Set<UInt32> = [
        CURLE_SSL_CONNECT_ERROR.rawValue, CURLE_PEER_FAILED_VERIFICATION.rawValue, CURLE_SSL_CERTPROBLEM.rawValue,
        CURLE_SSL_CIPHER.rawValue, CURLE_SSL_CACERT_BADFILE.rawValue, CURLE_SSL_CRL_BADFILE.rawValue,
        CURLE_SSL_ISSUER_ERROR.rawValue, CURLE_SSL_INVALIDCERTSTATUS.rawValue,
        CURLE_SSL_PINNEDPUBKEYNOTMATCH.rawValue, CURLE_USE_SSL_FAILED.rawValue, CURLE_SSL_CLIENTCERT.rawValue,
    ]
}
