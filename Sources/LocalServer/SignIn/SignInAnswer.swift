/// A refusal in the form of RFC 6749 (contract §2.8).
struct SignInRefusal: Error, Hashable, Sendable {
    let error: String
    let description: String
    var status: UInt32 = 400
    /// Whether the answer carries `Pragma: no-cache`, as most of the real server's do.
    var hasPragma = true

    init(_ error: String, _ description: String, status: UInt32 = 400, hasPragma: Bool = true) {
        self.error = error
        self.description = description
        self.status = status
        self.hasPragma = hasPragma
    }

    static let invalidRefreshToken = SignInRefusal("invalid_grant", "invalid refresh token")

    var answer: ServerAnswer {
        .signIn([("error", .text(error)), ("error_description", .text(description))], status, hasPragma: hasPragma)
    }
}

/// A value in an answer about signing in.
enum SignInValue {
    case text(String)
    case number(Int64)
    case flag(Bool)
    case texts([String])
}

extension ServerAnswer {
    /// A JSON object.
    static func signIn(
        _ members: [(String, SignInValue)], _ status: UInt32 = 200, hasPragma: Bool = true
    ) -> ServerAnswer {
        var text = JSONText()
        text.raw("{")
        for (index, (name, value)) in members.enumerated() {
            if index > 0 { text.raw(",") }
            text.string(name)
            text.raw(":")
            switch value {
            case .text(let value): text.string(value)
            case .number(let value): text.raw("\(value)")
            case .flag(let value): text.raw(value ? "true" : "false")
            case .texts(let values): text.strings(values)
            }
        }
        text.raw("}")
        var answer = ServerAnswer.json(text, status: status)
        if hasPragma { answer.headers.append(QueryItem(name: "pragma", value: "no-cache")) }
        return answer
    }

    /// A refusal in the form of the authentication library itself.
    static func libraryRefusal(_ status: UInt32, _ code: String, _ message: String) -> ServerAnswer {
        .signIn([("message", .text(message)), ("code", .text(code))], status, hasPragma: false)
    }

    /// A way on to another address.
    static func redirect(_ location: String, _ status: UInt32 = 302) -> ServerAnswer {
        ServerAnswer(status: status, headers: [QueryItem(name: "location", value: location)])
    }

    /// A page for a browser.
    static func page(_ html: String, _ status: UInt32 = 200) -> ServerAnswer {
        ServerAnswer(status: status, contentType: "text/html; charset=utf-8", body: Array(html.utf8))
    }
}

/// The fields of a form, or of a JSON object that stands for one.
struct FormFields: Sendable {
    let items: [QueryItem]

    init(_ items: [QueryItem]) { self.items = items }

    /// The fields of a request's body.
    ///
    /// - Throws: `JSONError` for a body that claims to be JSON and is not.
    init(_ request: ServerRequest) throws {
        guard request.contentType?.lowercased().hasPrefix("application/json") == true else {
            items = RequestTarget.items(request.body[...])
            return
        }
        var items: [QueryItem] = []
        if case .object(let members) = try BodyValue(request.body) {
            for (name, value) in members {
                switch value {
                case .string(let text): items.append(QueryItem(name: name, value: text))
                case .bool(let flag): items.append(QueryItem(name: name, value: flag ? "true" : "false"))
                case .array(let values):
                    for case .string(let text) in values { items.append(QueryItem(name: name, value: text)) }
                default: break
                }
            }
        }
        self.items = items
    }

    /// The field's first value; `nil` when it is absent or empty.
    subscript(_ name: String) -> String? {
        let value = items.first { $0.name == name }?.value
        return value?.isEmpty == true ? nil : value
    }

    /// Every value of a field, in order.
    func all(_ name: String) -> [String] { items.filter { $0.name == name }.map(\.value) }

    /// The words of a field's first value.
    func words(_ name: String) -> [String] { self[name]?.split(separator: " ").map(String.init) ?? [] }

    /// Text in the form of a form: unreserved bytes as they are, a space as `+`, all others escaped.
    static func encoded(_ items: [(String, String)]) -> String {
        items.map { escaped($0.0) + "=" + escaped($0.1) }.joined(separator: "&")
    }

    /// A name or a value of a form.
    static func escaped(_ text: String) -> String {
        var out: [UInt8] = []
        let digits = Array("0123456789ABCDEF".utf8)
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2A, 0x2D, 0x2E, 0x5F: out.append(byte)
            case 0x20: out.append(0x2B)
            default: out += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
