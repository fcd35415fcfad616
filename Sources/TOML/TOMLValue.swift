/// A value of a TOML document, with the line it begins on.
package struct TOMLValue: Sendable, Hashable {
    /// What the value is.
    package enum Content: Sendable, Hashable {
        case string(String)
        case integer(Int64)
        case float(Double)
        case boolean(Bool)
        /// A date, a time or both; the program has no use for one, so it is not told apart further.
        case date
        case array([TOMLValue])
        /// The members, by line and then by name.
        case table([TOMLMember])
    }

    package let content: Content
    /// Counted from 1; a table's line is that of its header or of its first member.
    package let line: Int

    package init(_ content: Content, line: Int) {
        self.content = content
        self.line = line
    }

    /// The kind of the value in words, with its article.
    package var kind: String {
        switch content {
        case .string: "a text"
        case .integer: "a number"
        case .float: "a number with a fraction"
        case .boolean: "true or false"
        case .date: "a date"
        case .array: "a list"
        case .table: "a table"
        }
    }
}

/// A named value of a table.
package struct TOMLMember: Sendable, Hashable {
    package let name: String
    package let value: TOMLValue

    package init(name: String, value: TOMLValue) {
        self.name = name
        self.value = value
    }
}

/// Why a document could not be read; nothing of it is used then.
package enum TOMLError: Error, Sendable, Hashable {
    /// The document or a number of things in it is larger than any settings file needs to be.
    case tooLong
    /// Brackets or dots are nested deeper than the parser is let go.
    case tooDeep(line: Int)
    /// The bytes of the line are not UTF-8.
    case notUTF8(line: Int)
    /// The line has an integer that does not fit 64 bits.
    case numberTooLarge(line: Int)
    /// The line is not TOML, with the parser's words for it; they may quote names of the document.
    case syntax(line: Int, words: String)
    /// The parser gave up without saying why.
    case unreadable

    /// The line the failure is about; `nil` when it is about the whole document.
    package var line: Int? {
        switch self {
        case .tooDeep(let line), .notUTF8(let line), .numberTooLarge(let line), .syntax(let line, _): line
        case .tooLong, .unreadable: nil
        }
    }

    /// What is wrong, to go after a place and a colon, without a full stop.
    package var reason: String {
        switch self {
        case .tooLong: "it is larger than a settings file may be"
        case .tooDeep: "it is nested too deeply"
        case .notUTF8: "it is not UTF-8 text"
        case .numberTooLarge: "a number is too large"
        case .syntax(_, let words): words.isEmpty ? "it is not TOML" : words
        case .unreadable: "it is not TOML"
        }
    }
}
