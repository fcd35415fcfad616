/// Which program shows a file of which type (RFC 1524).
struct Mailcap: Hashable, Sendable {
    /// One line of a mailcap file.
    struct Entry: Hashable, Sendable {
        /// `image/png` or `image/*`, in small letters.
        var type: String
        var command: String
        /// A command that ends with 0 where the entry holds.
        var test: String?
        /// How a file must be called: `%s.html`.
        var nameTemplate: String?
        var needsTerminal = false
        /// Whether the output is longer than a screen.
        var isCopious = false
    }

    /// In the order in which they are tried.
    private(set) var entries: [Entry] = []

    private static let entriesMax = 20_000

    /// Reads a file; lines that are none are passed over, as every reader of these files does.
    init(_ text: String) {
        for line in Mailcap.lines(text).prefix(Mailcap.entriesMax) {
            let fields = Mailcap.fields(line)
            guard fields.count >= 2, !fields[0].isEmpty, !fields[1].isEmpty else { continue }
            let type = fields[0].lowercased()
            var entry = Entry(type: type.contains("/") ? type : type + "/*", command: fields[1])
            for field in fields.dropFirst(2) {
                let name = field.prefix { $0 != "=" }.trimmed.lowercased()
                let value = String(field.drop { $0 != "=" }.dropFirst()).trimmed
                switch name {
                case "test": entry.test = value
                case "nametemplate": entry.nameTemplate = value
                case "needsterminal": entry.needsTerminal = true
                case "copiousoutput": entry.isCopious = true
                default: break
                }
            }
            entries.append(entry)
        }
    }

    /// The entries for a type, those for it alone before those for its kind.
    func entries(for type: String) -> [Entry] {
        let type = type.lowercased()
        let kind = type.prefix { $0 != "/" } + "/*"
        return entries.filter { $0.type == type } + entries.filter { $0.type == kind }
    }

    /// The lines, each put together where a backslash ends it; no comments.
    private static func lines(_ text: String) -> [String] {
        var lines: [String] = []
        var begun = ""
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if begun.isEmpty, line.trimmed.isEmpty || line.trimmed.hasPrefix("#") { continue }
            if line.hasSuffix("\\"), !line.hasSuffix("\\\\") {
                begun += line.dropLast()
            } else {
                lines.append(begun + line)
                begun = ""
            }
        }
        return begun.isEmpty ? lines : lines + [begun]
    }

    /// The fields between semicolons; one behind a backslash is part of its field.
    private static func fields(_ line: String) -> [String] {
        var fields = [""]
        var isEscaped = false
        for character in line {
            if isEscaped {
                // Other marks keep their backslash, which is the shell's.
                fields[fields.count - 1] += character == ";" ? ";" : "\\" + String(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == ";" {
                fields.append("")
            } else {
                fields[fields.count - 1].append(character)
            }
        }
        if isEscaped { fields[fields.count - 1].append("\\") }
        return fields.map(\.trimmed)
    }
}

extension Mailcap {
    /// A command with the file and its type put in, so that a shell takes each as one word whatever is in it.
    ///
    /// Answers too whether the command names the file; one that does not reads it as its input.
    static func command(_ template: String, path: String, type: String) -> (text: String, namesFile: Bool) {
        var text = ""
        var namesFile = false
        var quote: Character?
        var rest = template[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\" where quote != "'":
                let next = rest.popFirst()
                // `\%` is this file's own escape.
                text += next == "%" ? "%" : "\\" + (next.map(String.init) ?? "")
            case "'", "\"":
                if quote == nil { quote = character } else if quote == character { quote = nil }
                text.append(character)
            case "%":
                switch rest.popFirst() {
                case "s":
                    text += quoted(path, within: quote)
                    namesFile = true
                case "t": text += quoted(type, within: quote)
                case "%": text += "%"
                case "{": rest = rest.drop { $0 != "}" }.dropFirst()
                case .some(let other): text += "%" + String(other)
                case nil: text += "%"
                }
            default: text.append(character)
            }
        }
        return (text, namesFile)
    }

    /// A text as a shell reads it back unchanged, within the quotes that are open.
    private static func quoted(_ text: String, within quote: Character?) -> String {
        if quote == "\"" {
            return text.reduce(into: "") { result, character in
                if "\\\"$`".contains(character) { result.append("\\") }
                result.append(character)
            }
        }
        let inner = text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
        return quote == "'" ? inner : "'" + inner + "'"
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        var rest = self[...]
        while let first = rest.first, first.isWhitespace { rest = rest.dropFirst() }
        while let last = rest.last, last.isWhitespace { rest = rest.dropLast() }
        return String(rest)
    }
}
