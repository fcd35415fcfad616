/// Makes names of files out of what senders wrote.
///
/// The result names a file in the directory it is put into and no other, shows as what it is, and can be written on
/// any file system: no part of a path, no control or direction-changing character, no leading dot or dash, no name
/// that a system reserves, and not too long. The ending stays, since programs go by it.
package enum SafeFileName {
    /// The most bytes of a name; file systems take 255, and a number or a temporary ending must still fit.
    package static let bytesMax = 200
    private static let endingBytesMax = 24

    /// A safe name as near to `name` as can be; `fallback` where nothing of it can be kept.
    package static func of(_ name: String, fallback: String = "attachment") -> String {
        let kept = trimmed(clean(name))
        guard kept.contains(where: { $0.isLetter || $0.isNumber }) else { return fallback }
        let whole = isReserved(kept) ? "_" + kept : kept
        return shortened(whole, bytesMax: bytesMax)
    }

    /// The same name with a number: `report (2).pdf`; the first is the name itself.
    package static func numbered(_ name: String, _ number: Int) -> String {
        guard number > 1 else { return name }
        let (stem, ending) = split(name)
        let mark = " (\(number))"
        return shortened(stem, bytesMax: bytesMax - ending.utf8.count - mark.utf8.count) + mark + ending
    }

    /// The name of letters, numbers and a few marks that mean nothing to a shell, for commands others wrote.
    package static func forCommand(_ name: String) -> String {
        let safe = of(name).unicodeScalars.reduce(into: "") { text, scalar in
            let isKept =
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "._+-".unicodeScalars.contains(scalar)
            text.unicodeScalars.append(isKept ? scalar : "_")
        }
        return shortened(safe, bytesMax: bytesMax)
    }

    /// The name before its ending, and the ending with its dot; the ending is empty where there is none.
    package static func split(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return (name, "") }
        let ending = name[dot...]
        let isEnding =
            ending.count > 1 && ending.utf8.count <= endingBytesMax && ending.dropFirst().allSatisfy(isPlain)
        return isEnding ? (String(name[..<dot]), String(ending)) : (name, "")
    }

    private static func isPlain(_ character: Character) -> Bool { character.isLetter || character.isNumber }

    /// Replaces what separates parts of paths or is refused by a file system, and leaves out what does not show.
    private static func clean(_ name: String) -> String {
        var text = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                if scalar == "\t" || scalar == "\n" || scalar == "\r" { text.append(" ") }
            case .spaceSeparator: text.append(" ")
            default: text.append("/\\:*?\"<>|".unicodeScalars.contains(scalar) ? "_" : scalar)
            }
        }
        return String(text).split(separator: " ").joined(separator: " ")
    }

    /// Without dots and blanks at either end, which hide a file or vanish on some systems; a dash would be an option.
    private static func trimmed(_ name: String) -> String {
        var rest = name[...]
        while let first = rest.first, first == "." || first == " " { rest = rest.dropFirst() }
        while let last = rest.last, last == "." || last == " " { rest = rest.dropLast() }
        return rest.first == "-" || rest.first == "~" ? "_" + rest.dropFirst() : String(rest)
    }

    private static func isReserved(_ name: String) -> Bool {
        let stem = name.prefix { $0 != "." }.uppercased()
        if ["CON", "PRN", "AUX", "NUL"].contains(stem) { return true }
        return stem.count == 4 && (stem.hasPrefix("COM") || stem.hasPrefix("LPT")) && stem.last?.isNumber == true
    }

    /// The name cut before its ending to at most so many bytes, between letters where they are not endless.
    private static func shortened(_ name: String, bytesMax: Int) -> String {
        guard name.utf8.count > bytesMax else { return name }
        let (stem, ending) = split(name)
        let room = max(1, bytesMax - ending.utf8.count)
        var cut = ""
        for character in stem {
            guard cut.utf8.count + character.utf8.count <= room else { break }
            cut.append(character)
        }
        // One letter may carry more marks than there is room for.
        if cut.isEmpty, let first = stem.unicodeScalars.first { cut.unicodeScalars.append(first) }
        while let last = cut.last, last == " " || last == ".", cut.count > 1 { cut.removeLast() }
        return cut + ending
    }
}
