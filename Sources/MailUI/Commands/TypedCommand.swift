/// A line typed after `:`, as a call of an action.
enum TypedCommand {
    /// Why a line calls no action, as a sentence.
    struct Refusal: Error, Hashable {
        let sentence: String
    }

    /// What a line calls for in some places; `nil` for an empty line.
    ///
    /// A name may be shortened while only one begins so; a synonym works when it is one word that only one action has.
    static func invocation(_ line: String, in contexts: Set<ActionContext>) throws(Refusal) -> Invocation? {
        let (name, argument) = parts(line)
        guard !name.isEmpty else { return nil }
        if name.allSatisfy(\.isNumber), argument.isEmpty { return Invocation(.first, argument: name) }
        let id = try action(name, in: contexts)
        let entries = ActionTable.entries(of: id)
        guard let entry = entries.first(where: { !$0.contexts.isDisjoint(with: contexts) }) else {
            throw Refusal(sentence: "“\(id.command)” works \(places(entries)).")
        }
        guard argument.isEmpty || entry.argument != nil else {
            throw Refusal(sentence: "“\(id.command)” takes nothing after it.")
        }
        if argument.isEmpty, let needed = entry.argument, needed.isRequired {
            throw Refusal(sentence: "Say what after “\(id.command)”: \(needed.placeholder).")
        }
        return Invocation(id, argument: argument)
    }

    /// The name at the beginning of a line, and what follows it without blanks around.
    static func parts(_ line: String) -> (name: String, argument: String) {
        let line = line.drop { $0.isWhitespace || $0 == ":" }
        let name = line.prefix { !$0.isWhitespace }
        let rest = line.dropFirst(name.count).split(separator: " ", omittingEmptySubsequences: true)
        return (String(name), rest.joined(separator: " "))
    }

    /// Where an action works, to go after a verb.
    static func places(_ entries: [Action]) -> String {
        let places = ActionContext.allCases.filter { place in entries.contains { $0.contexts.contains(place) } }
        let words = places.map { $0.title.prefix(1).lowercased() + $0.title.dropFirst() }
        return words.dropLast().joined(separator: ", ") + (words.count > 1 ? " and " : "") + (words.last ?? "nowhere")
    }

    private static func action(_ typed: String, in contexts: Set<ActionContext>) throws(Refusal) -> ActionID {
        let name = typed.lowercased()
        let ids = ActionTable.ids
        if let exact = ids.first(where: { $0.command == name }) { return exact }
        let meant = ids.filter { id in
            ActionTable.entries(of: id).contains {
                !$0.contexts.isDisjoint(with: contexts) && $0.synonyms.contains(name)
            }
        }
        if meant.count == 1 { return meant[0] }
        let begun = ids.filter { $0.command.hasPrefix(name) }
        if begun.count == 1, meant.isEmpty { return begun[0] }
        let several = (meant + begun.filter { !meant.contains($0) }).map { "“\($0.command)”" }
        guard several.isEmpty else {
            let some = several.prefix(4).joined(separator: ", ") + (several.count > 4 ? " and others" : "")
            throw Refusal(sentence: "“\(typed)” may mean \(some).")
        }
        let known = ids.map(\.command) + ids.flatMap { ActionTable.entries(of: $0).flatMap(\.synonyms) }
        let hint = NearestName.of(name, among: known).map { " Did you mean “\($0)”?" } ?? ""
        throw Refusal(sentence: "“\(typed)” is no command.\(hint)")
    }
}

extension ActionTable {
    /// Every action of the table once, in its order.
    package static let ids: [ActionID] = {
        var seen = Set<ActionID>()
        return all.map(\.id).filter { seen.insert($0).inserted }
    }()
}
