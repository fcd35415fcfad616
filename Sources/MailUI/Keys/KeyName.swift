internal import TerminalUI

/// The text key tables use for a key: `j`, `C-n`, `A-x`, `S-Tab`, `PgDn`, `F5`.
enum KeyName {
    /// The name of a key press; `nil` for what is no key.
    static func of(_ event: InputEvent) -> String? {
        guard case .key(let key, let modifiers) = event else { return nil }
        let base = name(of: key)
        var prefix = ""
        if modifiers.contains(.control) { prefix += "C-" }
        if modifiers.contains(.alt) { prefix += "A-" }
        if case .character = key {
            let isLetter = base.count == 1 && modifiers.contains(.control)
            return prefix + (isLetter ? base.lowercased() : base)
        }
        return modifiers.contains(.shift) ? prefix + "S-" + base : prefix + base
    }

    /// The one name of the key that a word of the settings means; `nil` when it names no single key.
    ///
    /// Terminals send the same for `C-i` and Tab, so both have one name.
    static func canonical(_ word: String) -> String? {
        var rest = word[...]
        var isControl = false, isAlt = false, isShift = false
        while rest.count > 2, rest.dropFirst().first == "-", let letter = rest.first {
            switch letter {
            case "C" where !isControl: isControl = true
            case "A" where !isAlt, "M" where !isAlt: isAlt = true
            case "S" where !isShift: isShift = true
            default: return nil
            }
            rest = rest.dropFirst(2)
        }
        guard let key = named(String(rest)), !(isShift && key.count == 1) else { return nil }
        if isControl, !isShift, let same = controlNames[key.lowercased()] {
            return same.hasPrefix("C-") && isAlt ? "C-A-" + same.dropFirst(2) : (isAlt ? "A-" : "") + same
        }
        let base = isControl && key.count == 1 ? key.lowercased() : key
        return (isControl ? "C-" : "") + (isAlt ? "A-" : "") + (isShift ? "S-" : "") + base
    }

    /// The names of all keys that are not letters, as tables write them.
    static let words =
        [
            "Space", "Enter", "Tab", "Backspace", "Esc", "Del", "Ins", "Up", "Down", "Left", "Right", "Home", "End",
            "PgUp", "PgDn",
        ] + (1...24).map { "F\($0)" }

    /// What a terminal sends for a control key that has a key of its own.
    private static let controlNames = [
        "i": "Tab", "m": "Enter", "j": "Enter", "[": "Esc", "h": "Backspace", "?": "Backspace", "@": "C-Space",
        "/": "C-_",
    ]

    private static let otherWords = [
        "return": "Enter", "ret": "Enter", "escape": "Esc", "delete": "Del", "insert": "Ins", "pageup": "PgUp",
        "pagedown": "PgDn", "spc": "Space", "bs": "Backspace",
    ]

    private static let byLowercase = Dictionary(
        words.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first }
    ).merging(otherWords) { first, _ in first }

    private static func named(_ word: String) -> String? {
        guard word.count == 1, let character = word.first else { return byLowercase[word.lowercased()] }
        return character.isWhitespace || word.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
            ? nil : word
    }

    private static func name(of key: InputEvent.Key) -> String {
        switch key {
        case .character(let character): character == " " ? "Space" : String(character)
        case .enter: "Enter"
        case .tab: "Tab"
        case .backspace: "Backspace"
        case .escape: "Esc"
        case .delete: "Del"
        case .insert: "Ins"
        case .up: "Up"
        case .down: "Down"
        case .left: "Left"
        case .right: "Right"
        case .home: "Home"
        case .end: "End"
        case .pageUp: "PgUp"
        case .pageDown: "PgDn"
        case .function(let number): "F\(number)"
        }
    }
}
