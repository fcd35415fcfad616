internal import TerminalUI

/// The text key tables use for a key: `j`, `C-n`, `S-Tab`, `PgDn`, `F5`.
enum KeyName {
    /// The name of a key press; `nil` for what is no key.
    static func of(_ event: InputEvent) -> String? {
        guard case .key(let key, let modifiers) = event else { return nil }
        let base = name(of: key)
        var prefix = ""
        if modifiers.contains(.control) { prefix += "C-" }
        if modifiers.contains(.alt) { prefix += "A-" }
        if case .character = key {
            return prefix + (modifiers.contains(.control) ? base.lowercased() : base)
        }
        return modifiers.contains(.shift) ? prefix + "S-" + base : prefix + base
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
