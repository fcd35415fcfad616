/// Finds addresses of the web, and those of mail that are written as links, in a line of plain text.
struct LinkScanner {
    /// A piece of the line, with the address it stands for.
    struct Piece: Hashable {
        var text: String
        var url: String?
    }

    private let bytes: [UInt8]
    private var pieces: [Piece] = []
    private var done = 0

    private init(_ line: String) {
        bytes = Array(line.utf8)
    }

    /// The line in pieces, in order and complete.
    static func pieces(of line: String) -> [Piece] {
        guard line.utf8.contains(where: { $0 == 0x3A || $0 == 0x2F || $0 | 0x20 == 0x77 }) else {
            return [Piece(text: line)]
        }
        var scanner = LinkScanner(line)
        scanner.scan()
        return scanner.pieces
    }

    private static let schemes: [(mark: [UInt8], added: String)] = [
        (Array("http://".utf8), ""), (Array("https://".utf8), ""), (Array("mailto:".utf8), ""),
        (Array("www.".utf8), "http://"), (Array("ftp://".utf8), ""),
    ]
    /// Last labels after which a name with a path is an address even without its scheme.
    private static let plainDomains: Set<String> = [
        "app", "at", "au", "be", "biz", "br", "ca", "ch", "cn", "co", "com", "cz", "de", "dev", "dk", "edu", "es",
        "eu", "fi", "fr", "gov", "ie", "in", "info", "int", "io", "it", "jp", "kr", "me", "mil", "net", "nl", "no",
        "nz", "org", "pl", "pt", "ru", "se", "tv", "uk", "us",
    ]

    private mutating func scan() {
        var index = 0
        while index < bytes.count {
            if let scheme = scheme(at: index) {
                let end = trimmedEnd(from: index, to: endOfAddress(from: index))
                if end > index + scheme.mark.count {
                    take(index..<end, added: scheme.added)
                    index = end
                    continue
                }
            } else if bytes[index] == 0x2F, let range = plainAddress(around: index) {
                take(range, added: "http://")
                index = range.upperBound
                continue
            }
            index += 1
        }
        if done < bytes.count { pieces.append(Piece(text: text(done..<bytes.count))) }
    }

    private mutating func take(_ range: Range<Int>, added: String) {
        if range.lowerBound > done { pieces.append(Piece(text: text(done..<range.lowerBound))) }
        let found = text(range)
        pieces.append(Piece(text: found, url: added + found))
        done = range.upperBound
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    private func scheme(at index: Int) -> (mark: [UInt8], added: String)? {
        guard [0x66, 0x68, 0x6D, 0x77].contains(bytes[index] | 0x20) else { return nil }
        // Behind an @ it is the domain of somebody's address.
        if index > done, LinkScanner.isAlphanumeric(bytes[index - 1]) || bytes[index - 1] == 0x40 { return nil }
        return LinkScanner.schemes.first { scheme in
            index + scheme.mark.count <= bytes.count
                && scheme.mark.indices.allSatisfy { offset in
                    let byte = bytes[index + offset]
                    return byte == scheme.mark[offset] || byte | 0x20 == scheme.mark[offset]
                }
        }
    }

    private func endOfAddress(from start: Int) -> Int {
        var index = start
        var brackets = 0
        while index < bytes.count {
            let byte = bytes[index]
            // Brackets belong to an address only in pairs, as around a number for a host.
            if byte == 0x5B { brackets += 1 } else if byte == 0x5D { brackets -= 1 }
            if brackets < 0 { break }
            if byte <= 0x20 || [0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B, 0x7C, 0x7D].contains(byte) { break }
            if byte >= 0x80, index + 1 < bytes.count {
                let pair = (byte, bytes[index + 1])
                // Blanks, dashes and quotation marks of Unicode, and the punctuation of East Asia.
                let isEnd =
                    pair == (0xE2, 0x80) || pair == (0xE3, 0x80) || pair == (0xEF, 0xBC) || pair == (0xC2, 0xA0)
                    || pair == (0xC2, 0xAB) || pair == (0xC2, 0xBB)
                if isEnd { break }
            }
            index += 1
        }
        return index
    }

    /// Leaves the punctuation of the sentence around an address out of it.
    private func trimmedEnd(from start: Int, to end: Int) -> Int {
        var opened = 0
        for byte in bytes[start..<end] {
            if byte == 0x28 { opened += 1 } else if byte == 0x29 { opened -= 1 }
        }
        var end = end
        while end > start {
            switch bytes[end - 1] {
            case 0x29 where opened < 0:
                opened += 1
                end -= 1
            case 0x21, 0x27, 0x2A, 0x2C, 0x2E, 0x3A, 0x3B, 0x3F, 0x5D: end -= 1
            default: return end
            }
        }
        return end
    }

    /// A name and a path without a scheme, such as `example.org/page`, around its first slash.
    private func plainAddress(around slash: Int) -> Range<Int>? {
        var start = slash
        while start > done, LinkScanner.isAlphanumeric(bytes[start - 1]) || [0x2D, 0x2E].contains(bytes[start - 1]) {
            start -= 1
        }
        if start > 0, ![0x20, 0x28, 0x3C, 0x5B, 0x22].contains(bytes[start - 1]) { return nil }
        let labels = bytes[start..<slash].split(separator: 0x2E, omittingEmptySubsequences: false)
        guard labels.count > 1, labels.allSatisfy({ !$0.isEmpty }), let last = labels.last,
            LinkScanner.plainDomains.contains(String(decoding: last, as: UTF8.self).lowercased()),
            slash + 1 < bytes.count, LinkScanner.isAlphanumeric(bytes[slash + 1])
        else { return nil }
        return start..<trimmedEnd(from: start, to: endOfAddress(from: start))
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }
}
