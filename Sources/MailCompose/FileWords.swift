package import MailModel

/// Words by which people speak of a file that they mean to attach.
package enum FileWords {
    /// Beginnings of words, in small letters without accents.
    private static let stems = [
        // English, German, French, Spanish, Portuguese, Italian
        "attach", "enclos", "anhang", "anhange", "angehangt", "anbei", "beigefugt", "beiliegend", "piece jointe",
        "pieces jointes", "ci-joint", "ci joint", "adjunt", "anexo", "em anexo", "allegat", "in allegato",
        // Dutch, Swedish, Danish, Norwegian, Polish, Czech, Turkish, Finnish
        "bijlage", "bijgevoegd", "bifog", "bilag", "vedlegg", "vedlagt", "zalacz", "w zalaczniku", "priloz",
        "v priloze",
        "ekte", "ekteki", "liitteen",
        // Russian, Ukrainian, Greek, Chinese, Japanese, Korean
        "во вложении", "вложен", "прикреп", "у вкладенні", "συνημμεν", "附件", "添付", "첨부",
    ]

    /// The first such word of what the person wrote; `nil` for none.
    ///
    /// Quotes and the signature are not the person's words of now.
    package static func first(in content: DraftContent) -> String? {
        if let word = first(in: content.subject), isNew(content.origin) { return word }
        for line in WebText.plainLines(content.text).split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "-- " || line == Substring(DraftText.contextMark) { return nil }
            if line.hasPrefix(">") { continue }
            if line == Substring(Quotation.forwardMark) { return nil }
            if let word = first(in: String(line)) { return word }
        }
        return nil
    }

    private static func isNew(_ origin: DraftOrigin) -> Bool { origin == .new }

    private static func first(in line: String) -> String? {
        let folded = line.lowercased().unicodeScalars.map(plain)
        for stem in stems {
            let wanted = Array(stem.unicodeScalars)
            guard folded.count >= wanted.count else { continue }
            for start in 0...(folded.count - wanted.count) where isWordStart(folded, start) || !isLatin(wanted[0]) {
                guard folded[start..<(start + wanted.count)].elementsEqual(wanted) else { continue }
                return word(line, from: start)
            }
        }
        return nil
    }

    private static func isWordStart(_ scalars: [Unicode.Scalar], _ place: Int) -> Bool {
        place == 0 || !scalars[place - 1].properties.isAlphabetic
    }

    private static func isLatin(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x2E80 }

    /// The word of a line that begins at a letter, for people to find it by.
    private static func word(_ line: String, from start: Int) -> String {
        let scalars = Array(line.unicodeScalars)
        guard start < scalars.count else { return "" }
        var out = String.UnicodeScalarView()
        for scalar in scalars[start...].prefix(24) {
            if !scalar.properties.isAlphabetic, scalar != "-" { break }
            out.append(scalar)
        }
        return String(out)
    }

    /// A small letter without its accent, for the letters of the words above.
    private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "à", "á", "â", "ä", "å", "ą": "a"
        case "è", "é", "ê", "ë", "ě", "ę": "e"
        case "ì", "í", "î", "ï": "i"
        case "ò", "ó", "ô", "ö", "ø": "o"
        case "ù", "ú", "û", "ü", "ů": "u"
        case "ç", "č", "ć": "c"
        case "ł": "l"
        case "ň", "ñ": "n"
        case "ř": "r"
        case "š": "s"
        case "ž", "ż", "ź": "z"
        case "έ": "ε"
        default: scalar
        }
    }
}
