/// What makes a terminal show a notification on its desktop.
package enum NotificationSequence {
    /// Which of the two commands that terminals have.
    package enum Form: Sendable, Hashable {
        /// One text, as iTerm2 has it.
        case osc9
        /// A title and a text, as rxvt-unicode has it.
        case osc777

        /// The one that the terminal of these variables of the environment is known to have; `nil` for none.
        ///
        /// Inside tmux and screen there is none: neither passes it on. Other terminals may print what they do not know.
        package static func known(_ variable: (String) -> String?) -> Form? {
            let (term, program) = (variable("TERM") ?? "", variable("TERM_PROGRAM") ?? "")
            if variable("TMUX") != nil || variable("STY") != nil { return nil }
            if term.hasPrefix("tmux") || term.hasPrefix("screen") { return nil }
            if isOf(term, ["foot", "rxvt-unicode", "xterm-ghostty", "wezterm", "contour"]) { return .osc777 }
            if ["WezTerm", "ghostty"].contains(program) { return .osc777 }
            if isOf(term, ["xterm-kitty"]) || variable("KITTY_WINDOW_ID") != nil { return .osc9 }
            return program == "iTerm.app" || variable("LC_TERMINAL") == "iTerm2" ? .osc9 : nil
        }

        private static func isOf(_ term: String, _ families: [String]) -> Bool {
            families.contains { term == $0 || term.hasPrefix($0 + "-") }
        }
    }

    /// The longest title or text; more is cut.
    private static let scalarsMax = 200

    /// The sequence for a title and a text, which are one text for `osc9`.
    ///
    /// What could end it early is left out; a semicolon would begin another part and becomes a comma. The title must
    /// begin with a letter: other terminals take digits for commands of their own.
    static func sequence(_ title: String, _ text: String, by form: Form) -> String {
        switch form {
        case .osc9: "\u{1B}]9;\(plain(title)): \(plain(text))\u{1B}\\"
        case .osc777: "\u{1B}]777;notify;\(plain(title));\(plain(text))\u{1B}\\"
        }
    }

    private static func plain(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(scalarsMax)
        where scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value) {
            shown.append(scalar == ";" ? "," : scalar)
        }
        return String(shown)
    }
}
