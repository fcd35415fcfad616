internal import MailApp
internal import MailFilter
internal import MailUI

/// The parts of the manual pages, in mdoc.
enum Manual {
    static var synopsis: [String] {
        var lines: [String] = []
        for form in CommandTable.all {
            lines.append(".Nm")
            if let name = name(form) { lines.append(name) }
            for option in form.options {
                var line = ".Op " + flag(option.names.first ?? "")
                if let value = option.value { line += " Ar " + word(value) }
                if option.isRepeatable { line += " Ar ..." }
                lines.append(line)
            }
        }
        return lines
    }

    static var options: [String] {
        var lines = [".Bl -tag -width Ds"]
        for form in CommandTable.all {
            lines.append(".It " + (name(form).map { String($0.dropFirst()) } ?? "Nm"))
            lines += sentences(form.summary)
            for paragraph in form.details { lines += sentences(paragraph) }
            guard !form.options.isEmpty else { continue }
            lines += [".Pp", ".Bl -tag -width Ds -compact"]
            for option in form.options {
                var line = ".It " + option.names.map(flag).joined(separator: " , ")
                if let value = option.value { line += " Ar " + word(value) }
                lines.append(line)
                lines += sentences(option.help)
            }
            lines.append(".El")
        }
        return lines + [".El"]
    }

    static var exitStatus: [String] {
        var lines = [".Bl -tag -width Ds -compact"]
        for code in ExitCode.allCases { lines += [".It \(code.rawValue)"] + sentences(code.meaning) }
        return lines + [".It 128+n"] + sentences("Ended by signal n.") + [".El"]
    }

    static var keys: [String] {
        var lines: [String] = []
        for context in ActionContext.allCases {
            lines += [".Sh " + context.title.uppercased(), ".Bl -tag -width Ds -compact"]
            for action in ActionTable.all where action.contexts.contains(context) {
                let keys = (action.keys.isEmpty ? [":" + action.usage] : action.keys).map { "\\&" + escaped($0) }
                lines.append(".It " + keys.joined(separator: " \\& "))
                lines += sentences(action.help)
            }
            lines.append(".El")
        }
        return lines
    }

    /// Every command with its sentence and the words that find it.
    static var keyCommands: [String] {
        var lines = [".Bl -tag -width Ds -compact"]
        for id in ActionTable.ids {
            guard let action = ActionTable.entries(of: id).first else { continue }
            lines.append(".It Ic " + word(action.usage))
            lines += sentences(action.help)
            if !action.synonyms.isEmpty { lines += sentences("Also: \(action.synonyms.joined(separator: ", ")).") }
        }
        return lines + [".El"]
    }

    /// What each profile changes, group by group.
    static var profiles: [String] {
        var lines: [String] = []
        for profile in KeyProfile.allCases {
            lines += [".Ss " + profile.rawValue] + sentences(profile.summary)
            for group in KeyChange.groups {
                let changes = profile.changes.filter { $0.group == group && $0.command != KeyChange.none }
                guard !changes.isEmpty else { continue }
                lines += [".Pp", ".Ic keys." + group + " :", ".Bl -tag -width Ds -compact"]
                for change in changes { lines += [".It \\&" + escaped(change.keys), ".Ic " + word(change.command)] }
                lines.append(".El")
            }
        }
        return lines
    }

    static var fields: [String] {
        var lines = [".Bl -tag -width Ds"]
        for field in FilterField.allCases {
            lines.append(".It Li " + word(field.rawValue + ":"))
            lines += sentences(field.meaning) + sentences("Takes \(field.expectation).")
            lines += ["Example:", ".Li " + word(field.example)]
        }
        return lines + [".El"]
    }

    static var settings: [String] {
        var lines = [".Bl -tag -width Ds"]
        for option in SettingTable.all {
            lines.append(".It Ic " + word(option.id.rawValue))
            lines += sentences(option.help)
            lines += sentences("Takes \(option.form.description); \(option.standard.source) unless set.")
        }
        return lines + [".El"]
    }

    /// The macro line of a form's name and operands; `nil` for the program without a command.
    private static func name(_ form: CommandForm) -> String? {
        if form.name.isEmpty { return nil }
        var line = form.name.hasPrefix("-") ? "." + flag(form.name) : ".Cm " + form.name
        switch form.operands {
        case "": break
        case let text where text.hasPrefix("["):
            let inner = String(text.dropFirst().dropLast())
            line += " Oo " + operand(inner) + " Oc"
        case let text: line += " " + operand(text)
        }
        return line
    }

    private static func operand(_ text: String) -> String {
        if text.contains("|") { return "Cm " + text.split(separator: "|").joined(separator: " | ") }
        return (text.first?.isUppercase == true ? "Ar " : "Cm ") + word(text)
    }

    private static func flag(_ name: String) -> String { "Fl " + word(String(name.dropFirst())) }

    /// Text on lines of its own, one sentence a line, as mdoc wants it.
    private static func sentences(_ text: String) -> [String] {
        escaped(text).replacing(". ", with: ".\n").split(separator: "\n").map { line in
            line.first == "." || line.first == "'" ? "\\&" + line : String(line)
        }
    }

    /// A word that no macro takes for punctuation.
    private static func word(_ text: String) -> String {
        text.split(separator: " ").map { piece in
            let text = escaped(String(piece))
            return text.first?.isLetter == true || text.first == "-" ? text : "\\&" + text
        }.joined(separator: " ")
    }

    /// Text without what the formatter would take for a command or, in an old locale, for several letters.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\e").replacing("“", with: "\\(lq").replacing("”", with: "\\(rq")
    }
}
