internal import TerminalUI

/// The bytes that change what a terminal does, beyond what ncurses sends.
///
/// What is switched on is switched off by the same value, also after a crash.
struct TerminalModes: Sendable, Hashable {
    var hasMouse: Bool
    var hasTitle: Bool
    let asksBackground: Bool
    let asksGraphics: Bool

    /// The modes for a terminal by its `TERM`; one that may not know a mode is not told of it.
    init(_ options: TerminalOptions, term: String) {
        let isRich = TerminalModes.isRich(term)
        hasMouse = options.hasMouse
        hasTitle = options.hasTitle && isRich
        asksBackground = options.asksBackground && isRich && options.theme != .mono
        asksGraphics = options.asksGraphics && isRich
    }

    /// Whether a terminal is of those that know titles and answer questions, or ignore both.
    private static func isRich(_ term: String) -> Bool {
        let families = [
            "xterm", "tmux", "screen", "rxvt", "alacritty", "foot", "kitty", "vte", "gnome", "konsole", "st-",
            "wezterm",
            "ghostty", "contour", "mintty", "iterm",
        ]
        return families.contains { term.hasPrefix($0) } || term == "st"
    }

    /// Bracketed paste, focus reports, the mouse and the title put away.
    ///
    /// Text from right to left is ours to put in order (ECMA-48, BDSM: explicit).
    var on: String {
        "\u{1B}[?2004h\u{1B}[?1004h\u{1B}[8l" + (hasMouse ? TerminalModes.mouseOn : "")
            + (hasTitle ? "\u{1B}[22;2t" : "")
    }

    /// The mouse is switched off also when it is not on now, since a key may have changed that.
    var off: String {
        "\u{1B}[?2004l\u{1B}[?1004l\u{1B}[8h" + TerminalModes.mouseOff + (hasTitle ? "\u{1B}[23;2t" : "")
    }

    /// The questions for the background and for pictures, for terminals that answer them.
    var question: String {
        (asksBackground ? "\u{1B}]11;?\u{1B}\\" : "") + (asksGraphics ? KittyGraphics.question : "")
    }

    /// What a crash sends: modes off, plain letters, visible cursor, the normal screen.
    var leave: [UInt8] { Array((off + "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l\r").utf8) }

    /// Presses and the wheel (1000), told in numbers (1006).
    static let mouseOn = "\u{1B}[?1000h\u{1B}[?1006h"
    static let mouseOff = "\u{1B}[?1006l\u{1B}[?1000l"

    /// The sequence that names the window; what could end it early or steer the terminal is left out.
    static func title(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(200)
        where scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value) {
            shown.append(scalar)
        }
        return "\u{1B}]2;" + String(shown) + "\u{1B}\\"
    }
}
