internal import MailApp
internal import MailModel

/// What a shell may offer after `herald`, as the command table has it.
struct Completion {
    /// What can stand in a place.
    enum Value: Hashable {
        case words([String])
        case file, directory
        /// Something only the person knows, by the word that stands for it.
        case free(String)
    }

    /// One option, by one name or several.
    struct Option {
        let names: [String]
        /// What follows it; `nil` when nothing does.
        let value: Value?
        /// What it does, without a full stop.
        let help: String
        let isRepeatable: Bool
    }

    /// The word that begins it; empty for the program without a command.
    let name: String
    let summary: String
    /// The word that stands for the operand, and what it can be; `nil` when there is none.
    let operand: (title: String, value: Value)?
    let options: [Option]

    static let all = CommandTable.all.map(Completion.init)
    /// Every word that begins a command, with what it does.
    static let commands = all.filter { !$0.name.isEmpty }

    private init(_ form: CommandForm) {
        name = form.name
        summary = Completion.sentence(form.summary)
        let operand = Completion.first(of: form.operands)
        self.operand = operand.isEmpty ? nil : (operand, Completion.value(operand))
        options = form.options.flatMap(Completion.options)
    }

    /// The first operand, or the words that it can be; what follows some of them is left to the person.
    private static func first(of operands: String) -> String {
        operands.filter { !"[].".contains($0) }.split(separator: "|").compactMap {
            $0.split(separator: " ").first.map(String.init)
        }.joined(separator: "|")
    }

    /// An option and those that its value names in turn.
    private static func options(_ option: CommandForm.Option) -> [Option] {
        var all = [(names: option.names, value: Value?.none)]
        for word in option.value?.split(separator: " ").map(String.init) ?? [] {
            if word.hasPrefix("-") { all.append(([word], nil)) } else { all[all.count - 1].value = value(word) }
        }
        return all.map { one in
            Option(
                names: one.names, value: one.value, help: sentence(option.help), isRepeatable: option.isRepeatable)
        }
    }

    private static func value(_ title: String) -> Value {
        switch title {
        case "FILE", "PATH": return .file
        case "DIR": return .directory
        case "FOLDER": return .words(Folder.allCases.map(\.rawValue))
        case "COMMAND": return .words(CommandTable.all.map(\.name).filter { !$0.isEmpty })
        default:
            let words = title.split(separator: "|").map(String.init)
            return words.contains { $0.contains(where: \.isUppercase) } ? .free(title) : .words(words)
        }
    }

    /// The first sentence, without its full stop.
    private static func sentence(_ text: String) -> String {
        let first = text.firstRange(of: ". ").map { text[..<$0.lowerBound] } ?? text[...]
        return String(first.hasSuffix(".") ? first.dropLast() : first)
    }
}
