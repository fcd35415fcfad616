internal import CUtf8proc

/// Text for terminals that show nothing but ASCII.
extension TextDisplay {
    /// Every sign that the screen is drawn with, and what stands for it; also signs that mail is full of.
    package static let asciiSigns: [Unicode.Scalar: Unicode.Scalar] = [
        // Marks of conversations, mailboxes and messages.
        "●": "N", "★": "*", "▸": "+", "▾": "-", "›": ">", "⚠": "!", "↳": ">", "✓": "x",
        // Bars, rules and the corners of tables.
        "│": "|", "─": "-", "┼": "+", "├": "+", "┤": "+", "┬": "+", "┴": "+", "┌": "+", "┐": "+", "└": "+", "┘": "+",
        "═": "=", "║": "|", "━": "-", "┃": "|",
        // Lists, and what was cut off.
        "•": "*", "◦": "o", "▪": "-", "·": "-", "…": "~", "⁃": "-",
        // Dashes, quotation marks, arrows and letters that have no simpler form.
        "–": "-", "—": "-", "―": "-", "‐": "-", "‑": "-", "‒": "-", "−": "-", "‘": "'", "’": "'", "‚": ",", "‛": "'",
        "“": "\"", "”": "\"", "„": "\"", "«": "<", "»": ">", "‹": "<", "→": ">", "←": "<", "↑": "^", "↓": "v",
        "×": "x", "÷": "/", "ß": "s", "ø": "o", "Ø": "O", "æ": "a", "Æ": "A", "œ": "o", "Œ": "O", "ł": "l", "Ł": "L",
        "đ": "d", "Đ": "D", "ð": "d", "þ": "t", "ı": "i", "€": "E", "¥": "Y", "£": "L", "©": "c", "®": "r",
    ]

    /// A text in ASCII alone that takes as many cells: letters without their marks, and `?` for what has no likeness.
    package static func ascii(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let width = width(of: scalar)
            guard width > 0 else {
                if scalar.value < 0x80 { result.append(scalar) }
                continue
            }
            result.append(likeness(of: scalar))
            if width == 2 { result.append(" ") }
        }
        return String(result)
    }

    private static func likeness(of scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.value < 0x80 { return scalar }
        if let sign = asciiSigns[scalar] { return sign }
        // The blocks that pictures are drawn with.
        if (0x2580...0x259F).contains(scalar.value) { return "#" }
        var parts = [Int32](repeating: 0, count: 32)
        let options = utf8proc_option_t(UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue)
        var boundary: Int32 = 0
        let count = utf8proc_decompose_char(
            Int32(bitPattern: scalar.value), &parts, parts.count, options, &boundary)
        guard count > 0, (0x20..<0x7F).contains(parts[0]) else { return "?" }
        return Unicode.Scalar(UInt8(parts[0]))
    }
}
