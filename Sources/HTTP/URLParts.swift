/// The parts of an absolute `http` or `https` address.
///
/// Strict on purpose: an address that two programs could read differently is refused, because origins decide where
/// a token may go. Credentials before the host, control characters, spaces and backslashes are such cases.
package struct URLParts: Sendable, Hashable {
    /// `http` or `https`.
    package let scheme: String
    /// The host in lower case; an IPv6 address keeps its brackets.
    package let host: String
    package let port: Int
    /// The path, at least `/`.
    package let path: String
    /// The query without its question mark.
    package let query: String?

    /// Reads an absolute address; nil when it is not one that can be asked.
    package init?(_ text: String) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else { return nil }
        guard let colon = text.firstIndex(of: ":") else { return nil }
        scheme = String(text[..<colon]).asciiLowercased
        guard scheme == "http" || scheme == "https" else { return nil }
        let rest = text[text.index(after: colon)...]
        guard rest.hasPrefix("//") else { return nil }
        let afterSlashes = rest.dropFirst(2)
        let authorityEnd = afterSlashes.firstIndex { "/?#".contains($0) } ?? afterSlashes.endIndex
        guard let (host, port) = Self.splitAuthority(afterSlashes[..<authorityEnd]) else { return nil }
        self.host = host
        self.port = port ?? (scheme == "https" ? 443 : 80)
        let target = afterSlashes[authorityEnd...].prefix { $0 != "#" }
        let queryMark = target.firstIndex(of: "?") ?? target.endIndex
        let rawPath = target[..<queryMark]
        path = rawPath.isEmpty ? "/" : String(rawPath)
        query = queryMark == target.endIndex ? nil : String(target[queryMark...].dropFirst())
    }

    /// The origin in its canonical form: a default port is left out, and there is no trailing slash.
    package var origin: String {
        port == (scheme == "https" ? 443 : 80) ? "\(scheme)://\(host)" : "\(scheme)://\(host):\(port)"
    }

    /// Whether both addresses have the same scheme, host and port.
    package func hasSameOrigin(as other: URLParts) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// Whether the host names this machine: `localhost`, 127.0.0.0/8 or `[::1]`.
    package var isLoopback: Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { Self.isOctet($0) }
    }

    private static func isOctet(_ text: Substring) -> Bool {
        guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy(isDigit), let value = Int(text) else {
            return false
        }
        return value <= 255 && (value == 0 ? text == "0" : !text.hasPrefix("0"))
    }

    private static func splitAuthority(_ authority: Substring) -> (host: String, port: Int?)? {
        let hostEnd: Substring.Index
        if authority.hasPrefix("[") {
            guard let bracket = authority.firstIndex(of: "]") else { return nil }
            hostEnd = authority.index(after: bracket)
            let address = authority[..<hostEnd].dropFirst().dropLast()
            guard !address.isEmpty, address.utf8.allSatisfy(isAddressByte) else { return nil }
        } else {
            hostEnd = authority.firstIndex(of: ":") ?? authority.endIndex
            guard hostEnd > authority.startIndex, authority[..<hostEnd].utf8.allSatisfy(isHostByte) else { return nil }
        }
        let host = String(authority[..<hostEnd]).asciiLowercased
        let rest = authority[hostEnd...]
        guard !rest.isEmpty else { return (host, nil) }
        let digits = rest.dropFirst()
        guard rest.hasPrefix(":"), digits.utf8.allSatisfy(isDigit), digits.utf8.count <= 5 else { return nil }
        guard !digits.isEmpty else { return (host, nil) }
        guard let port = Int(digits), (1...65_535).contains(port) else { return nil }
        return (host, port)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte.asciiLowercased >= UInt8(ascii: "a") && byte.asciiLowercased <= UInt8(ascii: "z"))
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
    }

    private static func isAddressByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte.asciiLowercased >= UInt8(ascii: "a") && byte.asciiLowercased <= UInt8(ascii: "f"))
            || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
    }
}
