/// What of a filter the server can be asked for (contract §3.4): one piece of text, of 48 bytes at most.
package struct ServerSearch: Sendable, Hashable {
    /// The server takes patterns of 50 bytes, of which two are its own.
    static let bytesMax = 48

    package let text: String
    /// What its answers must still fulfil; `nil` when nothing is left.
    package let rest: Filter?
}

extension Filter {
    /// The longest words that every match has somewhere, for the server to look for; `nil` when there are none.
    ///
    /// Words of people and subjects are no question for it: the cache has all of those, and the server would answer with
    /// mail that has them elsewhere.
    package var serverSearch: ServerSearch? {
        let terms: [Filter] = if case .all(let filters) = self { filters } else { [self] }
        var best: (place: Int, words: Words)?
        for (place, term) in terms.enumerated() {
            guard case .words(let part, let words) = term, part == .anywhere || part == .body,
                words.text.utf8.count > best?.words.text.utf8.count ?? 0
            else { continue }
            best = (place, words)
        }
        guard let best else { return nil }
        var text = ""
        var bytes = 0
        for character in best.words.text {
            // These three are sent with an escape.
            bytes += String(character).utf8.count + ("%_\\".contains(character) ? 1 : 0)
            if bytes > ServerSearch.bytesMax { break }
            text.append(character)
        }
        guard !text.isEmpty else { return nil }
        let rest = terms.enumerated().filter { $0.offset != best.place }.map(\.element)
        return ServerSearch(text: text, rest: rest.isEmpty ? nil : rest.count == 1 ? rest[0] : .all(rest))
    }
}
