/// How a character behaves where a line may end: the classes of UAX 14 that matter for mail.
enum BreakClass: UInt8 {
    case alphabetic, numeric, ideographic, space
    case opening, closing, closingParenthesis, exclamation, nonStarter
    case quotation, hyphen, breakAfter, dash, infix, symbol
    case prefix, postfix, inseparable, glue, zeroWidthSpace, mark
    /// Scripts without blanks between words, such as Thai: only a dictionary could tell where words end.
    case unspaced

    /// The class of a character; `width` is its cells.
    static func of(_ scalar: Unicode.Scalar, width: Int) -> BreakClass {
        if scalar.value < 0x80 { return ascii[Int(scalar.value)] }
        if let known = beyondASCII(scalar.value) { return known }
        if width == 0 { return .mark }
        return width == 2 || isHalfWidthKana(scalar.value) ? .ideographic : .alphabetic
    }

    private static let ascii: [BreakClass] = (0..<0x80).map { value in
        switch UInt8(value) {
        case 0x20, 0x09: .space
        case 0x30...0x39: .numeric
        case 0x28, 0x5B, 0x7B: .opening
        case 0x29, 0x5D: .closingParenthesis
        case 0x7D: .closing
        case 0x21, 0x3F: .exclamation
        case 0x22, 0x27: .quotation
        case 0x2C, 0x2E, 0x3A, 0x3B: .infix
        case 0x2D: .hyphen
        case 0x2F: .symbol
        case 0x24, 0x2B, 0x5C: .prefix
        case 0x25: .postfix
        case 0x7C: .breakAfter
        default: .alphabetic
        }
    }

    private static func beyondASCII(_ value: UInt32) -> BreakClass? {
        switch value {
        case 0xA0, 0x202F, 0x2007, 0x2011: .glue
        case 0x200B: .zeroWidthSpace
        case 0x2060, 0xFEFF: .glue
        case 0xAB, 0x2039: .quotation
        case 0xBB, 0x203A: .quotation
        case 0xA1, 0xBF, 0x2018, 0x201A, 0x201C, 0x201E: .opening
        case 0x2019, 0x201D: .closingParenthesis
        case 0x2010, 0x2012, 0x2013: .breakAfter
        case 0x2014, 0x2015: .dash
        case 0x2024...0x2026, 0x22EF: .inseparable
        case 0xA3...0xA5, 0xB1, 0x20A0...0x20CF, 0x2116, 0x2212, 0xFF04, 0xFFE1, 0xFFE5, 0xFFE6: .prefix
        case 0xA2, 0xB0, 0x2030...0x2037, 0x2103, 0x2109, 0xFF05, 0xFFE0: .postfix
        case 0x3001, 0x3002, 0xFF0C, 0xFF0E, 0xFF61, 0xFF64: .closing
        case 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0x3018, 0x301A, 0x301D: .opening
        case 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0x3019, 0x301B, 0x301E, 0x301F: .closing
        case 0xFF08, 0xFF3B, 0xFF5B, 0xFF5F, 0xFF62, 0x2329: .opening
        case 0xFF09, 0xFF3D, 0xFF5D, 0xFF60, 0xFF63, 0x232A: .closing
        case 0xFF01, 0xFF1F: .exclamation
        default: isNonStarter(value) ? .nonStarter : isUnspaced(value) ? .unspaced : nil
        }
    }

    /// What may not begin a line: small kana, marks of repetition and length, middle dots, wide colons.
    private static func isNonStarter(_ value: UInt32) -> Bool {
        switch value {
        case 0x3005, 0x301C, 0x303B, 0x303C, 0x309B...0x309E, 0x30A0, 0x30FB...0x30FE, 0xFF1A, 0xFF1B, 0xFF65, 0xFF70,
            0xFF9E, 0xFF9F, 0x203C, 0x2047...0x2049:
            true
        case 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308E, 0x3095, 0x3096: true
        case 0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7, 0x30EE, 0x30F5, 0x30F6: true
        case 0x31F0...0x31FF, 0xFF67...0xFF6F: true
        default: false
        }
    }

    private static func isUnspaced(_ value: UInt32) -> Bool {
        switch value {
        case 0x0E01...0x0E3A, 0x0E40...0x0E4E, 0x0E81...0x0EDF, 0x1000...0x109F, 0x1780...0x17D3: true
        default: false
        }
    }

    private static func isHalfWidthKana(_ value: UInt32) -> Bool { (0xFF66...0xFF9D).contains(value) }
}

/// Where a line may end.
enum LineBreak: UInt8, Comparable {
    case never
    /// Only in a word that is longer than a line.
    case inLongWords
    case allowed

    static func < (left: LineBreak, right: LineBreak) -> Bool { left.rawValue < right.rawValue }

    /// What UAX 14 says of the place between two characters, `spaced` when blanks are between them.
    ///
    /// A hyphen ends a line only between letters, since `-x` and `1-2` are one thing to a reader; after a slash
    /// or a dot only a long word, such as an address, is divided.
    static func between(_ before: BreakClass, _ after: BreakClass, spaced: Bool) -> LineBreak {
        switch after {
        case .space, .mark, .zeroWidthSpace: return .never
        case .closing, .closingParenthesis, .exclamation: return .never
        case .nonStarter where before == .closing || before == .closingParenthesis: return .never
        default: break
        }
        if before == .opening { return .never }
        if spaced || before == .zeroWidthSpace { return .allowed }
        return unspaced(before, after)
    }

    private static func unspaced(_ before: BreakClass, _ after: BreakClass) -> LineBreak {
        switch (before, after) {
        case (.glue, _), (_, .glue): .inLongWords
        case (_, .nonStarter), (_, .hyphen), (_, .breakAfter), (_, .inseparable), (_, .quotation), (_, .infix): .never
        case (_, .symbol): .never
        case (.quotation, _): .never
        case (.symbol, .numeric): .never
        case (.symbol, _), (.infix, .alphabetic), (.exclamation, .alphabetic): .inLongWords
        case (.hyphen, .numeric): .never
        case (.hyphen, _), (.breakAfter, _), (.dash, _): .allowed
        case (_, .dash): .never
        case (.unspaced, .unspaced): .inLongWords
        case (.prefix, .ideographic), (.ideographic, .postfix): .never
        case (.ideographic, _), (_, .ideographic), (.closing, _): .allowed
        case (.nonStarter, _): .allowed
        default: .never
        }
    }
}
