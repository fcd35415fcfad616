/// Where the words of a search are in a text, for showing them.
extension SearchText {
    /// A folded word of a text, or a letter of a script without blanks, and where it is.
    package struct PlacedWord: Sendable, Hashable {
        package var text: String
        package var isSingle: Bool
        package var range: Range<String.Index>
    }

    /// The words of a text in their order.
    package static func words(_ text: String) -> [PlacedWord] {
        var words: [PlacedWord] = []
        var isOpen = false
        var letters = 0
        for place in text.indices {
            let range = place..<text.index(after: place)
            WordFolding.each(text[range]) { scalar in
                let kind = WordFolding.kind(scalar)
                let isLetter = kind == .letter
                if isLetter, isOpen, !words.isEmpty {
                    letters += 1
                    if letters <= wordMax { words[words.count - 1].text.unicodeScalars.append(scalar) }
                    words[words.count - 1].range = words[words.count - 1].range.lowerBound..<range.upperBound
                } else if kind != .separator {
                    words.append(PlacedWord(text: String(Character(scalar)), isSingle: !isLetter, range: range))
                    letters = 1
                }
                isOpen = isLetter
            }
        }
        return words
    }

    /// Where words stand in a row in a text; the last may go on unless `isWhole`.
    ///
    /// Compares word by word, without the stored form.
    package static func places(of sought: String, isWhole: Bool, in text: String) -> [Range<String.Index>] {
        let sought = words(sought)
        return places(of: sought, isOpen: !isWhole, in: words(text))
    }

    /// Whether a text has words in a row; the last may go on unless `isWhole`.
    package static func contains(_ sought: String, isWhole: Bool, in text: String) -> Bool {
        !places(of: sought, isWhole: isWhole, in: text).isEmpty
    }

    private static func places(
        of sought: [PlacedWord], isOpen: Bool, in words: [PlacedWord]
    ) -> [Range<String.Index>] {
        guard let last = sought.last, words.count >= sought.count else { return [] }
        var found: [Range<String.Index>] = []
        for start in 0...(words.count - sought.count) {
            let end = start + sought.count - 1
            guard zip(sought.dropLast(), words[start...]).allSatisfy({ $0.text == $1.text }) else { continue }
            let isEnd = isOpen ? words[end].text.hasPrefixExactly(last.text) : words[end].text == last.text
            if isEnd { found.append(words[start].range.lowerBound..<words[end].range.upperBound) }
        }
        return found
    }
}

extension String {
    /// Whether the scalars begin with those of another text.
    fileprivate func hasPrefixExactly(_ start: String) -> Bool { unicodeScalars.starts(with: start.unicodeScalars) }
}
