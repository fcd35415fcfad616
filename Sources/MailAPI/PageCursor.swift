internal import HTTP

/// The cursor of the next page, read off a `Link` header (contract §3.4).
enum PageCursor {
    /// The longest cursor taken; the server's are well under it.
    static let lengthMax = 2_048

    /// The next page's cursor, or `nil` on the last page.
    ///
    /// Only the cursor is taken from the link: the next request is built from scratch, so a link cannot send it
    /// elsewhere.
    static func next(in response: HTTPResponse, asked: URLParts) throws(MailAPIError) -> String? {
        guard let link = response.nextLink else { return nil }
        guard let parts = URLParts(link), parts.hasSameOrigin(as: asked), parts.path == asked.path,
            let cursor = value(of: "cursor", inQuery: parts.query ?? ""),
            !cursor.isEmpty, cursor.utf8.count <= lengthMax
        else { throw .foreignLink }
        return cursor
    }

    /// A value of a form-encoded query; `nil` when the name is absent or the value is not well formed.
    static func value(of name: String, inQuery query: String) -> String? {
        for item in query.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].elementsEqual(name.utf8) else { continue }
            return decode(Array(parts[1]))
        }
        return nil
    }

    private static func decode(_ bytes: [UInt8]) -> String? {
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard index + 2 < bytes.count, let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
                else { return nil }
                decoded.append(high << 4 | low)
                index += 2
            case let byte: decoded.append(byte)
            }
            index += 1
        }
        return String(validating: decoded, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
