internal import CFribidi

/// Text that runs from right to left.
///
/// Everything in Herald keeps text in the order it is read. Only what is drawn on a terminal that does not put it
/// in order by itself passes `visual`.
extension TextDisplay {
    /// A character as it is drawn, and which one it was.
    package struct VisualScalar: Sendable, Hashable {
        package var scalar: Unicode.Scalar
        /// The index in the text as it is read.
        package var index: Int
    }

    /// Longer lines stay as they are.
    private static let longestLine = 4_096

    /// Whether any character runs from right to left.
    package static func hasRightToLeft(_ text: some StringProtocol) -> Bool {
        // U+0590 is the first of them; in UTF-8 it begins with 0xD6.
        guard text.utf8.contains(where: { $0 >= 0xD6 }) else { return false }
        return text.unicodeScalars.contains(where: isRightToLeft)
    }

    /// Whether a paragraph runs from right to left: its first letter tells.
    package static func isRightToLeft(_ text: some StringProtocol) -> Bool {
        guard hasRightToLeft(text) else { return false }
        let characters = text.unicodeScalars.prefix(longestLine).map(\.value)
        var types = [FriBidiCharType](repeating: FriBidiCharType(rawValue: 0), count: characters.count)
        return fribidi_first_direction(characters, &types, FriBidiStrIndex(characters.count)) == 1
    }

    /// A line in the order in which it is drawn from left to right (UAX 9), Arabic letters joined.
    ///
    /// `nil` when nothing in it runs from right to left, so that it is drawn as it is.
    package static func visual(_ line: [Unicode.Scalar], isRightToLeft: Bool) -> [VisualScalar]? {
        guard !line.isEmpty, line.count <= longestLine, line.contains(where: TextDisplay.isRightToLeft) else {
            return nil
        }
        let count = line.count
        var text = line.map(\.value)
        var types = [FriBidiCharType](repeating: FriBidiCharType(rawValue: 0), count: count)
        var brackets = [FriBidiBracketType](repeating: 0, count: count)
        var levels = [FriBidiLevel](repeating: 0, count: count)
        var joining = [FriBidiArabicProp](repeating: 0, count: count)
        var places = (0..<count).map { FriBidiStrIndex($0) }
        let isDone = fribidi_visual_line(
            &text, &types, &brackets, &levels, &joining, &places, FriBidiStrIndex(count), isRightToLeft ? 1 : 0)
        guard isDone != 0 else { return nil }
        return zip(text, places).compactMap { value, place in
            // The library leaves a filler where two letters became one.
            guard value != 0xFEFF, let scalar = Unicode.Scalar(value) else { return nil }
            return VisualScalar(scalar: scalar, index: Int(place))
        }
    }

    /// A field of a screen in the order in which it is drawn; blanks at its ends stay where they are.
    package static func visualField(_ text: String) -> String {
        guard hasRightToLeft(text) else { return text }
        let all = Array(text.unicodeScalars)
        let start = all.firstIndex { $0 != " " } ?? 0
        let end = (all.lastIndex { $0 != " " } ?? -1) + 1
        let line = Array(all[start..<end])
        guard let order = visual(line, isRightToLeft: isRightToLeft(text)) else { return text }
        return String(String.UnicodeScalarView(all[..<start] + order.map(\.scalar) + all[end...]))
    }

    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
