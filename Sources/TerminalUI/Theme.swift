/// How colours become readable on the person's background.
///
/// Views name colours of the terminal's palette for text on the background it has; a theme replaces those that most
/// palettes make unreadable there. Brown-on-white or blue-on-black never reach the screen, whatever a view asks for.
package enum Theme: Sendable, Hashable, CaseIterable {
    /// Nobody knows the background: only what is readable on both.
    case neutral
    case dark
    case light
    /// No colours; what they say, marks and weight say too.
    case mono

    /// The colour to use for text of a colour; `nil` is the terminal's own text colour.
    package func text(_ color: Color?) -> Color? {
        guard let color, self != .mono else { return nil }
        // Bright ones are greys in palettes such as Solarized, and pale on white in most others.
        let plain = color.plain
        if plain == .black || plain == .white { return nil }
        switch self {
        case .dark: return plain == .blue ? .cyan : plain
        case .light: return plain == .yellow ? .magenta : plain == .green || plain == .cyan ? .blue : plain
        default: return plain == .red || plain == .magenta ? plain : nil
        }
    }

    /// The theme that the variable `COLORFGBG` of some terminals asks for; `nil` when it says nothing.
    package static func of(colorFGBG text: String) -> Theme? {
        guard let last = text.split(separator: ";").last, let number = Int(last), (0...15).contains(number) else {
            return nil
        }
        return number == 7 || number > 8 ? .light : .dark
    }
}

extension Color {
    /// The same without being bright.
    package var plain: Color { Color(rawValue: rawValue & 7) ?? self }
}
