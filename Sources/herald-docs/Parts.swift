internal import MailApp
internal import MailUI

/// The made parts by name.
enum Parts {
    /// The lines of a part; `nil` for a name no page may use.
    static func lines(_ name: String, _ form: PageForm) -> [String]? {
        switch (name, form) {
        case ("synopsis", .manual): Manual.synopsis
        case ("options", .manual): Manual.options
        case ("exit status", .manual): Manual.exitStatus
        case ("keys", .manual): Manual.keys
        case ("key commands", .manual): Manual.keyCommands
        case ("profiles", .manual): Manual.profiles
        case ("settings", .manual): Manual.settings
        case ("fields", .manual): Manual.fields
        case ("bash", .shell): BashCompletion.lines
        case ("zsh", .shell): ZshCompletion.lines
        case ("fish", .shell): FishCompletion.lines
        case ("commands", .markdown): Markdown.commands
        case ("keys", .markdown): Markdown.keys
        case ("settings", .markdown): Markdown.settings
        case ("failures", .markdown): OutboxPage.failures
        case ("events", .markdown): OutboxPage.events
        case ("sends", .markdown): SendPage.failures
        default: nil
        }
    }
}

/// The parts of the README.
enum Markdown {
    static var commands: [String] {
        var lines = ["| Command | What it does |", "|---|---|"]
        for form in CommandTable.all {
            let words = ["herald", form.name, form.operands].filter { !$0.isEmpty }
            lines.append(row([code(words.joined(separator: " ")), form.summary]))
        }
        return lines
    }

    static var keys: [String] {
        var lines = ["| Keys | Command | Where | What it does |", "|---|---|---|---|"]
        for action in ActionTable.all {
            let places = ActionContext.allCases.filter(action.contexts.contains).map(\.rawValue)
            lines.append(
                row([
                    action.keys.map(code).joined(separator: " "), code(action.usage),
                    places.count == ActionContext.allCases.count ? "everywhere" : places.joined(separator: ", "),
                    action.help,
                ]))
        }
        return lines
    }

    static var settings: [String] {
        var lines = ["| Setting | Takes | Standard | What it does |", "|---|---|---|---|"]
        for option in SettingTable.all {
            lines.append(
                row([code(option.id.rawValue), option.form.description, code(option.standard.source), option.help]))
        }
        return lines
    }

    private static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

    /// A table ends a cell at any bar, also within code.
    private static func code(_ text: String) -> String {
        "`" + text.replacing("|", with: "\\|") + "`"
    }
}
