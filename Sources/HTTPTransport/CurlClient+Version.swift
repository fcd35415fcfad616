internal import CCurl

extension CurlClient {
    /// The version of libcurl; empty when it cannot be loaded.
    package static var libraryVersion: String { String(cString: herald_curl_version()) }
}
