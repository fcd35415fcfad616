/// Keys pressed one after another: `j`, `gg`, `C-x C-c`.
package struct KeySequence: Sendable, Hashable {
    /// The names of the keys, one or more.
    package let keys: [String]

    /// The longest sequence; nobody types a longer one.
    package static let keysMax = 4

    init(keys: [String]) {
        self.keys = keys
    }

    /// Reads a sequence: names apart by blanks; letters and signs may stand together.
    ///
    /// `nil` when a part names no key, or there are none or too many.
    package init?(_ text: String) {
        var keys: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace).map(String.init) {
            if let key = KeyName.canonical(word) {
                keys.append(key)
            } else if let letters = KeySequence.letters(word) {
                keys += letters
            } else {
                return nil
            }
        }
        guard !keys.isEmpty, keys.count <= KeySequence.keysMax else { return nil }
        self.keys = keys
    }

    /// A word as keys of one letter each; a long one is rather a mistyped name.
    private static func letters(_ word: String) -> [String]? {
        let isModified = word.count > 1 && word.dropFirst().first == "-"
        let isFunction = word.first == "F" && word.dropFirst().allSatisfy(\.isNumber)
        guard word.count <= 3, !isModified, !isFunction else { return nil }
        let keys = word.compactMap { KeyName.canonical(String($0)) }
        return keys.count == word.count ? keys : nil
    }

    /// The sequence as tables and screens write it; reading it gives the same sequence.
    package var text: String {
        if keys.count == 1 { return keys[0] }
        let joined = keys.joined()
        let canStandTogether = keys.allSatisfy { $0.count == 1 } && KeySequence(joined)?.keys == keys
        return canStandTogether ? joined : keys.joined(separator: " ")
    }

    /// Whether the sequence goes on after `other`.
    func goesOn(after other: KeySequence) -> Bool {
        keys.count > other.keys.count && keys.starts(with: other.keys)
    }
}
