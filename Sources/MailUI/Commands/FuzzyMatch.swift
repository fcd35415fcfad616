/// Finds what a person means by letters in the right order.
enum FuzzyMatch {
    /// A text to look in: how much a hit in it counts, and whether letters may lie apart.
    struct Field {
        let text: String
        let weight: Int
        var isLoose = true
    }

    /// How well all words of `query` are found; `nil` when one is not, higher is better.
    static func score(_ query: String, in fields: [Field]) -> Int? {
        var total = 0
        for word in query.prefix(60).lowercased().split(whereSeparator: \.isWhitespace) {
            let best = fields.compactMap { field in score(Array(word), in: field) }.max()
            guard let best else { return nil }
            total += best
        }
        return total
    }

    private static func score(_ word: [Character], in field: Field) -> Int? {
        let text = Array(field.text.lowercased())
        guard word.count <= text.count else { return nil }
        if let place = place(of: word, in: text) {
            let isWhole = word.count == text.count
            let startsWord = place == 0 || !text[place - 1].isLetter
            return field.weight * (50 + (isWhole ? 60 : 0) + (startsWord ? 60 : 0) + (place == 0 ? 20 : 0))
                - text.count
        }
        guard field.isLoose, word.count > 1, let spread = loose(word, in: text) else { return nil }
        return field.weight * spread - text.count
    }

    /// Where a word begins; a place at the start of another word is preferred.
    private static func place(of word: [Character], in text: [Character]) -> Int? {
        let places = (0...text.count - word.count).filter { text[$0...].starts(with: word) }
        return places.first { $0 == 0 || !text[$0 - 1].isLetter } ?? places.first
    }

    /// Letters in order but apart; each must begin a word or follow the one before, so that `nu` finds next-unread.
    private static func loose(_ word: [Character], in text: [Character]) -> Int? {
        func match(_ index: Int, after last: Int) -> Int? {
            guard index < word.count else { return 0 }
            for place in (last + 1)..<max(last + 1, text.count) where text[place] == word[index] {
                let follows = index > 0 && place == last + 1
                let begins = place == 0 || !text[place - 1].isLetter
                guard follows || begins, let rest = match(index + 1, after: place) else { continue }
                return rest + (begins ? 12 : 8)
            }
            return nil
        }
        return match(0, after: -1).map { min(90, 50 + $0) }
    }
}
