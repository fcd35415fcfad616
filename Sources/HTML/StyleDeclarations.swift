/// The declarations of a `style` attribute, one at a time: names and values in small letters.
///
/// What cannot be read is passed over. At most `declarationsMax` are read.
package struct StyleDeclarations: Sequence, IteratorProtocol {
    private static let declarationsMax = 100

    private let bytes: [UInt8]
    private var position = 0
    private var count = 0

    package init(_ style: String) {
        bytes = style.utf8.map { Byte.lower($0) }
    }

    /// The next declaration; `!important` is left out of the value.
    package mutating func next() -> (name: String, value: String)? {
        while position < bytes.count, count < StyleDeclarations.declarationsMax {
            count += 1
            let start = position
            var colon: Int?
            var depth = 0
            while position < bytes.count, bytes[position] != 0x3B || depth > 0 {
                switch bytes[position] {
                case 0x3A where colon == nil: colon = position
                case 0x28: depth += 1
                case 0x29: depth = Swift.max(0, depth - 1)
                default: break
                }
                position += 1
            }
            let end = position
            position += 1
            guard let colon else { continue }
            let name = trimmed(start..<colon)
            let value = trimmed((colon + 1)..<withoutImportance(colon + 1, end))
            if !name.isEmpty, !value.isEmpty { return (text(name), text(value)) }
        }
        return nil
    }

    private func withoutImportance(_ start: Int, _ end: Int) -> Int {
        bytes[start..<end].lastIndex(of: Byte.exclamation) ?? end
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, Byte.isSpace(bytes[start]) { start += 1 }
        while end > start, Byte.isSpace(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}
