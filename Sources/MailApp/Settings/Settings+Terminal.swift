internal import MailUI
internal import Platform
internal import TerminalDriver
internal import TerminalUI

/// What the settings say of the terminal.
extension Settings {
    /// What the terminal is asked for; a screen that is read out or by touch has neither colour nor mouse.
    func terminalOptions(isPlain: Bool) -> TerminalOptions {
        let isWithoutColor = isPlain || Environment.value("NO_COLOR") != nil || isWithoutColor
        let theme: Theme = isWithoutColor ? .mono : chosenTheme ?? .neutral
        return TerminalOptions(
            theme: theme, asksBackground: chosenTheme == nil, hasMouse: !isPlain && hasMouse,
            hasTitle: self[.terminalTitle] == .text("on"))
    }

    /// How the screen is laid out.
    func presentation(isPlain: Bool) -> Presentation {
        Presentation(isLinear: isPlain, hasMouse: !isPlain && hasMouse)
    }

    /// Whether a key that does nothing rings the bell.
    var ringsForMistakes: Bool { rings("mistakes") }

    /// Whether new mail rings the bell.
    var ringsForMail: Bool { rings("mail") }

    private func rings(_ word: String) -> Bool {
        self[.terminalBell] == .text(word) || self[.terminalBell] == .text("always")
    }

    private var hasMouse: Bool { self[.terminalMouse] == .text("on") }

    /// The theme of the settings, else of the environment; `nil` when the terminal has to be asked.
    private var chosenTheme: Theme? {
        switch self[.terminalTheme] {
        case .text("dark"): .dark
        case .text("light"): .light
        default: Environment.value("COLORFGBG").flatMap(Theme.of)
        }
    }
}
