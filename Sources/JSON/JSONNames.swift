/// The names of an object's members, for reading objects of one kind again and again.
package struct JSONNames: Sendable {
    private let texts: [String]
    /// Every name with its closing quote.
    private let quoted: [[UInt8]]

    /// Names in the order in which they are most often written.
    package init(_ names: [String]) {
        texts = names
        quoted = names.map { Array($0.utf8) + [0x22] }
    }

    /// The place of a name; `nil` for another one.
    package func place(of name: String) -> Int? { texts.firstIndex(of: name) }

    /// The name that is written in `bytes` from `start` on, without escapes, and where its closing quote ends.
    func match(_ bytes: [UInt8], at start: Int, expected: Int) -> (place: Int, end: Int)? {
        for turn in 0..<quoted.count {
            var place = expected + turn
            if place >= quoted.count { place -= quoted.count }
            guard place < quoted.count else { continue }
            let end = start + quoted[place].count
            if end <= bytes.count, JSONNames.isEqual(bytes, start, quoted[place]) { return (place, end) }
        }
        return nil
    }

    private static func isEqual(_ bytes: [UInt8], _ start: Int, _ name: [UInt8]) -> Bool {
        for place in 0..<name.count where bytes[start + place] != name[place] { return false }
        return true
    }
}
