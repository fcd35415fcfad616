/// Character references of HTML in text that was made from HTML by removing its tags.
enum EntityText {
    private static let names: [Substring: Unicode.Scalar] = [
        "nbsp": " ", "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "zwnj": "\u{200C}",
        "zwj": "\u{200D}", "shy": "\u{AD}", "hellip": "…", "mdash": "—", "ndash": "–", "rsquo": "’", "lsquo": "‘",
        "rdquo": "”", "ldquo": "“", "sbquo": "‚", "bdquo": "„", "laquo": "«", "raquo": "»", "bull": "•",
        "middot": "·", "copy": "©", "reg": "®", "trade": "™", "euro": "€", "pound": "£", "yen": "¥", "deg": "°",
        "times": "×", "rarr": "→", "larr": "←", "ensp": " ", "emsp": " ", "thinsp": " ", "auml": "ä", "ouml": "ö",
        "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß", "eacute": "é", "egrave": "è",
        "ecirc": "ê", "agrave": "à", "aacute": "á", "ccedil": "ç", "oacute": "ó", "iacute": "í", "uacute": "ú",
        "ntilde": "ñ", "oslash": "ø", "aring": "å",
    ]
    /// No name or number is longer.
    private static let longest = 8

    /// The text with the references that are known as the characters they stand for.
    static func decoded(_ text: String) -> String {
        guard text.utf8.contains(0x26) else { return text }
        var result = ""
        var rest = text[...]
        while let mark = rest.firstIndex(of: "&") {
            result += rest[..<mark]
            let behind = rest[rest.index(after: mark)...]
            let name = behind.prefix(longest + 1).prefix { $0 != ";" }
            if name.endIndex < behind.endIndex, behind[name.endIndex] == ";", let scalar = scalar(name) {
                result.unicodeScalars.append(scalar)
                rest = behind[behind.index(after: name.endIndex)...]
            } else {
                result += "&"
                rest = behind
            }
        }
        return result + rest
    }

    private static func scalar(_ name: Substring) -> Unicode.Scalar? {
        guard name.first == "#" else { return names[name] }
        let digits = name.dropFirst()
        let number =
            digits.first == "x" || digits.first == "X" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init)
    }
}
