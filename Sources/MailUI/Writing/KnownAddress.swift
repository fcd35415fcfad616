internal import DisplayText

/// An address that a field can be completed with.
package struct KnownAddress: Sendable, Hashable {
    package var address: String
    /// Empty where none is known.
    package var name: String

    package init(address: String, name: String = "") {
        self.address = address
        self.name = name
    }

    /// What goes into the field.
    var text: String {
        if name.isEmpty { return address }
        let isPlain = name.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0 == " " || $0 == "-" }
        let quoted = name.filter { $0 != "\"" && $0 != "\\" && !$0.isNewline }
        return (isPlain ? name : "\"\(quoted)\"") + " <\(address)>"
    }

    /// How well it fits what was typed: the lower the better; `nil` for not at all.
    func rank(_ typed: String) -> Int? {
        let address = address.lowercased()
        let name = name.lowercased()
        if address.hasPrefix(typed) || name.hasPrefix(typed) { return 0 }
        let words = name.split(separator: " ") + address.split { "@.-_+".contains($0) }
        if words.contains(where: { $0.hasPrefix(typed) }) { return 1 }
        return typed.count >= 2 && (address.contains(typed) || name.contains(typed)) ? 2 : nil
    }

    /// The addresses that fit what was typed, best first; of equal ones those that come first.
    static func matching(_ typed: String, in known: [KnownAddress], limit: Int) -> [KnownAddress] {
        let typed = typed.lowercased()
        guard !typed.isEmpty else { return [] }
        var ranked: [[KnownAddress]] = [[], [], []]
        var seen: Set<String> = []
        for entry in known where ranked[0].count < limit {
            guard let rank = entry.rank(typed), ranked[rank].count < limit else { continue }
            if seen.insert(entry.address.lowercased()).inserted { ranked[rank].append(entry) }
        }
        return Array(ranked.joined().prefix(limit))
    }
}
