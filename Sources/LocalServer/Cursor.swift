internal import JSON

/// The opaque cursors of the lists and feeds: base64url of compact JSON.
enum Cursor {
    /// The place after a row in a list: its sort text and its id.
    struct Place: Sendable {
        let activity: String
        let id: String
    }

    /// The place in a feed: after a sequence, up to a fixed high-water mark or open.
    struct Feed: Sendable {
        let user: String?
        let after: Int64
        let highWater: Int64?
    }

    /// A list cursor; `tag` is JSON, `"m1"` with its quotes or the number 1.
    static func list(_ tag: String, _ place: Place) -> String {
        var text = JSONText()
        text.raw("[" + tag + ",")
        text.string(place.activity)
        text.raw(",")
        text.string(place.id)
        text.raw("]")
        return encode(text.bytes)
    }

    /// Reads a list cursor; `nil` when it is malformed or of another list.
    static func place(_ tag: String, _ cursor: String) -> Place? {
        guard let bytes = decode(cursor), let parts = try? parts(bytes), parts.count == 3, parts[0] == tag,
            let activity = unquoted(parts[1]), let id = unquoted(parts[2]), !activity.isEmpty, !id.isEmpty
        else { return nil }
        return Place(activity: activity, id: id)
    }

    /// A feed cursor.
    static func feed(_ tag: String, _ feed: Feed) -> String {
        var text = JSONText()
        text.raw("[\"" + tag + "\"")
        if let user = feed.user {
            text.raw(",")
            text.string(user)
        }
        text.raw(",\"\(feed.after)\",")
        text.raw(feed.highWater.map { "\"\($0)\"" } ?? "null")
        text.raw("]")
        return encode(text.bytes)
    }

    /// Reads a feed cursor; `nil` when it is malformed or of another feed.
    static func feed(_ tag: String, hasUser: Bool, _ cursor: String) -> Feed? {
        guard cursor.utf8.count <= 512, let bytes = decode(cursor), var parts = try? parts(bytes),
            parts.count == (hasUser ? 4 : 3), unquoted(parts.removeFirst()) == tag
        else { return nil }
        var user: String?
        if hasUser {
            guard let name = unquoted(parts.removeFirst()) else { return nil }
            user = name
        }
        guard let after = sequence(parts[0]) else { return nil }
        if parts[1] == "null" { return Feed(user: user, after: after, highWater: nil) }
        guard let highWater = sequence(parts[1]), after <= highWater else { return nil }
        return Feed(user: user, after: after, highWater: highWater)
    }

    private static func sequence(_ json: String) -> Int64? {
        guard let digits = unquoted(json), let value = Int64(digits), value >= 0, String(value) == digits else {
            return nil
        }
        return value
    }

    /// The elements of a JSON array, each as its JSON text.
    private static func parts(_ bytes: [UInt8]) throws(JSONError) -> [String] {
        var reader = JSONReader(bytes)
        var parts: [String] = []
        try reader.array { reader throws(JSONError) in
            _ = try reader.kind()
            let start = reader.position
            try reader.skip()
            parts.append(String(decoding: bytes[start..<reader.position], as: UTF8.self))
        }
        try reader.end()
        return parts
    }

    private static func unquoted(_ json: String) -> String? {
        var reader = JSONReader(Array(json.utf8))
        return try? reader.string()
    }

    /// Base64url without padding.
    static func encode(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var out: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let count = min(3, bytes.count - index)
            var group = UInt32(bytes[index]) << 16
            if count > 1 { group |= UInt32(bytes[index + 1]) << 8 }
            if count > 2 { group |= UInt32(bytes[index + 2]) }
            for place in 0...count { out.append(alphabet[Int(group >> UInt32(18 - 6 * place) & 63)]) }
            index += 3
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// Decodes base64, of either alphabet and with or without padding; `nil` for other characters.
    static func decode(_ text: String) -> [UInt8]? {
        var out: [UInt8] = []
        var group: UInt32 = 0
        var bits: UInt32 = 0
        for byte in text.utf8 {
            let value: UInt8
            switch byte {
            case 0x41...0x5A: value = byte - 0x41
            case 0x61...0x7A: value = byte - 0x61 + 26
            case 0x30...0x39: value = byte - 0x30 + 52
            case 0x2B, 0x2D: value = 62
            case 0x2F, 0x5F: value = 63
            case 0x3D, 0x0A, 0x0D, 0x20, 0x09: continue
            default: return nil
            }
            group = group << 6 | UInt32(value)
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            out.append(UInt8(truncatingIfNeeded: group >> bits))
        }
        return out
    }
}
