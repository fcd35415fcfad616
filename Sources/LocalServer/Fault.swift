internal import JSON

/// One way for answers to go wrong, and which ones.
struct Fault: Sendable {
    /// What is done to an answer.
    enum Kind: Sendable, Hashable {
        /// An error with this status instead.
        case status(UInt32, code: String)
        /// A web page with status 200 instead.
        case page
        /// JSON that stops half-way, in an answer that is whole.
        case broken
        /// A member's values turned into an array.
        case type(member: String)
        /// The connection closed after so many bytes of the body.
        case cut(bytes: Int)
        /// Silence after so many bytes of the body, or before the answer; then the rest.
        case stall(milliseconds: Int, bytes: Int?)
        /// The connection closed without an answer.
        case close
        /// Silence for so long, and nothing is done.
        case swallow(milliseconds: Int)
        /// A next page on another host.
        case link
        /// The cursor that was asked for again, as if more came.
        case loop
        /// Always one more page, each with a cursor of its own.
        case endless
        /// White space up to so many bytes at the end of the body.
        case huge(bytes: Int)
    }

    var kind = Kind.close
    /// The method; any when absent.
    var method: String?
    /// The path, or its beginning when it ends in `*`; any when absent.
    var path: String?
    /// Text the query must contain, as `name=value`.
    var query: String?
    /// The first of the matching requests that fails, from 1 on.
    var nth = 1
    /// How many fail from there.
    var times = 1
    /// Whether the request is carried out before its answer is spoilt.
    var isAfter = false
    var matched = 0
    var fired = 0

    func matches(_ request: ServerRequest) -> Bool {
        if let method, method != request.method { return false }
        if let query, !request.query.contains(where: { $0.name + "=" + $0.value == query }) { return false }
        guard let path else { return true }
        if path.hasSuffix("*") { return request.path.hasPrefix(path.dropLast()) }
        return path == request.path
    }
}

extension Fault {
    /// Reads the form of a query: `kind` and what goes with it.
    ///
    /// - Throws: `Refusal` for an unknown kind or a number that is none.
    init(_ request: ServerRequest) throws(Refusal) {
        var members: [String: String] = [:]
        for item in request.query { members[item.name] = item.value }
        try self.init(members)
    }

    /// Reads one fault or an array of them.
    ///
    /// - Throws: `JSONError` or `Refusal`.
    static func read(_ body: [UInt8]) throws -> [Fault] {
        var reader = JSONReader(body)
        var objects: [[String: String]] = []
        if try reader.kind() == .array {
            try reader.array { reader throws(JSONError) in objects.append(try members(&reader)) }
        } else {
            objects.append(try members(&reader))
        }
        try reader.end()
        return try objects.map { try Fault($0) }
    }

    private static func members(_ reader: inout JSONReader) throws(JSONError) -> [String: String] {
        var members: [String: String] = [:]
        try reader.object { reader, name throws(JSONError) in
            switch try reader.kind() {
            case .string: members[name] = try reader.string()
            case .number: members[name] = String(try reader.int())
            default: try reader.skip()
            }
        }
        return members
    }

    private init(_ members: [String: String]) throws(Refusal) {
        func number(_ name: String, _ missing: Int) throws(Refusal) -> Int {
            guard let text = members[name] else { return missing }
            guard let value = Int(text), (0...1_000_000_000).contains(value) else {
                throw .validation("\(name) is not a number.")
            }
            return value
        }
        method = members["method"]
        path = members["path"]
        query = members["query"]
        nth = try number("nth", 1)
        times = try number("times", 1)
        isAfter = members["after"] == "1"
        switch members["kind"] {
        case "status":
            let status = UInt32(try number("status", 503))
            kind = .status(status, code: members["code"] ?? Fault.code(of: status))
        case "page": kind = .page
        case "broken": kind = .broken
        case "type": kind = .type(member: members["member"] ?? "id")
        case "cut": kind = .cut(bytes: try number("bytes", 1))
        case "stall":
            kind = .stall(
                milliseconds: try number("ms", 1_000), bytes: members["bytes"] == nil ? nil : try number("bytes", 0))
        case "close": kind = .close
        case "swallow": kind = .swallow(milliseconds: try number("ms", 1_000))
        case "link": kind = .link
        case "loop": kind = .loop
        case "endless": kind = .endless
        case "huge": kind = .huge(bytes: try number("bytes", 20_000_000))
        default: throw .validation("Unknown kind of fault.")
        }
    }

    /// The code the contract pairs with a status.
    private static func code(of status: UInt32) -> String {
        switch status {
        case 401: "INVALID_OAUTH_TOKEN"
        case 403: "MAILBOX_FORBIDDEN"
        case 404: "NOT_FOUND"
        case 410: "INVALID_CHANGE_CURSOR"
        case 429: "RATE_LIMITED"
        default: "INTERNAL_ERROR"
        }
    }
}
