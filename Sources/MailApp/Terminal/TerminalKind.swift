internal import Platform

/// What is known of the terminal that no answer of it tells.
enum TerminalKind {
    /// Whether the terminal puts text that runs from right to left in order by itself, and cannot be told not to.
    ///
    /// Terminals that follow ECMA-48 leave that to the program while it asks them to (see `TerminalDriver`).
    static var ordersText: Bool {
        Environment.value("KONSOLE_VERSION") != nil || Environment.value("TERM_PROGRAM") == "Apple_Terminal"
            || Environment.value("TERM")?.hasPrefix("mlterm") == true
    }
}
