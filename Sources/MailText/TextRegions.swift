/// What the lines of a plain text are: words, a patch, a signature, the message answered to.
enum TextRegion: Hashable {
    case words
    /// A line of a patch, which stays exactly as it is.
    case patch
    case signature
}

/// Tells the regions of a text by the marks that programs and people set.
struct TextRegions {
    private static let longestSignature = 12
    private static let longestFooter = 10

    private(set) var regions: [TextRegion]
    /// The lines; those below the mark of an answered message are one level deeper.
    private(set) var lines: [SourceLine]

    init(_ source: [SourceLine]) {
        lines = source
        regions = Array(repeating: .words, count: source.count)
        markOriginalMessage()
        markPatches()
        markSignatures()
    }

    private mutating func mark(_ range: Range<Int>, _ region: TextRegion) {
        for index in range where lines[index].level == 0 { regions[index] = region }
    }

    /// `-----Original Message-----`, in any language, and what follows is what the writer answers to.
    ///
    /// A forwarded message has such a mark too; it is what the reader is meant to see.
    private mutating func markOriginalMessage() {
        var hasWords = false
        for index in lines.indices {
            guard hasWords, isOriginalMark(at: index) else {
                if lines[index].level == 0, !lines[index].text.isBlank { hasWords = true }
                continue
            }
            for below in index..<lines.count { lines[below].level += 1 }
            return
        }
    }

    private func isOriginalMark(at index: Int) -> Bool {
        let text = lines[index].text
        guard lines[index].level == 0, text.hasPrefix("----"), text.utf8.count <= 60 else { return false }
        let middle = text.drop { $0 == "-" || $0 == " " }.prefix { $0 != "-" }
        guard text.hasSuffix("---") || text.hasSuffix("--- "), middle.contains(where: \.isLetter) else { return false }
        let lower = middle.lowercased()
        guard !lower.contains("forward"), !lower.hasPrefix("begin"), !lower.hasPrefix("end") else { return false }
        guard let next = lines[(index + 1)...].first(where: { !$0.text.isBlank }) else { return false }
        let name = next.text.drop { $0 == "*" }.prefix { $0 != ":" && $0 != "*" }
        return name.utf8.count < next.text.utf8.count && name.count <= 12 && !name.isEmpty
            && name.allSatisfy { $0.isLetter || $0 == " " }
    }

    private mutating func markPatches() {
        var index = 0
        while index < lines.count {
            guard beginsPatch(at: index) else {
                index += 1
                continue
            }
            var end = index + 1
            while end < lines.count, lines[end].level == 0, isPatchLine(lines[end].text) {
                if isFooterRule(lines[end].text), lines[end - 1].text.isBlank { break }
                end += 1
            }
            while end > index, lines[end - 1].text.isBlank { end -= 1 }
            mark(index..<end, .patch)
            index = max(end, index + 1)
        }
    }

    private func beginsPatch(at index: Int) -> Bool {
        let text = lines[index].text
        guard lines[index].level == 0 else { return false }
        if text.hasPrefix("diff --git ") || text.hasPrefix("diff -") || text.hasPrefix("@@ -") { return true }
        return text.hasPrefix("--- ") && index + 1 < lines.count && lines[index + 1].text.hasPrefix("+++ ")
    }

    private func isPatchLine(_ text: String) -> Bool {
        if text == "-- " { return false }
        guard let first = text.utf8.first else { return true }
        if [0x20, 0x2B, 0x2D, 0x40, 0x5C].contains(first) { return true }
        return [
            "diff ", "index ", "new file", "deleted file", "similarity ", "rename ", "copy ", "old mode", "new mode",
            "Binary files", "Index: ", "=====",
        ].contains { text.hasPrefix($0) }
    }

    private mutating func markSignatures() {
        if let start = lines.indices.first(where: { isSignatureMark(at: $0) }) {
            mark(start..<lines.count, .signature)
        }
        for index in lines.indices where lines[index].level == 0 && regions[index] == .words {
            let text = lines[index].text
            if text.hasPrefix("-----BEGIN PGP SIGNATURE-----") {
                let end = lines[index...].firstIndex { $0.text.hasPrefix("-----END PGP SIGNATURE") } ?? index
                mark(index..<(end + 1), .signature)
            } else if text.hasPrefix("-----BEGIN PGP SIGNED MESSAGE-----") {
                let end = lines[index...].firstIndex { $0.text.isBlank } ?? index
                mark(index..<min(end + 1, index + 4, lines.count), .signature)
            } else if isFooterRule(text), isListFooter(below: index) {
                mark(index..<lines.count, .signature)
            }
        }
    }

    /// `-- `, or `--` where some program took the blank away, near the end.
    private func isSignatureMark(at index: Int) -> Bool {
        guard lines[index].level == 0, regions[index] == .words else { return false }
        if lines[index].text == "-- " { return true }
        guard lines[index].text == "--", index > 0 else { return false }
        let below = lines[(index + 1)...].filter { !$0.text.isBlank }
        return (1...TextRegions.longestSignature).contains(below.count) && below.allSatisfy { $0.level == 0 }
    }

    private func isFooterRule(_ text: String) -> Bool {
        text.utf8.count >= 20 && (text.allSatisfy { $0 == "_" } || text.allSatisfy { $0 == "-" })
    }

    /// Whether the end of the text is what a mailing list adds to every message.
    private func isListFooter(below index: Int) -> Bool {
        let below = lines[(index + 1)...].filter { !$0.text.isBlank }
        guard (1...TextRegions.longestFooter).contains(below.count), below.allSatisfy({ $0.level == 0 }) else {
            return false
        }
        let text = below.map(\.text).joined(separator: " ").lowercased()
        return text.contains("list") && (text.contains("://") || text.contains("@"))
    }
}
