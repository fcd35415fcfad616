internal import DisplayText
internal import MailModel

/// Small texts for people, made without locale or clock.
enum Formatting {
    /// A number with its thousands apart: `3,100`.
    static func grouped(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0 && (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return text
    }

    /// How long ago something was: `12 s`, `5 min`, `3 h`, `2 d`.
    static func age(_ seconds: Int64) -> String {
        switch max(0, seconds) {
        case ..<60: "\(max(0, seconds)) s"
        case ..<3_600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) d"
        }
    }

    /// A file's size: `812 B`, `12 kB`, `3.4 MB`.
    static func bytes(_ count: Int) -> String {
        switch max(0, count) {
        case ..<1_000: "\(max(0, count)) B"
        case ..<1_000_000: "\(count / 1_000) kB"
        default: "\(count / 1_000_000).\(count / 100_000 % 10) MB"
        }
    }

    /// A count in brackets, never more than five cells; nothing for one message.
    static func messages(_ count: Int) -> String {
        count < 2 ? "" : count > 999 ? "(1k+)" : "(\(count))"
    }

    /// Breaks a sanitised text into lines at spaces, and within a word that is longer than a line.
    ///
    /// Such a word is most often an address, which is divided behind one of the signs that part it.
    static func wrapped(_ text: String, columns: Int) -> [String] {
        let columns = max(1, columns)
        var lines: [String] = []
        var line = ""
        var used = 0
        for word in text.split(separator: " ", omittingEmptySubsequences: true) {
            let width = TextDisplay.width(of: word)
            if used > 0 && used + 1 + width > columns {
                lines.append(line)
                line = ""
                used = 0
            }
            if used > 0 {
                line += " "
                used += 1
            }
            var rest = word
            while !rest.isEmpty {
                let part = rest[..<fittingEnd(of: rest, columns: columns - used)]
                line += part
                used += TextDisplay.width(of: part)
                rest = rest[part.endIndex...]
                guard !rest.isEmpty else { break }
                lines.append(line)
                line = ""
                used = 0
            }
        }
        return line.isEmpty && !lines.isEmpty ? lines : lines + [line]
    }

    /// Where the part of a word ends that fits; it has one character at least.
    private static func fittingEnd(of word: Substring, columns: Int) -> String.Index {
        var used = 0
        var best: String.Index?
        for index in word.indices {
            used += TextDisplay.width(of: String(word[index]))
            if used > columns, index > word.startIndex { return best ?? index }
            if used * 2 >= columns, "/?&=#-_.@%+,;:".contains(word[index]) { best = word.index(after: index) }
        }
        return word.endIndex
    }
}
