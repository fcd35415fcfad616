internal import JSON

/// A JSON value as a tree; numbers keep their digits.
enum JSONTree: Hashable, Sendable {
    case object([String: JSONTree])
    case array([JSONTree])
    case string(String)
    case number(String)
    case bool(Bool)
    case null

    /// Reads a whole document; `nil` when it is not JSON.
    init?(_ bytes: [UInt8]) {
        var reader = JSONReader(bytes)
        guard let tree = try? JSONTree.read(&reader, bytes), (try? reader.end()) != nil else { return nil }
        self = tree
    }

    private static func read(_ reader: inout JSONReader, _ bytes: [UInt8]) throws(JSONError) -> JSONTree {
        switch try reader.kind() {
        case .object:
            var members: [String: JSONTree] = [:]
            try reader.object { reader, name throws(JSONError) in members[name] = try read(&reader, bytes) }
            return .object(members)
        case .array:
            var items: [JSONTree] = []
            try reader.array { reader throws(JSONError) in items.append(try read(&reader, bytes)) }
            return .array(items)
        case .string: return .string(try reader.string())
        case .bool: return .bool(try reader.bool())
        case .null:
            _ = try reader.takeNull()
            return .null
        default:
            let start = reader.position
            try reader.skip()
            return .number(String(decoding: bytes[start..<reader.position], as: UTF8.self))
        }
    }

    /// The member of an object; `nil` when there is none.
    subscript(_ name: String) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// The text of a string.
    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The value of a whole number.
    var int: Int? {
        guard case .number(let digits) = self else { return nil }
        return Int(digits)
    }

    var isTrue: Bool { self == .bool(true) }

    /// The items of an array; empty for any other value.
    var items: [JSONTree] {
        guard case .array(let items) = self else { return [] }
        return items
    }

    /// The texts of an array of strings.
    var texts: [String] { items.compactMap(\.text) }

    /// The names of an object's members.
    var names: Set<String> {
        guard case .object(let members) = self else { return [] }
        return Set(members.keys)
    }

    /// The document's text, its members in the order of their names.
    var json: String {
        switch self {
        case .object(let members):
            let pairs = members.sorted { $0.key < $1.key }.map { JSONTree.quoted($0.key) + ":" + $0.value.json }
            return "{" + pairs.joined(separator: ",") + "}"
        case .array(let items): return "[" + items.map(\.json).joined(separator: ",") + "]"
        case .string(let text): return JSONTree.quoted(text)
        case .number(let digits): return digits
        case .bool(let value): return value ? "true" : "false"
        case .null: return "null"
        }
    }

    private static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            default:
                if scalar.value < 0x20 {
                    let hex = String(scalar.value, radix: 16)
                    out += "\\u" + String(repeating: "0", count: 4 - hex.utf8.count) + hex
                } else {
                    out.unicodeScalars.append(scalar)
                }
            }
        }
        return out + "\""
    }
}
