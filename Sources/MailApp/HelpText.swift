internal import DisplayText

/// What `--help` and `--version` print.
enum HelpText {
    static let version = "0.1.0"

    private static let columns = 80

    /// The whole program in one screen, or one form with its options.
    static func text(_ name: String?) -> String {
        guard let name, let form = CommandTable.form(name) else { return overview }
        return page(form)
    }

    private static let ending =
        "HERALD_ORIGIN and HERALD_TOKEN name the server and a bearer token. “herald COMMAND --help” lists a "
        + "command's options. More is in herald(1), herald-config(5), herald-filter(7) and herald-keys(7)."

    private static var overview: String {
        var lines: [String] = []
        for (index, form) in CommandTable.all.enumerated() {
            lines += usage(form, label: index == 0 ? "Usage: herald" : "       herald")
        }
        let named = CommandTable.all.filter { !$0.name.isEmpty }
        let plain = CommandTable.all.filter(\.name.isEmpty).flatMap(\.options).map { ($0.usage, $0.help) }
        lines += [""] + list(plain + named.map { ($0.name, $0.summary) })
        lines += [""] + TextDisplay.wrapped(ending, columns: columns)
        return lines.joined(separator: "\n")
    }

    private static func page(_ form: CommandForm) -> String {
        var lines = usage(form, label: "Usage: herald") + [""]
        lines += TextDisplay.wrapped(form.summary, columns: columns)
        for paragraph in form.details { lines += [""] + TextDisplay.wrapped(paragraph, columns: columns) }
        if !form.options.isEmpty {
            lines += [""]
            lines += list(
                form.options.map { option in
                    let names = option.names.joined(separator: ", ")
                    return (option.value.map { "\(names) \($0)" } ?? names, option.help)
                })
        }
        return lines.joined(separator: "\n")
    }

    /// A usage line; what does not fit goes on below, indented.
    private static func usage(_ form: CommandForm, label: String) -> [String] {
        var lines = [label]
        for piece in form.usage {
            if lines[lines.count - 1].count + 1 + piece.count > columns {
                lines.append(String(repeating: " ", count: 14))
            }
            lines[lines.count - 1] += " " + piece
        }
        return lines
    }

    /// Terms with what they mean beside them.
    private static func list(_ items: [(term: String, meaning: String)]) -> [String] {
        let indent = min(24, (items.map(\.term.count).max() ?? 0) + 4)
        return items.flatMap { item in
            let wrapped = TextDisplay.wrapped(item.meaning, columns: columns - indent)
            let term = "  " + item.term
            var lines = wrapped.map { String(repeating: " ", count: indent) + $0 }
            if term.count + 2 > indent || lines.isEmpty { return [term] + lines }
            lines[0] = TextDisplay.padded(term, columns: indent) + (wrapped.first ?? "")
            return lines
        }
    }
}
