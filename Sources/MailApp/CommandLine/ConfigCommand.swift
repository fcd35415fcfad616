internal import DisplayText
internal import JSON
internal import MailUI

/// `herald config`: the settings in force and where each comes from.
struct ConfigCommand {
    let json: Bool
    let settings: Settings
    let path: String

    func run() {
        if json { return Output.write(jsonBytes) }
        // Settings in the file's own form, so that the output can become one.
        let lines =
            SettingTable.all.map { option in
                (
                    "\(option.id.rawValue) = \(ConfigCommand.source(settings[option.id]))",
                    settings.entries[option.id].map { "line \($0.line)" } ?? "standard"
                )
            }
            + settings.keyChanges.map { change in
                let keys = ConfigCommand.quoted(change.keys)
                return ("keys.\(change.group).\(keys) = \(ConfigCommand.quoted(change.command))", "line \(change.line)")
            }
            + settings.searches.map { entry in
                let name = ConfigCommand.quoted(entry.search.name)
                let above = entry.search.account.map { "accounts.\(ConfigCommand.quoted($0))." } ?? ""
                return ("\(above)searches.\(name) = \(ConfigCommand.quoted(entry.search.filter))", "line \(entry.line)")
            }
            + settings.mailboxes.map { mailbox in
                let name = ConfigCommand.quoted(mailbox.address)
                let value = ConfigCommand.source(mailbox.value)
                return ("mailboxes.\(name).\(mailbox.name.rawValue) = \(value)", "line \(mailbox.line)")
            }
        let all = lines + accountLines
        let columns = all.map { TextDisplay.width(of: $0.0) }.max() ?? 0
        for (line, source) in all { Output.line("\(TextDisplay.padded(line, columns: columns))  # \(source)") }
    }

    private var accountLines: [(String, String)] {
        settings.accounts.sorted { $0.key < $1.key }.flatMap { label, account in
            AccountSettings.Name.allCases.compactMap { name in
                account.entries[name].map {
                    let place = "accounts.\(ConfigCommand.quoted(label)).\(name.rawValue)"
                    return ("\(place) = \(ConfigCommand.quoted($0.value))", "line \($0.line)")
                }
            }
        }
    }

    private static func source(_ value: SettingValue) -> String {
        switch value {
        case .text(let text): quoted(text)
        case .number: value.source
        case .words(let words): "[" + words.map(quoted).joined(separator: ", ") + "]"
        }
    }

    /// A text as TOML writes it; what no terminal may get is written by its number.
    private static func quoted(_ text: String) -> String {
        let letters = text.unicodeScalars.map { scalar in
            if scalar == "\"" || scalar == "\\" { return "\\\(scalar)" }
            if TextDisplay.sanitizedLine(String(scalar)) == String(scalar) { return String(scalar) }
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "\\U" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        }
        return "\"" + letters.joined() + "\""
    }

    private var jsonBytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.member("path", path)
            writer.name("items")
            writer.array { writer in
                for option in SettingTable.all {
                    let entry = settings.entries[option.id]
                    writer.object { writer in
                        writer.member("name", option.id.rawValue)
                        writer.name("value")
                        value(settings[option.id], &writer)
                        writer.name("standard")
                        value(option.standard, &writer)
                        writer.member("source", entry == nil ? "standard" : "file")
                        writer.name("line")
                        if let entry { writer.value(entry.line) } else { writer.null() }
                    }
                }
            }
            writer.name("searches")
            writer.array { writer in
                for entry in settings.searches {
                    writer.object { writer in
                        writer.member("name", entry.search.name)
                        writer.member("filter", entry.search.filter)
                        writer.member("account", entry.search.account)
                        writer.member("line", entry.line)
                    }
                }
            }
            writer.name("accounts")
            writer.array { writer in
                for (label, account) in settings.accounts.sorted(by: { $0.key < $1.key }) {
                    writer.object { writer in
                        writer.member("account", label)
                        for name in AccountSettings.Name.allCases {
                            writer.member(name.rawValue, account.entries[name]?.value)
                        }
                    }
                }
            }
            writer.name("mailboxes")
            writer.array { writer in
                for mailbox in settings.mailboxes {
                    writer.object { writer in
                        writer.member("address", mailbox.address)
                        writer.member("name", mailbox.name.rawValue)
                        writer.name("value")
                        value(mailbox.value, &writer)
                        writer.member("line", mailbox.line)
                    }
                }
            }
            writer.name("keys")
            writer.array { writer in
                for change in settings.keyChanges {
                    writer.object { writer in
                        writer.member("group", change.group)
                        writer.member("keys", change.keys)
                        writer.member("command", change.command)
                        writer.member("line", change.line)
                    }
                }
            }
        }
        return writer.bytes + [0x0A]
    }

    private func value(_ value: SettingValue, _ writer: inout JSONWriter) {
        switch value {
        case .text(let text): writer.value(text)
        case .number(let number): writer.value(number)
        case .words(let words): writer.array { writer in for word in words { writer.value(word) } }
        }
    }
}
