/// The completion of fish.
enum FishCompletion {
    static var lines: [String] {
        var lines = [
            "function __herald_in", "    set -l form", "    for word in (commandline -opc)[2..-1]",
            "        if contains -- $word \(Completion.commands.map(\.name).joined(separator: " "))",
            "            set form $word", "            break", "        end", "    end",
            "    test \"$form\" = \"$argv[1]\"", "end", "complete -c herald -f",
        ]
        for command in Completion.commands {
            lines.append(
                "complete -c herald -n '__herald_in \"\"' -a \(quoted(command.name)) -d \(quoted(command.summary))")
        }
        for form in Completion.all {
            let condition = "complete -c herald -n \(quoted("__herald_in \"\(form.name)\""))"
            if let value = form.operand.map({ values($0.value, isOption: false) }), !value.isEmpty {
                lines.append(condition + value)
            }
            for option in form.options {
                let names = option.names.map { $0.hasPrefix("--") ? " -l \($0.dropFirst(2))" : " -s \($0.dropFirst())" }
                let value = option.value.map { values($0, isOption: true) } ?? ""
                lines.append(condition + names.joined() + value + " -d " + quoted(option.help))
            }
        }
        return lines
    }

    private static func values(_ value: Completion.Value, isOption: Bool) -> String {
        switch value {
        case .words(let words): (isOption ? " -x" : "") + " -a " + quoted(words.joined(separator: " "))
        case .file: isOption ? " -r -F" : " -F"
        case .directory: (isOption ? " -x" : "") + " -a '(__fish_complete_directories)'"
        case .free: isOption ? " -x" : ""
        }
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }
}
