internal import DisplayText

/// Reads a filter from text.
package struct FilterParser {
    /// The longest text.
    package static let bytesMax = 2_000
    /// Levels of parentheses and minus signs; a store's language has room for about twice as many.
    package static let depthMax = 12
    /// Words and fields in all; a store's own bounds are far above it.
    package static let termsMax = 100

    private let characters: [Character]
    private var place = 0
    private var terms = 0

    private init(_ text: String) { characters = Array(text) }

    /// The filter that a text means.
    ///
    /// - Throws: `FilterError`; an empty text is one as well.
    package static func parse(_ text: String) throws(FilterError) -> Filter {
        guard text.utf8.count <= bytesMax else { throw FilterError(.tooLong, column: 1) }
        var parser = FilterParser(text)
        parser.skipBlanks()
        guard !parser.isAtEnd else { throw FilterError(.noFilter, column: 1, isUnfinished: true) }
        let filter = try parser.choice(depth: 0)
        guard parser.isAtEnd else { throw parser.expected("a word or the end") }
        return filter
    }

    private var isAtEnd: Bool { place >= characters.count }
    private var current: Character? { isAtEnd ? nil : characters[place] }

    private mutating func skipBlanks() { while current?.isWhitespace == true { place += 1 } }

    private func expected(_ what: String, at start: Int? = nil) -> FilterError {
        FilterError(.expected(what), column: (start ?? place) + 1, isUnfinished: isAtEnd)
    }

    /// Terms, with `or` between groups of them.
    private mutating func choice(depth: Int) throws(FilterError) -> Filter {
        var groups = [try group(depth: depth)]
        while takeOr() { groups.append(try group(depth: depth)) }
        return groups.count == 1 ? groups[0] : .any(groups)
    }

    private mutating func group(depth: Int) throws(FilterError) -> Filter {
        var terms: [Filter] = []
        while true {
            skipBlanks()
            if isAtEnd || current == ")" || isAtOr { break }
            terms.append(try term(depth: depth))
        }
        guard let first = terms.first else { throw expected("a word or a field such as from:ann") }
        return terms.count == 1 ? first : .all(terms)
    }

    /// Whether the word `or` is next.
    private var isAtOr: Bool {
        guard place + 1 < characters.count, characters[place...place + 1].map({ $0.lowercased() }) == ["o", "r"] else {
            return false
        }
        let next = place + 2 < characters.count ? characters[place + 2] : " "
        return next.isWhitespace || next == "(" || next == ")"
    }

    private mutating func takeOr() -> Bool {
        skipBlanks()
        guard isAtOr else { return false }
        place += 2
        return true
    }

    private mutating func term(depth: Int) throws(FilterError) -> Filter {
        guard depth < FilterParser.depthMax else { throw FilterError(.tooDeep, column: place + 1) }
        terms += 1
        guard terms <= FilterParser.termsMax else { throw FilterError(.tooMany, column: place + 1) }
        switch current {
        case "-":
            place += 1
            guard let next = current, !next.isWhitespace, next != ")" else { throw expected("what is to be left out") }
            return .not(try term(depth: depth + 1))
        case "(":
            place += 1
            let inner = try choice(depth: depth + 1)
            skipBlanks()
            guard current == ")" else { throw expected("a closing parenthesis") }
            place += 1
            return inner
        default:
            if let filter = try field() { return filter }
            return try words(.anywhere, expecting: "a word with a letter or digit")
        }
    }

    /// A field with its value; `nil` when no field begins here.
    private mutating func field() throws(FilterError) -> Filter? {
        var end = place
        while end < characters.count, characters[end].isASCII, characters[end].isLetter { end += 1 }
        guard end > place, end < characters.count, characters[end] == ":" else { return nil }
        let name = String(characters[place..<end])
        guard let field = FilterField(rawValue: name.lowercased()) else {
            throw FilterError(
                .unknownField(name), column: place + 1, isUnfinished: end + 1 == characters.count)
        }
        place = end + 1
        return try value(of: field)
    }

    private mutating func value(of field: FilterField) throws(FilterError) -> Filter {
        let start = place
        switch field {
        case .from: return try words(.from, expecting: field.expectation)
        case .to: return try words(.to, expecting: field.expectation)
        case .subject: return try words(.subject, expecting: field.expectation)
        case .body: return try words(.body, expecting: field.expectation)
        case .mailbox:
            guard case .words(_, let words) = try words(.anywhere, expecting: field.expectation) else {
                throw expected(field.expectation, at: start)
            }
            return .mailbox(words)
        default: break
        }
        let word = try text(expecting: field.expectation).text.lowercased()
        let filter: Filter? =
            switch field {
            case .folder: FilterField.places.first { $0.word == word }.map { .place($0.place) }
            case .mark: FilterField.marks.first { $0.word == word }?.filter
            case .has: word == "attachment" || word == "attachments" ? .hasAttachment : nil
            case .before, .after, .older, .newer:
                Filter.Side(rawValue: field.rawValue).flatMap { side in
                    Filter.Moment(word).map { .time(side, $0) }
                }
            default: nil
            }
        guard let filter else {
            throw FilterError(
                .expected(field.expectation), column: start + 1,
                isUnfinished: isAtEnd && FilterParser.mayGoOn(word, in: field))
        }
        return filter
    }

    /// Whether a value could become right by more letters.
    private static func mayGoOn(_ word: String, in field: FilterField) -> Bool {
        switch field {
        case .folder: FilterField.places.contains { $0.word.hasPrefix(word) }
        case .mark: FilterField.marks.contains { $0.word.hasPrefix(word) }
        case .has: "attachments".hasPrefix(word)
        default: word.utf8.count < 10 && word.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
        }
    }

    private mutating func words(_ part: Filter.Part, expecting what: String) throws(FilterError) -> Filter {
        let start = place
        let words = try text(expecting: what)
        guard SearchText.needle(words.text, isWhole: words.isWhole) != nil else { throw expected(what, at: start) }
        return .words(part, words)
    }

    /// A word, or text in quotes.
    private mutating func text(expecting what: String) throws(FilterError) -> Filter.Words {
        if current == "\"" { return try quoted() }
        let start = place
        var text = ""
        while let character = current, !character.isWhitespace, character != "(", character != ")" {
            place += 1
            if character == "\\", let escaped = current {
                text.append(escaped)
                place += 1
            } else {
                text.append(character)
            }
        }
        guard place > start else { throw expected(what) }
        // A mark without a letter would belong to the blank before it when the filter is printed.
        let marks = text.unicodeScalars.prefix { $0.properties.isGraphemeExtend }
        return Filter.Words(String(text.unicodeScalars.dropFirst(marks.count)))
    }

    private mutating func quoted() throws(FilterError) -> Filter.Words {
        place += 1
        var text = ""
        while let character = current {
            place += 1
            if character == "\"" { return Filter.Words(text, isWhole: true) }
            if character == "\\", let escaped = current {
                text.append(escaped)
                place += 1
            } else {
                text.append(character)
            }
        }
        throw expected("a closing quote")
    }
}
