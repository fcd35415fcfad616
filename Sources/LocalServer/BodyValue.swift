internal import JSON

/// A JSON value of a request's body.
enum BodyValue: Sendable {
    case null
    case bool(Bool)
    /// A number as it was written.
    case number(String)
    case string(String)
    case array([BodyValue])
    /// The members by name; of repeated names the last counts.
    case object([String: BodyValue])

    /// Reads one whole JSON text; a byte order mark before it is skipped.
    ///
    /// - Throws: `JSONError`.
    init(_ bytes: [UInt8]) throws(JSONError) {
        let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        var reader = JSONReader(bytes)
        self = try BodyValue.read(&reader, bytes)
        try reader.end()
    }

    private static func read(_ reader: inout JSONReader, _ bytes: [UInt8]) throws(JSONError) -> BodyValue {
        switch try reader.kind() {
        case .null:
            _ = try reader.takeNull()
            return .null
        case .bool: return .bool(try reader.bool())
        case .number:
            let start = reader.position
            try reader.skip()
            return .number(String(decoding: bytes[start..<reader.position], as: UTF8.self))
        case .string: return .string(try reader.string())
        case .array:
            var elements: [BodyValue] = []
            try reader.array { reader throws(JSONError) in elements.append(try read(&reader, bytes)) }
            return .array(elements)
        case .object:
            var members: [String: BodyValue] = [:]
            try reader.object { reader, name throws(JSONError) in members[name] = try read(&reader, bytes) }
            return .object(members)
        }
    }

    /// The type's name, as the server's validation says it.
    var typeName: String {
        switch self {
        case .null: return "null"
        case .bool: return "boolean"
        case .number: return "number"
        case .string: return "string"
        case .array: return "array"
        case .object: return "object"
        }
    }
}
