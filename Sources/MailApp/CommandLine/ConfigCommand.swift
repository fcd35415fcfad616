internal import DisplayText
internal import JSON

/// `herald config`: the settings in force and where each comes from.
struct ConfigCommand {
    let json: Bool
    let settings: Settings
    let path: String

    func run() {
        if json { return Output.write(jsonBytes) }
        // Settings in the file's own form, so that the output can become one.
        let lines = SettingTable.all.map { "\($0.id.rawValue) = \(settings[$0.id].source)" }
        let columns = lines.map(\.count).max() ?? 0
        for (line, option) in zip(lines, SettingTable.all) {
            let source = settings.entries[option.id].map { "line \($0.line)" } ?? "standard"
            Output.line("\(TextDisplay.padded(line, columns: columns))  # \(source)")
        }
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
        }
        return writer.bytes + [0x0A]
    }

    private func value(_ value: SettingValue, _ writer: inout JSONWriter) {
        switch value {
        case .text(let text): writer.value(text)
        case .number(let number): writer.value(number)
        }
    }
}
