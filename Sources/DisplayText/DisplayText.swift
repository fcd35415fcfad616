internal import CUtf8proc

/// Display width and sanitising of text that goes to a terminal.
///
/// Every string from the network passes `sanitizedLine` or `sanitizedText` before it reaches a screen.
package enum TextDisplay {
    /// The number of terminal cells `text` takes, each scalar measured by utf8proc.
    ///
    /// Control characters count 0.
    package static func width(of text: some StringProtocol) -> Int {
        var total = 0
        for scalar in text.unicodeScalars { total += width(of: scalar) }
        return total
    }

    /// The number of cells of one scalar, 0 to 2.
    package static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x7F { return scalar.value < 0x20 ? 0 : 1 }
        return max(0, Int(utf8proc_charwidth(Int32(bitPattern: scalar.value))))
    }
}
