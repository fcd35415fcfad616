/// Text as the server measures and trims it.
package enum WebText {
    /// A text without white space at its ends, as ECMAScript's `trim` takes it off.
    package static func trimmed(_ text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        guard let first = scalars.firstIndex(where: { !isBlank($0) }),
            let last = scalars.lastIndex(where: { !isBlank($0) })
        else { return "" }
        var out = String.UnicodeScalarView()
        out.append(contentsOf: scalars[first...last])
        return String(out)
    }

    /// The length that the server's limits count, in units of UTF-16.
    package static func length(_ text: String) -> Int { text.utf16.count }

    /// A text with line feeds only.
    package static func plainLines(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        var follows = false
        for scalar in text.unicodeScalars {
            if scalar == "\r" {
                out.append("\n")
            } else if scalar != "\n" || !follows {
                out.append(scalar)
            }
            follows = scalar == "\r"
        }
        return String(out)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: true
        default: false
        }
    }
}
