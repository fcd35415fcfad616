/// The completion of bash.
enum BashCompletion {
    static var lines: [String] {
        var lines = [
            "_herald() {", "    local form= words= word line",
            "    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}", "    COMPREPLY=()",
            "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do", "        case $word in",
            "        \(Completion.commands.map(\.name).joined(separator: " | ")))", "            form=$word",
            "            break", "            ;;", "        esac", "    done", "    case $form:$before in",
        ]
        for (answer, places) in valuePlaces { lines += branch(places.joined(separator: " | "), answer) }
        lines += ["    esac", "    case $form in"]
        for form in Completion.all { lines += branch(quoted(form.name), offer(form)) }
        return lines + [
            "    esac", "    line=\" ${COMP_WORDS[*]:1:COMP_CWORD-1} \"",
            "    for word in $(compgen -W \"$words\" -- \"$current\"); do",
            "        case $line in",
            "        *\" $word \"*) ;;",
            "        *) COMPREPLY+=(\"$word\") ;;",
            "        esac", "    done", "} && complete -F _herald herald",
        ]
    }

    /// What is done where the value of an option stands, each with all its places.
    private static var valuePlaces: [(answer: [String], places: [String])] {
        var all: [(answer: [String], places: [String])] = []
        for form in Completion.all {
            for option in form.options {
                guard let value = option.value else { continue }
                let lines = answer(value, then: ["return"])
                let places = option.names.map { "\(quoted(form.name)):\($0)" }
                if let known = all.firstIndex(where: { $0.answer == lines }) {
                    all[known].places += places
                } else {
                    all.append((lines, places))
                }
            }
        }
        return all
    }

    private static func branch(_ places: String, _ lines: [String]) -> [String] {
        ["    \(places))"] + lines.map { "        " + $0 } + ["        ;;"]
    }

    /// What is offered where an option or an operand may begin.
    private static func offer(_ form: Completion) -> [String] {
        var words = form.options.flatMap(\.names)
        var lines: [String] = []
        if form.name.isEmpty { words += Completion.commands.map(\.name) }
        switch form.operand?.value {
        case .words(let some)?: words = some + words
        case .file?, .directory?: lines = answer(form.operand?.value ?? .file, then: [])
        case .free?, nil: break
        }
        return lines + ["words='\(words.joined(separator: " "))'"]
    }

    /// Has the shell offer a value.
    private static func answer(_ value: Completion.Value, then rest: [String]) -> [String] {
        switch value {
        case .words(let words): ["COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$current\"))"] + rest
        case .file: ["compopt -o default"] + rest
        case .directory: ["compopt -o dirnames"] + rest
        case .free: rest
        }
    }

    private static func quoted(_ name: String) -> String { name.isEmpty ? "''" : name }
}
