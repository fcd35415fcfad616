/// An absolute web address in the one form that the URL standard gives it.
struct WebAddress: Sendable {
    /// The address: scheme and host in lower case, a path, and no byte that must be escaped.
    let text: String

    /// Reads an address; `nil` when it is no absolute one of http or https.
    init?(_ source: String) {
        let breaks: Set<Unicode.Scalar> = ["\t", "\n", "\r"]
        let cleaned = String(String.UnicodeScalarView(source.unicodeScalars.filter { !breaks.contains($0) }))
        let lowered = cleaned.prefix(6).lowercased()
        let scheme = lowered.hasPrefix("https:") ? "https" : lowered.hasPrefix("http:") ? "http" : ""
        guard !scheme.isEmpty else { return nil }
        let rest = cleaned.dropFirst(scheme.utf8.count + 1).drop { $0 == "/" || $0 == "\\" }
        let authority = rest.prefix { !"/\\?#".contains($0) }
        guard let host = WebAddress.host(authority, scheme) else { return nil }
        text = scheme + "://" + host + WebAddress.tail(rest.dropFirst(authority.count))
    }

    /// The host with what is around it; `nil` when it cannot be one.
    private static func host(_ authority: Substring, _ scheme: String) -> String? {
        let login = authority.lastIndex(of: "@").map { String(authority[...$0]) } ?? ""
        let place = authority.dropFirst(login.count)
        var host = String(place).lowercased()
        if !host.hasPrefix("["), let colon = host.lastIndex(of: ":") {
            let port = host[host.index(after: colon)...]
            guard port.isEmpty || UInt16(port) != nil else { return nil }
            let isDefault = port.isEmpty || port == (scheme == "https" ? "443" : "80")
            if isDefault { host = String(host[..<colon]) }
        }
        let isPlain = !host.contains { " #%/<>?@[\\]^|".contains($0) }
        guard !host.isEmpty, isPlain || host.hasPrefix("[") else { return nil }
        return login + host
    }

    /// The path, query and fragment, escaped.
    private static func tail(_ tail: Substring) -> String {
        let path = tail.prefix { $0 != "?" && $0 != "#" }
        let rest = tail.dropFirst(path.count)
        let query = rest.prefix { $0 != "#" }
        let fragment = rest.dropFirst(query.count)
        return segments(path) + escaped(query, "\"<>'") + escaped(fragment, "\"<>`")
    }

    /// A path without the segments that only move about.
    private static func segments(_ path: Substring) -> String {
        guard !path.isEmpty else { return "/" }
        var kept: [String] = []
        let parts = path.dropFirst().split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }
        for (index, part) in parts.enumerated() {
            let isLast = index == parts.count - 1
            switch part {
            case ".": if isLast { kept.append("") }
            case "..":
                _ = kept.popLast()
                if isLast { kept.append("") }
            default: kept.append(escaped(part, "\"<>`{}^"))
            }
        }
        return "/" + kept.joined(separator: "/")
    }

    private static func escaped(_ text: Substring, _ forbidden: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let forbidden = Set(forbidden.utf8)
        var out: [UInt8] = []
        for byte in text.utf8 {
            if byte > 0x20, byte < 0x7F, !forbidden.contains(byte) {
                out.append(byte)
            } else {
                out.append(contentsOf: [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]])
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
