internal import DisplayText
internal import MailUI
internal import Platform
internal import TerminalDriver
internal import TerminalUI

/// Settings and command lines that come and go while the program runs.
extension TerminalProgram {
    /// Reads the settings file again; one that cannot be used changes nothing.
    func reloadSettings() {
        let backend = backend
        effect {
            do {
                let settings = try await backend.readSettings()
                Log.shared.note(.info, "settings read again")
                await self.use(settings)
                await self.applyAndPaint(.notice("The settings file was read again."))
            } catch {
                Log.shared.note(.error, "settings refused")
                let reason = Failures.failure(error).message
                await self.applyAndPaint(.notice("The settings stay as they were. \(reason)"))
            }
        }
    }

    /// Changes one setting as `name=value` says, or tells why not.
    func changeSetting(_ text: String) {
        var settings = account.settings
        do {
            try settings.change(text)
            use(settings)
            apply(.notice("\(TextDisplay.sanitizedLine(text)) is in force until Herald ends."))
        } catch {
            apply(.notice(TextDisplay.sanitizedLine(SettingsFile.sentence(error, nil))))
            if account.settings.ringsForMistakes { terminal.ring() }
        }
    }

    /// Puts other settings in force.
    func use(_ settings: Settings) {
        let old = account.settings
        if runs.isEmpty { current.account.settings = settings }
        for run in runs { run.account.settings = settings }
        if old.logLevel != settings.logLevel { Log.shared.open(account.places.logPath, level: settings.logLevel) }
        useTerminalSettings(insteadOf: old)
        useLayout(insteadOf: old)
        if old[.readerImages] != settings[.readerImages] {
            chooseGraphics { $0.wish = settings.graphics }
            if old.showsPictures != settings.showsPictures { state.setPictures(shown: settings.showsPictures) }
        }
        // Where the person saved last stays, unless the setting is another now.
        if old.saveDirectory != settings.saveDirectory { state.saveDirectory = saveDirectory }
        tellSettings()
        tellAccounts()
        for run in runs {
            let backend = run.backend
            effect { await backend.use(settings) }
        }
    }

    /// Where files go unless another place is typed.
    var saveDirectory: String {
        account.settings.saveDirectory ?? SavePath.standardDirectory(isSelfContained: account.places.isSelfContained)
    }

    /// Puts what changed of the terminal's settings in force; what a key changed meanwhile stays.
    private func useTerminalSettings(insteadOf old: Settings) {
        let isPlain = state.presentation.isLinear
        let before = old.terminalOptions(isPlain: isPlain)
        var options = account.settings.terminalOptions(isPlain: isPlain)
        if before == options { return }
        if options.theme == .neutral, let background { options.theme = background }
        if before.hasMouse == options.hasMouse { options.hasMouse = state.presentation.hasMouse }
        state.presentation.hasMouse = options.hasMouse
        terminal.use(options)
    }

    /// Lays the screen out as the settings say now, where they say something else than before.
    private func useLayout(insteadOf old: Settings) {
        let isPlain = state.presentation.isLinear
        let (before, now) = (old.presentation(isPlain: isPlain), account.settings.presentation(isPlain: isPlain))
        if before == now { return }
        if before.preferredForm != now.preferredForm { state.setPreferredForm(now.preferredForm) }
        state.presentation.hasHints = now.hasHints
        if before.hasSidebar != now.hasSidebar { state.presentation.hasSidebar = now.hasSidebar }
        apply(.resized(terminal.size))
    }

    /// Tells the state which keys and settings are in force.
    func tellSettings() {
        state.savedSearches = account.settings.searches.map(\.search)
        apply(.configured(account.settings.keyMap, account.settings.choices))
        apply(.triageConfigured(account.settings.triage))
        apply(.writing(.configured(account.settings.writing)))
    }

    /// Fetches the command lines of earlier runs.
    func loadHistory() {
        let backend = backend
        effect { await self.apply(.historyLoaded(await backend.loadHistory())) }
    }

    /// Keeps a command line for later runs.
    func remember(_ line: String) {
        let backend = backend
        effect { await backend.remember(line) }
    }
}

extension Settings {
    /// The settings as the command line offers them.
    var choices: [SettingChoice] {
        SettingTable.all.map { option in
            let value: String
            switch self[option.id] {
            case .text(let text): value = text
            case .number(let number): value = String(number)
            case .words(let words): value = words.joined(separator: " ")
            }
            let values: [String]
            switch option.form {
            case .choice(let words): values = words
            case .seconds: values = ["never"]
            case .number, .directory, .command, .text, .file: values = []
            }
            return SettingChoice(name: option.id.rawValue, value: value, values: values, help: option.help)
        }
    }

    /// Changes one setting as `name=value` or `name value` says.
    ///
    /// - Throws: when there is no such setting, or it does not take the value.
    mutating func change(_ text: String) throws(SettingsFault) {
        let parts = text.split(maxSplits: 1) { $0 == "=" || $0.isWhitespace }
        let name = parts.first.map(String.init) ?? ""
        let word =
            String((parts.count > 1 ? parts[1] : "").drop { $0 == "=" || $0.isWhitespace || $0 == "\"" })
            .split(separator: "\"").first.map(String.init) ?? ""
        guard let id = SettingID(rawValue: name) else { throw SettingsReader.unknown(name, nil) }
        let option = SettingTable.option(id)
        let value: SettingValue
        switch option.form {
        case .choice, .directory, .command, .text, .file: value = .text(word)
        case .number, .seconds: value = Int(word).map { .number($0) } ?? .text(word)
        }
        guard option.accepts(value) else {
            throw SettingsFault(
                line: nil, name: name,
                reason: word.isEmpty
                    ? "takes \(option.form.description)" : "is not “\(word)”; it takes \(option.form.description)")
        }
        set(id, to: value, line: 0)
        try finishKeys()
    }
}
