/// What a browser asks of the listener, read from the first bytes of a connection.
enum RedirectRequest: Hashable, Sendable {
    /// The head has not come to its end.
    case incomplete
    /// Something that no sign-in sends: another address, method or host, or no HTTP at all.
    case other
    /// The address is right, but it is not the sign-in that was begun here.
    case stranger
    /// The answer to our wish, by the names of its fields.
    case answer([String: String])

    /// The longest head read; browsers send a few hundred bytes.
    static let bytesMax = 16_384
    /// The path that was registered.
    static let path = "/callback"

    /// Reads a head; `state` is what our wish carried.
    init(_ bytes: [UInt8], port: Int, state: String) {
        guard let end = RedirectRequest.end(of: bytes) else {
            self = bytes.count > RedirectRequest.bytesMax ? .other : .incomplete
            return
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false)
        // A page of the web can have a browser ask here, but not under this name (DNS rebinding).
        let isOurs = lines.dropFirst().contains { line in
            line.lowercased().filter { $0 != " " } == "host:127.0.0.1:\(port)"
        }
        guard words.count == 3, words[0] == "GET", words[2].hasPrefix("HTTP/1."), isOurs else {
            self = .other
            return
        }
        let parts = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0] == RedirectRequest.path, parts.count == 2, let fields = RedirectRequest.fields(parts[1])
        else {
            self = .other
            return
        }
        self = fields["state"] == state ? .answer(fields) : .stranger
    }

    private static func end(of bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (0...(min(bytes.count, bytesMax) - 4)).first {
            bytes[$0] == 0x0D && bytes[$0 + 1] == 0x0A && bytes[$0 + 2] == 0x0D && bytes[$0 + 3] == 0x0A
        }
    }

    /// The fields of a query; `nil` when one comes twice or is not encoded well.
    static func fields(_ query: Substring) -> [String: String]? {
        var fields: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decoded(parts[0]), fields[name] == nil,
                let value = parts.count == 2 ? decoded(parts[1]) : ""
            else { return nil }
            fields[name] = value
        }
        return fields
    }

    private static func decoded(_ text: Substring) -> String? {
        var out: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                out.append(byte == UInt8(ascii: "+") ? 0x20 : byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16)
            else { return nil }
            out.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: out, as: UTF8.self)
    }

    /// What the browser shows: that the person can go back, or why not.
    var page: [UInt8] {
        let (status, sentence) =
            switch self {
            case .incomplete, .other: ("404 Not Found", "There is nothing here.")
            case .stranger: ("400 Bad Request", "This is not the sign-in that Herald waits for.")
            case .answer(let fields) where fields["error"] != nil:
                ("200 OK", "Herald was not let in. You can close this page and go back to it.")
            case .answer: ("200 OK", "You can close this page and go back to Herald.")
            }
        let body = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Herald</title></head>
            <body><p>\(sentence)</p></body></html>

            """
        let head = [
            "HTTP/1.1 \(status)", "Content-Type: text/html; charset=utf-8", "Content-Length: \(body.utf8.count)",
            "Cache-Control: no-store", "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff",
            "Content-Security-Policy: default-src 'none'", "Connection: close",
        ]
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }
}
