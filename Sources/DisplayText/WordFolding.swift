internal import CUtf8proc

/// Text as searches compare it: without case, accents and compatibility forms.
enum WordFolding {
    /// What a scalar is to a search.
    enum Kind {
        case letter
        /// A letter of a script without blanks between words, or a symbol: each is looked for by itself.
        case single
        case separator
    }

    /// The folded scalars of a text.
    static func scalars(_ text: some StringProtocol) -> [Unicode.Scalar] {
        var scalars: [Unicode.Scalar] = []
        each(text) { scalars.append($0) }
        return scalars
    }

    /// Calls `body` with each folded scalar of a text.
    static func each(_ text: some StringProtocol, _ body: (Unicode.Scalar) -> Void) {
        let bytes = Array(text.utf8)
        if bytes.allSatisfy({ $0 < 0x80 }) {
            for byte in bytes { body(Unicode.Scalar((0x41...0x5A).contains(byte) ? byte + 0x20 : byte)) }
            return
        }
        var result: UnsafeMutablePointer<UInt8>?
        let options =
            UTF8PROC_COMPOSE.rawValue | UTF8PROC_COMPAT.rawValue | UTF8PROC_CASEFOLD.rawValue
            | UTF8PROC_STRIPMARK.rawValue | UTF8PROC_IGNORE.rawValue
        let count = bytes.withUnsafeBufferPointer {
            utf8proc_map($0.baseAddress, $0.count, &result, utf8proc_option_t(rawValue: options))
        }
        guard count >= 0, let result else { return }
        defer { free(result) }
        let folded = String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
        for scalar in folded.unicodeScalars {
            if let plain = plainForms[scalar.value] {
                for letter in plain.unicodeScalars { body(letter) }
            } else {
                body(scalar)
            }
        }
    }

    /// Letters that Unicode takes for ones of their own, and what people type in their place.
    private static let plainForms: [UInt32: String] = [
        0xE6: "ae", 0xF0: "d", 0xF8: "o", 0xFE: "th", 0x111: "d", 0x127: "h", 0x131: "i", 0x138: "k", 0x142: "l",
        0x14B: "n", 0x153: "oe", 0x167: "t", 0x1C0: "",
    ]

    static func kind(_ scalar: Unicode.Scalar) -> Kind {
        if scalar.value < 0x80 {
            switch scalar.value {
            case 0x30...0x39, 0x61...0x7A, 0x41...0x5A: return .letter
            default: return .separator
            }
        }
        switch utf8proc_category(Int32(bitPattern: scalar.value)) {
        case UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LL, UTF8PROC_CATEGORY_LT, UTF8PROC_CATEGORY_LM,
            UTF8PROC_CATEGORY_LO, UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NL, UTF8PROC_CATEGORY_NO:
            return isUnspaced(scalar) ? .single : .letter
        case UTF8PROC_CATEGORY_SO: return .single
        default: return .separator
        }
    }

    /// Whether the scalar's script puts no blanks between words, or puts them where a search cannot rely on them.
    private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x3007, 0x3040...0x30FF, 0x31F0...0x31FF,
            0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
