internal import CSystem
internal import Glibc
internal import HTTPTransport
internal import MailStorage
internal import Platform

/// What does not depend on settings and accounts.
enum MachineChecks {
    static func all() -> [Finding] { [versions(), terminal(), locale()] }

    private static func versions() -> Finding {
        let curl = CurlClient.libraryVersion
        let text = "herald \(HelpText.version), SQLite \(DatabaseCheck.libraryVersion)"
        guard !curl.isEmpty else {
            return .bad("versions", text + ", no libcurl", "Install libcurl4; without it no server can be asked.")
        }
        return .good("versions", "\(text), libcurl \(curl), Linux \(kernel)")
    }

    private static var kernel: String {
        var system = utsname()
        guard uname(&system) == 0 else { return "unknown" }
        return withUnsafeBytes(of: system.release) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    private static func terminal() -> Finding {
        let term = Environment.value("TERM") ?? ""
        guard isatty(0) == 1, isatty(1) == 1 else {
            return .good("terminal", "none here, as in a pipe or from cron; only “herald” alone needs one")
        }
        guard !term.isEmpty, term != "dumb" else {
            return .bad("terminal", "TERM says nothing of use", "Set TERM to what the terminal is.")
        }
        guard isKnown(term) else {
            return .bad("terminal", "TERM names one that is not known here", "Install ncurses-term, or change TERM.")
        }
        var size = winsize()
        _ = ioctl(1, UInt(TIOCGWINSZ), &size)
        let shown = size.ws_col > 0 ? "\(size.ws_col) columns and \(size.ws_row) lines" : "of a size it does not tell"
        return .good("terminal", "\(term.prefix(40)), \(shown)")
    }

    /// Whether there is a description of a terminal, where ncurses looks for one.
    private static func isKnown(_ term: String) -> Bool {
        guard let first = term.utf8.first, !term.contains("/") else { return false }
        let own = [Environment.value("TERMINFO"), Environment.value("HOME").map { $0 + "/.terminfo" }]
        let places = own.compactMap(\.self) + ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"]
        let letter = term.prefix(1)
        return places.contains { place in
            Files.exists("\(place)/\(letter)/\(term)") || Files.exists("\(place)/\(String(first, radix: 16))/\(term)")
        }
    }

    private static func locale() -> Finding {
        if herald_is_utf8() != 0 { return .good("locale", "UTF-8") }
        return .fair(
            "locale", "not UTF-8, so letters beyond ASCII may be shown wrongly", "Set LANG to C.UTF-8, for example.")
    }
}
