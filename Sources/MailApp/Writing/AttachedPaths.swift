internal import Glibc
internal import Platform

/// The files that a typed, pasted or dropped text names.
enum AttachedPaths {
    /// The paths, in their order; a pattern without a match stays as it is, so that it can be told of.
    ///
    /// A text that is the path of a file is that file, whatever signs it has. Else words are read as a shell reads them,
    /// with quotes and strokes; `file:` addresses, `~`, and `*`, `?` and `[…]` in the last part are understood.
    static func read(_ text: String) -> [String] {
        let plain = SavePath.expanded(trimmed(text))
        if Files.exists(plain) { return [plain] }
        return words(text).flatMap { word -> [String] in
            let path = SavePath.expanded(address(word.text) ?? word.text)
            return word.isPattern && !Files.exists(path) ? matches(path) : [path]
        }
    }

    private static func trimmed(_ text: String) -> String {
        let part = text.drop { $0.isWhitespace }
        return String(part.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// Words without their quotes, and whether a sign of a pattern stands outside of quotes.
    static func words(_ text: String) -> [(text: String, isPattern: Bool)] {
        var words: [(text: String, isPattern: Bool)] = []
        var (word, isPattern, isWord) = ("", false, false)
        var quote: Character?
        var isEscaped = false
        for character in text {
            if isEscaped {
                word.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                (isEscaped, isWord) = (true, true)
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                (quote, isWord) = (character, true)
            } else if quote == nil, character.isWhitespace {
                if isWord { words.append((word, isPattern)) }
                (word, isPattern, isWord) = ("", false, false)
            } else {
                if quote == nil, "*?[".contains(character) { isPattern = true }
                word.append(character)
                isWord = true
            }
        }
        if isWord { words.append((word, isPattern)) }
        return words
    }

    /// The path of a `file:` address of this machine; `nil` for all else.
    private static func address(_ word: String) -> String? {
        guard word.lowercased().hasPrefix("file://") else { return nil }
        let rest = word.dropFirst(7)
        guard let slash = rest.firstIndex(of: "/"), ["", "localhost"].contains(rest[..<slash].lowercased()) else {
            return nil
        }
        var bytes: [UInt8] = []
        var left = rest[slash...].utf8
        while let byte = left.popFirst() {
            guard byte == 0x25, let value = UInt8(String(decoding: Array(left.prefix(2)), as: UTF8.self), radix: 16)
            else {
                bytes.append(byte)
                continue
            }
            left = left.dropFirst(2)
            bytes.append(value)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func matches(_ path: String) -> [String] {
        let slash = path.lastIndex(of: "/")
        let head = slash.map { String(path[...$0]) } ?? ""
        let pattern = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let found = Files.names(in: head.isEmpty ? "." : head).filter {
            fnmatch(pattern, $0, FNM_PERIOD) == 0 && !Files.isDirectory(head + $0)
        }
        return found.isEmpty ? [path] : found.map { head + $0 }
    }
}
