/// The alphabets of names, and letters of one that pass for those of another.
enum Alphabet: Hashable {
    case latin, greek, cyrillic, armenian, eastAsian, other

    /// The alphabet of a letter; `nil` for digits, hyphens and marks, which belong to all.
    static func of(_ scalar: Unicode.Scalar) -> Alphabet? {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F, 0x250...0x2AF, 0x1D00...0x1D7F, 0x1E00...0x1EFF, 0x2C60...0x2C7F,
            0xA720...0xA7FF, 0xAB30...0xAB6F:
            return .latin
        case 0x370...0x3FF, 0x1F00...0x1FFF: return .greek
        case 0x400...0x52F, 0x1C80...0x1C8F, 0x2DE0...0x2DFF, 0xA640...0xA69F: return .cyrillic
        case 0x530...0x58F: return .armenian
        case 0x1100...0x11FF, 0x3005, 0x3040...0x30FF, 0x3100...0x312F, 0x3400...0x9FFF, 0xAC00...0xD7AF,
            0x20000...0x3FFFF:
            return .eastAsian
        default: return scalar.value < 0x80 || !scalar.properties.isAlphabetic ? nil : .other
        }
    }

    /// Whether the name with these labels may pass for another one.
    static func isLookalike(_ labels: [String]) -> Bool {
        // Under a top level in its own alphabet a name is what it seems.
        let isForeign = labels.last.map { $0.utf8.allSatisfy { $0 < 0x80 } } ?? true
        return labels.contains { label in
            !label.utf8.allSatisfy { $0 < 0x80 } && isLookalike(label, isForeign: isForeign)
        }
    }

    private static func isLookalike(_ label: String, isForeign: Bool) -> Bool {
        let scalars = label.unicodeScalars
        if scalars.contains(where: { foolsAnywhere($0) }) { return true }
        let alphabets = Set(scalars.compactMap(of))
        if alphabets.count > 1 { return !alphabets.isSubset(of: [.latin, .eastAsian]) }
        guard isForeign, let only = alphabets.first, let twins = twins(only) else { return false }
        return scalars.allSatisfy { of($0) == nil || twins.contains($0) }
    }

    /// Letters and signs that no name needs and that look like plain ones.
    private static func foolsAnywhere(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x131, 0x237, 0x1C0...0x1C3, 0x250...0x2AF, 0x2B0...0x2FF, 0x1D00...0x1D7F, 0x2000...0x2BFF,
            0x29F8, 0x3014...0x3020, 0xA789, 0xA78C:
            true
        default: false
        }
    }

    /// The letters of an alphabet that look like Latin ones.
    private static func twins(_ alphabet: Alphabet) -> Set<Unicode.Scalar>? {
        switch alphabet {
        case .cyrillic: cyrillicTwins
        case .greek: greekTwins
        case .armenian: armenianTwins
        case .latin, .eastAsian, .other: nil
        }
    }

    private static let cyrillicTwins = Set("асԁеһіјӏорԛѕԝхуѵҽԍгпкмтнвьёї".unicodeScalars)
    private static let greekTwins = Set("αινορτυωχκηγ".unicodeScalars)
    private static let armenianTwins = Set("ոսցօզգհնյքւ".unicodeScalars)
}
