internal import HTTP
internal import JSON

/// Answers of the sign-in routes, read without trusting them.
enum SignInAnswer {
    /// The longest answer taken; real ones have a few hundred bytes.
    static let bytesMax = 1 << 20

    /// One exchange.
    ///
    /// - Throws: `SignInError.transport`, or `CancellationError`.
    static func send(_ request: HTTPRequest, _ client: any HTTPClient) async throws -> HTTPResponse {
        do {
            return try await client.send(request)
        } catch let error as HTTPError {
            throw SignInError.transport(error)
        }
    }

    /// Sends a form.
    static func post(
        _ url: String, _ fields: [(name: String, value: String)], _ client: any HTTPClient
    ) async throws -> HTTPResponse {
        try await send(
            HTTPRequest(
                method: "POST", url: url,
                headers: [
                    HTTPHeader("Content-Type", "application/x-www-form-urlencoded"),
                    HTTPHeader("Accept", "application/json"),
                ], body: Array(PercentEncoding.query(fields).utf8), responseBytesMax: bytesMax), client)
    }

    static func isJSON(_ response: HTTPResponse) -> Bool { response.mediaType == "application/json" }

    /// The members of an object that are texts or whole numbers; `nil` for what is no object.
    static func texts(_ body: [UInt8]) -> [String: String]? {
        var reader = JSONReader(body)
        var members: [String: String] = [:]
        do {
            try reader.object { reader, name throws(JSONError) in
                switch try reader.kind() {
                case .string: members[name] = try reader.string()
                case .number:
                    let start = reader.position
                    try reader.skip()
                    members[name] = String(decoding: body[start..<reader.position], as: UTF8.self)
                default: try reader.skip()
                }
            }
            try reader.end()
        } catch {
            return nil
        }
        return members
    }

    /// That a server cannot answer now, whatever it was asked; `nil` when it did.
    static func unavailable(_ response: HTTPResponse) -> SignInError? {
        response.status == 429 ? .rateLimited : response.status >= 500 ? .server(response.status) : nil
    }

    /// Why the server refused: its own word, when it is one that a program can read.
    static func refusal(_ response: HTTPResponse) -> SignInError {
        if let error = unavailable(response) { return error }
        // A redirect is followed nowhere.
        guard response.status >= 400 else { return .malformed }
        guard isJSON(response), let members = texts(response.body) else { return .wrongServer }
        return refused(members["error"] ?? "")
    }

    /// A refusal by the server's own word, left out when it is none that a program can read.
    static func refused(_ word: String) -> SignInError {
        let isPlain = word.utf8.count <= 40 && word.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F }
        return .refused(isPlain ? word : "")
    }
}
