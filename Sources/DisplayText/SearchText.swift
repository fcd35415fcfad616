/// Texts in the form that an index keeps, and what to look for in them.
///
/// The stored form is the folded words, a blank before and behind each. Letters of scripts without blanks stand in
/// overlapping pairs, the last also alone: so every beginning, and every piece of such a script, is a plain substring
/// of the stored form, and its first piece is a beginning of one of the form's words.
package enum SearchText {
    /// Letters of a word that count.
    static let wordMax = 64

    /// The stored form; empty when there is no word.
    ///
    /// Ends at about `bytesMax` bytes.
    package static func stored(_ text: some StringProtocol, bytesMax: Int = .max) -> String {
        // A long text need not be folded as a whole.
        if bytesMax < text.utf8.count / 4 {
            return stored(String(decoding: text.utf8.prefix(4 * bytesMax), as: UTF8.self), bytesMax: bytesMax)
        }
        var writer = Writer()
        WordFolding.each(text) { if writer.bytes.count < bytesMax { writer.add($0) } }
        writer.endRun(isLast: false)
        writer.closeWord()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// What the stored form of a text must contain to have these words in a row.
    package struct Needle: Sendable, Hashable {
        /// The substring.
        package let text: String
        /// Words the text has, by which an index finds it.
        package let words: [Word]
    }

    /// A word of the stored form, or its beginning.
    package struct Word: Sendable, Hashable {
        package let text: String
        package let isBeginning: Bool
    }

    /// What to look for; the last word may go on unless `isWhole`.
    ///
    /// `nil` when there is no letter, digit or symbol in it.
    package static func needle(_ text: some StringProtocol, isWhole: Bool) -> Needle? {
        var writer = Writer()
        let scalars = WordFolding.scalars(text)
        let end = scalars.lastIndex { WordFolding.kind($0) != .separator }.map { $0 + 1 } ?? 0
        for scalar in scalars[..<end] { writer.add(scalar) }
        let endsInRun = writer.pending != nil
        writer.endRun(isLast: true)
        if !endsInRun, isWhole { writer.closeWord() }
        guard !writer.bytes.isEmpty else { return nil }
        let form = String(decoding: writer.bytes, as: UTF8.self)
        let isOpen = !form.hasSuffix(" ")
        let pieces = form.split(separator: " ")
        let words = pieces.enumerated().map {
            Word(text: String($1), isBeginning: isOpen && $0 == pieces.count - 1)
        }
        return Needle(text: form, words: words)
    }

    /// Puts the stored form together.
    private struct Writer {
        var bytes: [UInt8] = []
        /// The last letter of a run without blanks, which stands alone when nothing follows it.
        var pending: Unicode.Scalar?
        private var runCount = 0
        private var wordCount = 0
        private var isInWord = false

        mutating func add(_ scalar: Unicode.Scalar) {
            let kind = WordFolding.kind(scalar)
            switch kind {
            case .letter:
                endRun(isLast: false)
                if !isInWord { begin() }
                wordCount += 1
                if wordCount <= SearchText.wordMax { append(scalar) }
            case .single:
                if let pending {
                    begin()
                    append(pending)
                    append(scalar)
                }
                isInWord = false
                pending = scalar
                runCount += 1
            case .separator:
                // A run goes on behind it: lines break anywhere in scripts without blanks.
                isInWord = false
            }
        }

        /// Ends a run; its last letter stands alone unless it is the end of what is looked for and had a pair.
        mutating func endRun(isLast: Bool) {
            guard let last = pending else { return }
            if !isLast || runCount == 1 {
                begin()
                append(last)
            }
            isInWord = false
            (pending, runCount) = (nil, 0)
        }

        /// Ends the last word, so that nothing goes on.
        mutating func closeWord() { if !bytes.isEmpty { bytes.append(0x20) } }

        private mutating func begin() {
            bytes.append(0x20)
            (isInWord, wordCount) = (true, 0)
        }

        private mutating func append(_ scalar: Unicode.Scalar) {
            if scalar.value < 0x80 {
                bytes.append(UInt8(scalar.value))
            } else {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
            }
        }
    }
}
