/// How much the plain text of a message says beside its HTML.
///
/// Most programs put the same words into both. Some put a notice into the text, or addresses longer than the words.
struct TextPart {
    private static let longestNotice = 600
    private static let longAddress = 80

    /// Whether the text can stand for the message.
    let isWorthReading: Bool

    init(_ text: String) {
        isWorthReading = !text.isBlank && !TextPart.isNotice(text) && !TextPart.isAddressesMostly(text)
    }

    /// Whether the text only says that there is HTML.
    private static func isNotice(_ text: String) -> Bool {
        guard text.utf8.count <= longestNotice else { return false }
        let lower = text.lowercased()
        guard lower.contains("html") || lower.contains("browser") else { return false }
        return [
            "html message", "html email", "html e-mail", "html mail", "html format", "html-format", "html version",
            "view this email in", "view this message in", "view in browser", "view in your browser",
            "does not support html", "doesn't support html", "support html", "supports html", "html-capable",
            "html capable", "html-compatible", "html compatible", "html-enabled", "read html", "display html",
        ].contains { lower.contains($0) }
    }

    /// Whether more than half of the text are addresses made for machines.
    private static func isAddressesMostly(_ text: String) -> Bool {
        var total = 0
        var long = 0
        for word in text.utf8.split(whereSeparator: { $0 <= 0x20 }) {
            total += word.count
            if word.count >= longAddress, isAddress(word) { long += word.count }
        }
        return long * 2 > total
    }

    private static func isAddress(_ word: Substring.UTF8View) -> Bool {
        let start = word.drop { [0x3C, 0x28, 0x5B].contains($0) }.prefix(8)
        return start.starts(with: "http://".utf8) || start.starts(with: "https://".utf8)
    }
}
