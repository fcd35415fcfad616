/// A colour of the terminal's own palette.
///
/// Only palette entries are used, so the person's theme decides what they look like.
package enum Color: UInt8, Sendable, Hashable {
    case black, red, green, yellow, blue, magenta, cyan, white
    case brightBlack, brightRed, brightGreen, brightYellow, brightBlue, brightMagenta, brightCyan
    case brightWhite
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
