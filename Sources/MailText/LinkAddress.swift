/// The true target of a link, taken apart the way browsers do.
///
/// All of it is ASCII, so that what a person sees, what is copied and what is opened are the same letters.
package struct LinkAddress: Sendable, Hashable {
    /// The scheme in lower case, without its colon.
    package var scheme: String
    /// Everything up to the host.
    package var beforeHost: String
    /// The host; `nil` for addresses without one, such as those of telephones.
    package var host: HostName?
    /// Everything behind the host.
    package var afterHost: String
    /// Whether a name stands before the host that only looks like one.
    package var hasUser = false
    /// Whether the source had signs that turn the order of text around.
    package var hasHiddenOrder = false
    /// Whether the source was written to be read differently than it works.
    package var isDisguised = false

    /// The longest address that is opened.
    private static let longest = 8_192

    /// The whole address.
    package var text: String { beforeHost + (host?.ascii ?? "") + afterHost }

    package var isWeb: Bool { scheme == "http" || scheme == "https" }
    package var isMail: Bool { scheme == "mailto" }

    /// Why the address is not opened, as a sentence; `nil` when it can be.
    package var refusal: String? {
        guard isWeb || isMail else { return "Herald opens web and mail addresses only; this one is “\(scheme)”." }
        guard host != nil else { return "This address names no host, so there is nothing to open." }
        return text.utf8.count > LinkAddress.longest ? "This address is too long to be opened." : nil
    }

    /// Reads an address as it stands in a message; `nil` when it has no scheme.
    package init?(_ source: some StringProtocol) {
        var text = String.UnicodeScalarView()
        for scalar in source.unicodeScalars where ![0x09, 0x0A, 0x0D].contains(scalar.value) {
            if LinkAddress.turnsOrder(scalar) { hasHiddenOrder = true }
            text.append(scalar)
        }
        let whole = String(text).trimmed
        guard let colon = whole.firstIndex(of: ":") else { return nil }
        scheme = whole[..<colon].lowercased()
        guard let first = scheme.utf8.first, (0x61...0x7A).contains(first),
            scheme.utf8.allSatisfy({ byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2E].contains(byte)
            })
        else { return nil }
        let rest = whole[whole.index(after: colon)...]
        (beforeHost, afterHost) = (scheme + ":", "")
        switch scheme {
        case "http", "https", "ftp": readWeb(rest)
        case "mailto": readMail(rest)
        default: afterHost = PercentText.encoded(rest)
        }
    }

    private mutating func readWeb(_ rest: Substring) {
        let slashes = rest.prefix { $0 == "/" || $0 == "\\" }
        let named = rest.dropFirst(slashes.count)
        let authority = named.prefix { !"/\\?#".contains($0) }
        if slashes != "//" || named.dropFirst(authority.count).first == "\\" { isDisguised = true }
        var path = PercentText.encoded(LinkAddress.slashed(named.dropFirst(authority.count)))
        if !path.hasPrefix("/") { path = "/" + path }
        var place = authority
        var user = ""
        if let at = authority.lastIndex(of: "@") {
            hasUser = true
            user = PercentText.encoded(authority[...at])
            place = authority[authority.index(after: at)...]
        }
        var port = ""
        let end = place.lastIndex(of: "]") ?? place.startIndex
        if let colon = place[end...].firstIndex(of: ":") {
            port = String(place[colon...])
            place = place[..<colon]
        }
        let isPort = port.dropFirst().utf8.allSatisfy { (0x30...0x39).contains($0) } && port.utf8.count <= 6
        guard isPort, let name = HostName(reading: place) else {
            afterHost = PercentText.encoded(rest)
            return
        }
        beforeHost += "//" + user
        host = name
        afterHost = (port == ":" ? "" : port) + path
        if name.traits.contains(.disguised) { isDisguised = true }
    }

    private mutating func readMail(_ rest: Substring) {
        let people = rest.prefix { $0 != "?" }
        guard let at = people.lastIndex(of: "@"), let name = HostName(reading: people[people.index(after: at)...])
        else {
            afterHost = PercentText.encoded(rest)
            return
        }
        beforeHost += PercentText.encoded(people[...at])
        host = name
        afterHost = PercentText.encoded(rest.dropFirst(people.count))
        if name.traits.contains(.disguised) { isDisguised = true }
    }

    /// Browsers read a backslash before the query as a slash.
    private static func slashed(_ path: Substring) -> String {
        let query = path.firstIndex { $0 == "?" || $0 == "#" } ?? path.endIndex
        return path[..<query].map { $0 == "\\" ? "/" : String($0) }.joined() + path[query...]
    }

    /// Whether a scalar turns the order in which text is shown.
    static func turnsOrder(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension String {
    /// The text without controls and blanks at its ends.
    fileprivate var trimmed: Substring {
        func isBlank(_ character: Character) -> Bool { character.unicodeScalars.allSatisfy { $0.value <= 0x20 } }
        let start = drop(while: isBlank)
        guard let last = start.lastIndex(where: { !isBlank($0) }) else { return start }
        return start[...last]
    }
}
