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
        var options = TerminalOptions(
            theme: theme, asksBackground: chosenTheme == nil,
            asksGraphics: !isPlain && graphics == .auto && KittyGraphics.mayBeAsked(Environment.value),
            hasMouse: !isPlain && hasMouse,
            hasTitle: self[.terminalTitle] == .text("on"))
        options.isASCII = isASCII
        return options
    }

    /// Whether the screen is drawn in ASCII alone.
    var isASCII: Bool {
        switch self[.terminalAscii] {
        case .text("on"): true
        case .text("off"): false
        default: Settings.namesOtherCharset(Environment.value)
        }
    }

    /// Whether the locale of these variables of the environment is there and has another charset than UTF-8.
    ///
    /// Where none is set nobody has said anything, and terminals take UTF-8 today.
    static func namesOtherCharset(_ variable: (String) -> String?) -> Bool {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable)
        guard let locale = names.first(where: { !$0.isEmpty })?.lowercased() else { return false }
        return !locale.contains("utf-8") && !locale.contains("utf8")
    }

    /// How the screen is laid out.
    func presentation(isPlain: Bool) -> Presentation {
        var presentation = Presentation(isLinear: isPlain, hasMouse: !isPlain && hasMouse)
        presentation.hasHints = self[.terminalHints] == .text("on")
        presentation.hasSidebar = self[.terminalSidebar] == .text("on")
        presentation.preferredForm = preferredForm
        return presentation
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
