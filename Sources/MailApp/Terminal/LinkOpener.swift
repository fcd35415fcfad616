internal import Glibc
internal import MailUI
internal import Platform
internal import TerminalDriver

/// Shows addresses in the person's browser or mail program.
enum LinkOpener {
    /// What to do with an address.
    enum Way: Hashable, Sendable {
        /// Start one of these programs, the first that is there; each with its arguments.
        case programs([[String]])
        /// Put it into the clipboard, since the screen a program would use is elsewhere.
        case clipboard
    }

    private static let schemes = ["http://", "https://", "mailto:"]
    private static let candidatesMax = 16

    /// How an address is opened in an environment; `nil` for addresses that are not opened.
    ///
    /// `BROWSER` holds programs with colons between; a `%s` in one stands for the address.
    static func way(_ address: String, _ variable: (String) -> String?) -> Way? {
        guard schemes.contains(where: { address.hasPrefix($0) }),
            address.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        let isMail = address.hasPrefix("mailto:")
        let named = isMail ? [] : (variable("BROWSER") ?? "").split(separator: ":").prefix(candidatesMax)
        let programs = named.compactMap { command(String($0), address) }
        if !programs.isEmpty { return .programs(programs) }
        let isRemote = variable("SSH_CONNECTION") != nil || variable("SSH_TTY") != nil
        if isRemote, variable("DISPLAY") == nil, variable("WAYLAND_DISPLAY") == nil { return .clipboard }
        return .programs([["xdg-open", address]])
    }

    /// The words of a command with the address in them; no shell ever sees either.
    private static func command(_ text: String, _ address: String) -> [String]? {
        var words = text.split(separator: " ").map(String.init)
        guard !words.isEmpty else { return nil }
        if words.dropFirst().contains(where: { $0.contains("%s") }) {
            for index in words.indices.dropFirst() { words[index] = words[index].replacing("%s", with: address) }
        } else {
            words.append(address)
        }
        return words
    }

    /// Starts the first program that is there and waits for its end; answers what to tell, if anything went wrong.
    static func start(_ programs: [[String]]) async -> String? {
        for words in programs {
            do {
                let child = try ChildProcess(words)
                let ending = await child.ended()
                return ending.isSuccess ? nil : "The program that opens links ended with an error."
            } catch  where error.code == ENOENT || error.code == EACCES {
                continue
            } catch {
                return "No program to open links could be started: \(error.message)."
            }
        }
        return "There is no program to open links. Set BROWSER, or copy the link."
    }
}

extension TerminalProgram {
    /// Opens an address in the program for it.
    func openAddress(_ address: String) {
        switch LinkOpener.way(address, Environment.value) {
        case .programs(let programs):
            apply(.notice("Opening the link."))
            // Not an effect that the program is busy with: a browser may stay open for days.
            Task(executorPreference: UILoop.shared) {
                if let failure = await LinkOpener.start(programs) { await self.applyAndPaint(.notice(failure)) }
            }
        case .clipboard: copy(address)
        case nil: apply(.notice("Herald opens web and mail addresses only."))
        }
    }

    /// Puts a text into the terminal's clipboard.
    func copy(_ text: String) {
        let between = ClipboardSequence.Between.found(
            term: Environment.value("TERM") ?? "", hasTmux: Environment.value("TMUX") != nil,
            hasScreen: Environment.value("STY") != nil)
        guard terminal.copy(text, through: between) else { return apply(.notice("This is too long to be copied.")) }
        let hint = between == .tmux ? " (tmux needs “set-clipboard on” or “allow-passthrough on”)" : ""
        apply(.notice("Copied through the terminal\(hint)."))
    }
}
