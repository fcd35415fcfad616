/// Something about a link that a person should know before following it.
package enum LinkWarning: Sendable, Hashable {
    /// The text names another place than the one the link goes to.
    case differs(shown: String, target: String)
    /// A name before an `@` that only looks like the host.
    case user(target: String)
    /// A number in place of a name.
    case numericHost
    /// Letters that look like those of another alphabet.
    case lookalike(ascii: String)
    /// Signs that browsers read as others, or that show nothing.
    case disguised
    /// Signs that turn the order of text around.
    case hiddenOrder

    /// The warning as a sentence; names in it are to be sanitised.
    package var sentence: String {
        switch self {
        case .differs(let shown, let target): "The text says “\(shown)”, but the link goes to “\(target)”."
        case .user(let target): "What stands before the @ is no host; the link goes to “\(target)”."
        case .numericHost: "The link goes to a number in place of a name."
        case .lookalike(let ascii): "Letters of the host look like those of another alphabet; it is “\(ascii)”."
        case .disguised: "The address is written so that it reads differently than it works."
        case .hiddenOrder: "Hidden signs change the order in which the link is shown."
        }
    }

    /// What to know of a link that shows a text and goes to an address.
    package static func of(text: some StringProtocol, address: LinkAddress) -> [LinkWarning] {
        var warnings: [LinkWarning] = []
        if address.hasHiddenOrder || text.unicodeScalars.contains(where: LinkAddress.turnsOrder) {
            warnings.append(.hiddenOrder)
        }
        guard let host = address.host else { return warnings }
        let isShown = ShownAddress.isWhole(text, of: address)
        if !isShown, let shown = ShownAddress.other(than: address, host: host, in: text) {
            warnings.append(.differs(shown: shown.name, target: shown.target))
        }
        if address.hasUser { warnings.append(.user(target: host.ascii)) }
        if host.traits.contains(.lookalike) { warnings.append(.lookalike(ascii: host.ascii)) }
        if address.isDisguised { warnings.append(.disguised) }
        // A number that everybody sees hides nothing.
        if host.traits.contains(.numeric), !isShown || address.isDisguised { warnings.append(.numericHost) }
        return warnings
    }
}

/// Hosts and addresses that the text of a link names.
enum ShownAddress {
    /// Longer texts are sentences, of which the beginning is looked at.
    private static let longest = 2_000
    /// What ends in one of these, alone in a text, is a file and not a host.
    private static let files: Set<Substring> = [
        "pdf", "txt", "doc", "docx", "odt", "xls", "xlsx", "ods", "ppt", "pptx", "zip", "gz", "tar", "png", "jpg",
        "jpeg",
        "gif", "svg", "webp", "html", "htm", "js", "ts", "md", "py", "sh", "rs", "rb", "go", "swift", "csv", "ics",
        "exe",
        "mp3", "mp4", "mov", "json", "xml", "eml", "msg", "log", "php", "asp", "aspx", "java", "cpp", "yml", "yaml",
        "toml", "deb", "rpm", "iso", "dmg", "apk",
    ]
    /// Words with dots that end in one of these are hosts also within a sentence.
    private static let tops: Set<Substring> = [
        "com", "org", "net", "edu", "gov", "mil", "int", "info", "biz", "io", "app", "dev", "ai", "uk", "de", "fr",
        "nl",
        "eu", "us", "ca", "au", "ch", "at", "es", "se", "dk", "fi", "pl", "cz", "ru", "cn", "jp", "in", "br", "nz",
        "ie",
        "bank", "shop", "online", "site", "xyz", "example", "cloud", "tech",
    ]

    /// Whether a text is the whole address itself, but for its scheme and its last slash.
    static func isWhole(_ text: some StringProtocol, of address: LinkAddress) -> Bool {
        func bare(_ text: some StringProtocol) -> Substring {
            let lower = text.lowercased()
            let scheme = ["http://", "https://", "mailto:"].first { lower.hasPrefix($0) }
            let rest = lower.dropFirst(scheme?.count ?? 0)
            return rest.hasSuffix("/") ? rest.dropLast() : rest
        }
        guard text.utf8.count <= longest, !text.contains(where: \.isWhitespace) else { return false }
        return bare(PercentText.encoded(text)) == bare(address.text)
    }

    /// The first host or mail address in a text that is not the target's, with what stands against it.
    static func other(
        than address: LinkAddress, host: HostName, in text: some StringProtocol
    ) -> (name: String, target: String)? {
        let words = text.prefix(longest).split { $0.isWhitespace || "<>()[]\"'“”‘’«»,;|".contains($0) }
        for word in words {
            guard let (name, isMail) = place(in: word, isAlone: words.count == 1) else { continue }
            guard let shown = HostName(reading: name) else { continue }
            if !shown.isSameSite(as: host) { return (shown.ascii, host.ascii) }
            if isMail, address.isMail, let other = otherPerson(in: word, than: address) { return other }
        }
        return nil
    }

    /// The mail address that a word names when it is another person's of the same host.
    private static func otherPerson(
        in word: some StringProtocol, than address: LinkAddress
    ) -> (name: String, target: String)? {
        let shown = trimmed(word).lowercased()
        let bare = shown.hasPrefix("mailto:") ? String(shown.dropFirst(7)) : shown
        let target = address.text.dropFirst(7).prefix { $0 != "?" }
        func person(_ text: some StringProtocol) -> String { String(text.prefix { $0 != "@" }) }
        let people = (PercentText.decoded(target) ?? String(target)).lowercased().split(separator: ",").map(person)
        return people.contains(person(bare)) ? nil : (bare, String(target))
    }

    private static func trimmed(_ word: some StringProtocol) -> Substring {
        var word = Substring(word)
        while let last = word.last, ".!?:*…".contains(last) { word.removeLast() }
        return word
    }

    /// The host that a word names, and whether as part of a mail address.
    private static func place(in word: some StringProtocol, isAlone: Bool) -> (Substring, isMail: Bool)? {
        let isCapitalized = word.first?.isUppercase == true
        let word = Substring(trimmed(word).lowercased())
        if let range = word.firstRange(of: "://") {
            let scheme = word[..<range.lowerBound]
            guard scheme.hasSuffix("http") || scheme.hasSuffix("https") else { return nil }
            return (bare(word[range.upperBound...]), false)
        }
        if let at = word.lastIndex(of: "@") {
            let domain = bare(word[word.index(after: at)...])
            return at > word.startIndex && domain.contains(".") ? (domain, true) : nil
        }
        let name = bare(word)
        if name.hasPrefix("www."), name.dropFirst(4).contains(".") { return (name, false) }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, let top = labels.last, labels.allSatisfy({ isLabel($0) }) else { return nil }
        guard top.count > 1, top.allSatisfy({ $0.isLetter || top.hasPrefix("xn--") }) else { return nil }
        // Among other words, one that begins with a large letter is the name of a firm.
        let isFirm = isCapitalized && !isAlone && name.count == word.count
        if tops.contains(top) { return isFirm ? nil : (name, false) }
        return isAlone && name.count == word.count && !files.contains(top) && labels[0].count > 1 ? (name, false) : nil
    }

    private static func isLabel(_ label: Substring) -> Bool {
        !label.isEmpty && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
    }

    /// A host without path, port and user.
    private static func bare(_ text: Substring) -> Substring {
        let authority = text.prefix { !"/\\?#".contains($0) }
        let place = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        return place.prefix { $0 != ":" }
    }
}

/// What stands behind the text of a link: its number, and a sign when there is something to know of it.
func linkMark(_ number: Int, isSuspect: Bool, _ role: TextRole) -> [TextRun] {
    let mark = TextRun("[\(number)]", role.adding(.dim))
    return isSuspect ? [mark, TextRun("⚠", role.adding(.alert))] : [mark]
}
