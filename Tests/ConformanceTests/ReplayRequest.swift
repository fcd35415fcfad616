@testable internal import LocalServer

/// A recorded request as the local server must get it.
struct ReplayRequest: Sendable {
    let target: String
    let headers: [(String, String)]
    let body: [UInt8]?

    init(_ exchange: RecordedExchange, _ bindings: Bindings) {
        target = ReplayRequest.target(exchange.path, bindings)
        let port = bindings.origin.split(separator: ":").last.map(String.init) ?? ""
        headers = exchange.requestHeaders.sorted { $0.key < $1.key }.map { header in
            (header.key, header.key == "host" ? "localhost:" + port : bindings.localized(header.value))
        }
        body = ReplayRequest.body(exchange, bindings)
    }

    private static func target(_ path: String, _ bindings: Bindings) -> String {
        let pieces = path.split(separator: "cursor=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard pieces.count == 2 else { return bindings.localized(path) }
        let cursor = String(pieces[1].prefix { $0 != "&" })
        return bindings.localized(pieces[0]) + "cursor=" + bindings.localizedCursor(cursor)
            + pieces[1].dropFirst(cursor.count)
    }

    private static func body(_ exchange: RecordedExchange, _ bindings: Bindings) -> [UInt8]? {
        switch exchange.requestBody {
        case .null:
            if exchange.requestHeaders["content-type"]?.hasPrefix("application/json") == true {
                return Array("null".utf8)
            }
            return exchange.method == "GET" || exchange.method == "HEAD" ? nil : []
        case .string(let text): return Array(bindings.localized(text).utf8)
        default: break
        }
        if let encoded = exchange.requestBody["base64"]?.text { return Cursor.decode(encoded) }
        if let length = exchange.requestBody["bytes"]?.int, exchange.requestBody["sha256"] != nil {
            return upload(length, exchange)
        }
        return Array(bindings.localized(exchange.requestBody.json).utf8)
    }

    /// A form of a length with one file; only the length of such a body was recorded.
    private static func upload(_ length: Int, _ exchange: RecordedExchange) -> [UInt8] {
        let name = exchange.body["filename"]?.text ?? "big.bin"
        let head = Array(
            """
            --XbX\r\nContent-Disposition: form-data; name="file"; filename="\(name)"\r\n\
            Content-Type: application/octet-stream\r\n\r\n
            """.utf8)
        let tail = Array("\r\n--XbX--\r\n".utf8)
        // The answer tells the file's length; the form's own text is fitted around it.
        let size = exchange.body["sizeBytes"]?.int ?? max(0, length - head.count - tail.count)
        return head + [UInt8](repeating: 0x78, count: size) + tail
    }
}
