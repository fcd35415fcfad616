internal import HTTP
internal import JSON
internal import MailWire

/// What an answer's status and code mean (contract §1.4).
///
/// The server's sentence is never looked at.
enum ResponseStatus {
    private static let cursorCodes: Set<String> = [
        "INVALID_CHANGE_CURSOR", "INVALID_CURSOR", "INVALID_DRAFT_CURSOR", "INVALID_DRAFT_CHANGE_CURSOR",
    ]

    /// Passes a success, throws what anything else means.
    static func check(_ response: HTTPResponse) throws(MailAPIError) {
        if response.isSuccess { return }
        let code = errorCode(of: response)
        switch response.status {
        case 300..<400: throw .notJSON
        case 401: throw .signInNeeded(code ?? "")
        case 403: throw .forbidden(code ?? "")
        case 404:
            guard let code else { throw .notJSON }
            throw .notFound(code)
        case 410: throw .invalidCursor
        case 429: throw .rateLimited
        case 500...: throw .server(response.status)
        default:
            if response.status == 400, let code, cursorCodes.contains(code) { throw .invalidCursor }
            throw .refused(response.status, code ?? "")
        }
    }

    /// Whether the body is declared as JSON.
    static func isJSON(_ response: HTTPResponse) -> Bool {
        let type = response.mediaType
        return type == "application/json" || (type.hasPrefix("application/") && type.hasSuffix("+json"))
    }

    /// The code of an error envelope; `nil` when the body is none.
    static func errorCode(of response: HTTPResponse) -> String? {
        guard isJSON(response) else { return nil }
        var reader = JSONReader(response.body)
        guard let code = try? ErrorWire(from: &reader).code, code.utf8.count <= 64 else { return nil }
        return code
    }
}
