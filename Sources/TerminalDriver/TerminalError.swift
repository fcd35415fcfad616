/// Why a terminal cannot be used.
package enum TerminalError: Error, Hashable, Sendable {
    /// Standard input or output is not a terminal.
    case notATerminal
    /// `TERM` is not set.
    case termNotSet
    /// `TERM` names a terminal the terminfo database does not know.
    case unknownTerminal(String)
    /// The terminal cannot move its cursor.
    case noCursorAddressing(String)
    /// No UTF-8 locale exists.
    case noUTF8Locale

    /// What to tell the person.
    package var message: String {
        switch self {
        case .notATerminal: "Standard input and output must be a terminal."
        case .termNotSet: "TERM is not set, so the kind of terminal is unknown."
        case .unknownTerminal(let name): "The terminal “\(name)” is not known here. Set TERM to one that is."
        case .noCursorAddressing(let name): "The terminal “\(name)” cannot move its cursor."
        case .noUTF8Locale: "No UTF-8 locale was found."
        }
    }
}
