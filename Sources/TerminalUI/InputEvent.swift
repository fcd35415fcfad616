/// One thing the person or the terminal did.
package enum InputEvent: Sendable, Hashable {
    case key(Key, Modifiers)
    /// Text pasted between bracketed-paste marks, unchanged.
    case paste(String)
    case mouse(MouseEvent)
    /// What the terminal says of its background, asked for at the start.
    case background(isDark: Bool)
    /// Whether the terminal draws pictures itself, asked for at the start.
    case graphics(isKnown: Bool)
    case focusGained
    case focusLost

    /// A key without its modifiers.
    package enum Key: Sendable, Hashable {
        /// A printable character, already shifted by the terminal.
        case character(Character)
        case enter, tab, backspace, escape, delete, insert
        case up, down, left, right, home, end, pageUp, pageDown
        /// A function key, 1 to 24.
        case function(Int)
    }

    /// The modifiers held with a key.
    package struct Modifiers: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let control = Modifiers(rawValue: 1)
        package static let alt = Modifiers(rawValue: 2)
        package static let shift = Modifiers(rawValue: 4)
    }

    /// A key without modifiers.
    package static func plain(_ key: Key) -> InputEvent {
        .key(key, [])
    }

    /// A printable character without modifiers.
    package static func character(_ character: Character) -> InputEvent {
        .key(.character(character), [])
    }
}
