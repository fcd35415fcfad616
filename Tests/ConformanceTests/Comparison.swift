@testable internal import LocalServer
internal import MailTestSupport

/// Compares a recorded answer with the local server's.
struct Comparison: Sendable {
    /// Headers that say nothing about the contract.
    private static let ignored: Set<String> = ["content-length", "date", "connection", "set-cookie"]

    var bindings: Bindings

    /// The first disagreement; `nil` when the answers agree.
    mutating func difference(_ exchange: RecordedExchange, _ answer: WireAnswer) -> String? {
        guard exchange.status == answer.status else {
            return "status \(answer.status), recorded \(exchange.status)"
        }
        return headers(exchange, answer) ?? body(exchange, answer)
    }

    private mutating func headers(_ exchange: RecordedExchange, _ answer: WireAnswer) -> String? {
        let mine = answer.fields.filter { !Comparison.ignored.contains($0.name) }
        let theirs = exchange.headers.filter { !Comparison.ignored.contains($0.name) }
        for header in theirs where !mine.contains(where: { $0.name == header.name }) {
            return "header \(header.name) is missing"
        }
        for header in mine where !theirs.contains(where: { $0.name == header.name }) {
            return "header \(header.name) is not recorded"
        }
        for header in theirs {
            let value = mine.first { $0.name == header.name }?.value ?? ""
            let agrees =
                switch header.name {
                case "x-request-id": requestID(exchange, header.value, value)
                case "link": link(header.value, value)
                case "location": location(header.value, value)
                default: bindings.localized(header.value) == value
                }
            if !agrees { return "header \(header.name): \(value), recorded \(header.value)" }
        }
        return nil
    }

    private func requestID(_ exchange: RecordedExchange, _ recorded: String, _ local: String) -> Bool {
        Shape.isUUID(recorded) ? Shape.isUUID(local) && recorded != local : recorded == local
    }

    private mutating func link(_ recorded: String, _ local: String) -> Bool {
        let (one, other) = (Comparison.cursorParts(recorded), Comparison.cursorParts(local))
        return bindings.localized(one.rest) == other.rest && bindings.agreeCursors(one.cursor, other.cursor)
    }

    /// The cursor in a link, and the link without it.
    private static func cursorParts(_ link: String) -> (cursor: String, rest: String) {
        let pieces = link.split(separator: "cursor=", maxSplits: 1).map(String.init)
        guard pieces.count == 2 else { return ("", link) }
        let cursor = pieces[1].prefix { $0 != ">" && $0 != "&" }
        return (String(cursor), pieces[0] + pieces[1].dropFirst(cursor.count))
    }

    /// Whether two addresses agree; what was made at random stands for what was recorded.
    private mutating func location(_ recorded: String, _ local: String) -> Bool {
        func parts(_ text: String) -> (head: Substring, items: [[Substring]]) {
            let head = text.prefix { $0 != "?" && $0 != "#" }
            let items = text.dropFirst(head.count).split(separator: "&")
            return (head, items.map { $0.split(separator: "=", maxSplits: 1) })
        }
        let (one, other) = (parts(recorded), parts(local))
        guard bindings.localized(String(one.head)) == other.head, one.items.count == other.items.count else {
            return false
        }
        for (item, mine) in zip(one.items, other.items) {
            guard item.first == mine.first, item.count == mine.count else { return false }
            guard item.count == 2 else { continue }
            let (value, given) = (String(item[1]), String(mine[1]))
            switch item[0].drop(while: { $0 == "?" }) {
            case "code": if !bindings.agreeSecrets(value, given) { return false }
            case "sig", "exp", "ba_iat": if !bindings.agreeSecrets(value, given, again: true) { return false }
            default: if bindings.localized(value) != given { return false }
            }
        }
        return true
    }

    /// Binds a value made at random; one that people type comes again in lower case with a dash.
    private mutating func agreeSecrets(_ recorded: String, _ local: String, isTyped: Bool) -> Bool {
        func typed(_ code: String) -> String { (code.prefix(4) + "-" + code.dropFirst(4)).lowercased() }
        if isTyped { _ = bindings.agreeSecrets(typed(recorded), typed(local)) }
        return bindings.agreeSecrets(recorded, local)
    }

    /// Members whose texts are made at random.
    private static let secrets: Set<String> = [
        "access_token", "client_id", "client_secret", "device_code", "refresh_token", "token", "user_code",
    ]
    /// Members that tell an instant in seconds, which no two runs share.
    private static let seconds: Set<String> = ["client_id_issued_at", "expires_at"]

    private mutating func body(_ exchange: RecordedExchange, _ answer: WireAnswer) -> String? {
        switch exchange.body {
        case .string(let text):
            let mine = answer.body
            return mine == bindings.localized(text) ? nil : "body \(mine.prefix(60)), recorded \(text.prefix(60))"
        case .null:
            return answer.bytes.isEmpty ? nil : "body is not empty"
        default: break
        }
        if let encoded = exchange.body["base64"]?.text {
            return Cursor.decode(encoded) == answer.bytes ? nil : "bytes differ"
        }
        guard let tree = JSONTree(answer.bytes) else { return "body is not JSON" }
        // The message of an uncaught exception is the runtime's own, statements of its database included.
        if exchange.status == 500 {
            return tree["error"]?["code"] == exchange.body["error"]?["code"] ? nil : "the error's code differs"
        }
        return values(exchange.body, tree, at: "", of: "")
    }

    /// The first disagreement of two values; `entity` is the id of the nearest object that has one.
    private mutating func values(
        _ recorded: JSONTree, _ local: JSONTree, at path: String, of entity: String
    ) -> String? {
        switch (recorded, local) {
        case (.object(let one), .object(let other)):
            let entity = one["id"]?.text ?? entity
            for name in one.keys.sorted() where other[name] == nil { return "\(path).\(name) is missing" }
            for name in other.keys.sorted() where one[name] == nil { return "\(path).\(name) is not recorded" }
            for (name, value) in one.sorted(by: { $0.key < $1.key }) {
                guard let mine = other[name] else { continue }
                if name == "nextCursor", let cursor = value.text, let given = mine.text {
                    if !bindings.agreeCursors(cursor, given) { return "\(path).\(name): \(given), recorded \(cursor)" }
                } else if let found = values(value, mine, at: path + "." + name, of: entity) {
                    return found
                }
            }
            return nil
        case (.array(let one), .array(let other)):
            for (index, pair) in zip(one, other).enumerated() {
                if let found = values(pair.0, pair.1, at: "\(path)[\(index)]", of: entity) { return found }
            }
            return one.count == other.count ? nil : "\(path) has \(other.count) items, recorded \(one.count)"
        case (.string(let one), .string(let other)):
            let name = path.split(separator: ".").last.map(String.init) ?? ""
            let agrees =
                if Comparison.secrets.contains(name) {
                    bindings.localized(one) == other || agreeSecrets(one, other, isTyped: name == "user_code")
                } else if name == "url" {
                    location(one, other)
                } else {
                    bindings.agree(one, other, of: entity)
                }
            return agrees ? nil : "\(path): \(other), recorded \(one)"
        default:
            let name = path.split(separator: ".").last.map(String.init) ?? ""
            if let one = recorded.int, let other = local.int {
                if Comparison.seconds.contains(name) { return nil }
                // A token that is shown again has a little less time left.
                if name == "expires_in", (one - 60...one).contains(other) { return nil }
            }
            return recorded == local ? nil : "\(path): \(local.json.prefix(80)), recorded \(recorded.json.prefix(80))"
        }
    }
}
