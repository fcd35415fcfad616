internal import DisplayText

/// Numbers the links of a body; the same address gets the same number.
struct LinkCollector {
    private static let most = 999
    private static let longestText = 200
    private static let mostWarnings = 6

    private(set) var links: [LinkTarget] = []
    private var numbers: [String: Int] = [:]

    /// Numbers on after the links of an earlier part.
    init(continuing links: [LinkTarget] = []) {
        self.links = links
        for link in links { numbers[link.url] = link.number }
    }

    /// The number for an address; `nil` when there are too many.
    mutating func number(for address: String, text: String) -> Int? {
        let url = TextDisplay.sanitizedLine(address)
        if let known = numbers[url] {
            if links[known - 1].text.isEmpty { addText(text, to: known) }
            return known
        }
        guard links.count < LinkCollector.most else { return nil }
        let number = links.count + 1
        numbers[url] = number
        links.append(LinkTarget(number: number, url: url, text: text))
        links[number - 1].address = LinkAddress(address)
        return number
    }

    /// Notes what to know of a link that one of its texts shows; answers whether there is anything.
    mutating func check(_ number: Int, text: some StringProtocol) -> Bool {
        guard links.indices.contains(number - 1), let address = links[number - 1].address else { return false }
        let warnings = LinkWarning.of(text: text, address: address)
        for warning in warnings where !links[number - 1].warnings.contains(warning) {
            guard links[number - 1].warnings.count < LinkCollector.mostWarnings else { break }
            links[number - 1].warnings.append(warning)
        }
        return !warnings.isEmpty
    }

    /// Extends the text that stands for a link.
    mutating func addText(_ text: String, to number: Int) {
        guard links.indices.contains(number - 1) else { return }
        let room = LinkCollector.longestText - links[number - 1].text.utf8.count
        let space = links[number - 1].text.isEmpty ? "" : " "
        if room > 0 { links[number - 1].text += space + text.prefix(room) }
    }

    /// Notes that the text shows the whole address of a link.
    mutating func markSpelledOut(_ number: Int) {
        guard links.indices.contains(number - 1) else { return }
        links[number - 1].isSpelledOut = true
    }

    /// Whether an address has a number already.
    func isKnown(_ address: String) -> Bool { numbers[TextDisplay.sanitizedLine(address)] != nil }

    /// Whether the text that stands for a link is its address, but for the scheme and the last slash.
    func isSpelledOutByItsText(_ number: Int) -> Bool {
        guard links.indices.contains(number - 1) else { return false }
        let link = links[number - 1]
        if link.text == link.url { return true }
        let schemes = ["https://", "http://", "mailto:", "tel:"]
        guard let scheme = schemes.first(where: { link.url.hasPrefix($0) }) else { return false }
        let rest = link.url.dropFirst(scheme.count)
        return rest == link.text || rest == link.text + "/"
    }

    /// Whether an address is one a person can open from mail.
    static func isOpenable(_ address: String) -> Bool {
        let lower = address.prefix(8).lowercased()
        return ["http://", "https://", "mailto:", "tel:", "ftp://"].contains { lower.hasPrefix($0) }
    }
}
