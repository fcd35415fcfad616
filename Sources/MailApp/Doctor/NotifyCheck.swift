internal import Glibc
internal import Platform

/// How new mail would be told of, from here.
enum NotifyCheck {
    /// What is found with the settings in force, whether this process has a terminal or not.
    static func finding(_ settings: Settings, isSelfContained: Bool) -> Finding {
        let topic = "new mail"
        let around = NotifyMeans.Surroundings(
            hasTerminal: isatty(0) == 1 && isatty(1) == 1, isSelfContained: isSelfContained)
        switch NotifyMeans.chosen(settings, around) {
        case .command(let words) where !around.isProgram(words.first ?? ""):
            return .bad(topic, "notify_command names a program that is not there", "Change or remove the setting.")
        case .command: return .good(topic, "told of by the program of notify_command")
        case .terminal: return .good(topic, "told of by the terminal")
        case .desktop: return .good(topic, "told of by notify-send")
        case nil: return .good(topic, "told of by nothing but the bell, if at all")
        }
    }
}
