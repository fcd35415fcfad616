/// A colour of the terminal's own palette.
///
/// Views use the first sixteen, so the person's theme decides what they look like; pictures use all 256.
package struct Color: RawRepresentable, Sendable, Hashable {
    /// The number in the palette.
    package let rawValue: UInt8

    /// The colour with a number in the palette; there is one for each.
    package init?(rawValue: UInt8) {
        self.init(rawValue)
    }

    /// The colour with a number in the palette.
    package init(_ number: UInt8) {
        rawValue = number
    }

    package static let black = Color(0)
    package static let red = Color(1)
    package static let green = Color(2)
    package static let yellow = Color(3)
    package static let blue = Color(4)
    package static let magenta = Color(5)
    package static let cyan = Color(6)
    package static let white = Color(7)
    package static let brightBlack = Color(8)
    package static let brightRed = Color(9)
    package static let brightGreen = Color(10)
    package static let brightYellow = Color(11)
    package static let brightBlue = Color(12)
    package static let brightMagenta = Color(13)
    package static let brightCyan = Color(14)
    package static let brightWhite = Color(15)
}

/// How a cell looks: colours and attributes.
///
/// `nil` colours are the terminal's defaults.
package struct Style: Sendable, Hashable {
    package var foreground: Color?
    package var background: Color?
    package var bold: Bool
    package var dim: Bool
    package var italic: Bool
    package var underline: Bool
    package var reverse: Bool

    package init(
        foreground: Color? = nil, background: Color? = nil, bold: Bool = false, dim: Bool = false,
        italic: Bool = false, underline: Bool = false, reverse: Bool = false
    ) {
        self.foreground = foreground
        self.background = background
        self.bold = bold
        self.dim = dim
        self.italic = italic
        self.underline = underline
        self.reverse = reverse
    }

    /// The terminal's default look.
    package static let plain = Style()
}
