/// The completion of zsh.
enum ZshCompletion {
    static var lines: [String] {
        var lines = [
            "_herald() {", "    local form word", "    integer place=2", "    local -a commands",
            "    for word in \"${(@)words[2,CURRENT-1]}\"; do", "        case $word in",
            "            (\(Completion.commands.map(\.name).joined(separator: "|")))", "                form=$word",
            "                break", "                ;;", "        esac", "        (( place++ ))", "    done",
            "    if [[ -n $form ]]; then", "        words[place]=()", "        (( CURRENT-- ))", "    fi",
            "    case $form in",
        ]
        for form in Completion.all {
            lines.append("        (\(form.name.isEmpty ? "''" : form.name))")
            if form.name.isEmpty { lines += words }
            let specifications = operand(form) + (form.name.isEmpty ? flags : []) + form.options.flatMap(specifications)
            if !specifications.isEmpty {
                lines.append("            _arguments -S \\")
                lines.append(specifications.map { "                " + $0 }.joined(separator: " \\\n"))
            }
            lines.append("            ;;")
        }
        return lines.flatMap { $0.split(separator: "\n").map(String.init) } + [
            "    esac", "}", "if [[ $funcstack[1] == _herald ]]; then _herald \"$@\"; else compdef _herald herald; fi",
        ]
    }

    /// The commands that are words.
    private static var words: [String] {
        let all = Completion.commands.filter { !$0.name.hasPrefix("-") }
        let described = all.map { quoted("\($0.name):\($0.summary.replacing(":", with: "\\:"))") }
        return ["            commands=("] + described.map { "                " + $0 }
            + ["            )", "            _describe command commands"]
    }

    /// The commands that look like options.
    private static var flags: [String] {
        Completion.commands.filter { $0.name.hasPrefix("-") }.map { quoted("\($0.name)[\(bracketed($0.summary))]") }
    }

    private static func bracketed(_ help: String) -> String {
        help.replacing("]", with: "\\]").replacing(":", with: "\\:")
    }

    private static func operand(_ form: Completion) -> [String] {
        guard let operand = form.operand else { return [] }
        // A word of the command's own is said by itself.
        return [
            quoted("1:\(operand.title.first?.isLowercase == true ? form.name : operand.title):\(action(operand.value))")
        ]
    }

    /// The specifications of an option, one for each of its names.
    private static func specifications(_ option: Completion.Option) -> [String] {
        let value = option.value.map { value in
            if case .free(let title) = value { return ":\(title): " }
            return ":value:\(action(value))"
        }
        let others = option.names.count > 1 ? "(\(option.names.joined(separator: " ")))" : ""
        return option.names.map { name in
            quoted("\(option.isRepeatable ? "*" : others)\(name)[\(bracketed(option.help))]\(value ?? "")")
        }
    }

    private static func action(_ value: Completion.Value) -> String {
        switch value {
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .file: "_files"
        case .directory: "_files -/"
        case .free: " "
        }
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
