extension KeyMap {
    /// The keys of a profile with the person's own changes.
    ///
    /// - Throws: `KeyFault` for the first change that cannot be had.
    package init(profile: KeyProfile, changes: [KeyChange] = []) throws(KeyFault) {
        self = try KeyMap.standard.changed(by: profile.changes).changed(by: changes)
    }

    /// The map with changes; of two about the same keys, one for a context has precedence over one for everywhere.
    private func changed(by changes: [KeyChange]) throws(KeyFault) -> KeyMap {
        guard !changes.isEmpty else { return self }
        var meanings: [KeyChangeMeaning] = []
        for change in changes {
            let meaning = try KeyChangeMeaning(change)
            let twin = meanings.first {
                $0.change.group == change.group && $0.keys == meaning.keys && $0.isPrefix == meaning.isPrefix
            }
            if let twin {
                throw KeyFault(
                    change: change, reason: "is the same key as “\(twin.change.keys)” on line \(twin.change.line)",
                    advice: "Leave one of them out.")
            }
            meanings.append(meaning)
        }
        var all = bindings
        for context in ActionContext.allCases {
            all[context] = try changed(all[context] ?? [], by: meanings.filter { $0.concerns(context) }, in: context)
        }
        return KeyMap(bindings: all)
    }

    private func changed(
        _ old: [Binding], by meanings: [KeyChangeMeaning], in context: ActionContext
    ) throws(KeyFault) -> [Binding] {
        let own = meanings.filter { $0.change.group == context.rawValue }
        let inForce = meanings.filter { meaning in
            meaning.change.group == context.rawValue
                || !own.contains { $0.keys == meaning.keys && $0.isPrefix == meaning.isPrefix }
        }
        let kept = old.filter { binding in
            !inForce.contains { $0.keys == binding.keys || ($0.isPrefix && binding.keys.goesOn(after: $0.keys)) }
        }
        let new = inForce.compactMap { meaning in
            meaning.invocation.map { (change: meaning.change, binding: Binding(keys: meaning.keys, invocation: $0)) }
        }
        for (change, binding) in new {
            try check(change, binding, against: kept, in: context)
            let others = new.filter { $0.change != change }
            if let other = others.first(where: { binding.keys.goesOn(after: $0.binding.keys) }) {
                throw KeyFault(
                    change: change,
                    reason: "cannot be typed, since “\(other.change.keys)” on line \(other.change.line) begins it",
                    advice: "Choose other keys for one of them.")
            }
        }
        return new.map(\.binding) + kept
    }

    /// Refuses keys that would hide others, and those that others hide.
    private func check(
        _ change: KeyChange, _ binding: Binding, against kept: [Binding], in context: ActionContext
    ) throws(KeyFault) {
        let hidden = kept.filter { $0.keys.goesOn(after: binding.keys) }
        let place =
            change.group == KeyChange.everywhere
            ? " \(context.title.prefix(1).lowercased())\(context.title.dropFirst())" : ""
        if !hidden.isEmpty {
            let some = hidden.prefix(2).map { "“\($0.keys.text)” (\($0.invocation.text))" }.joined(separator: ", ")
            let more = hidden.count > 2 ? " and \(hidden.count - 2) more" : ""
            throw KeyFault(
                change: change, reason: "would hide \(some)\(more)\(place)",
                advice: "Add \"\(binding.keys.text)\(KeyChange.allThatFollow)\" = \"none\" to give them up.")
        }
        if let other = kept.first(where: { binding.keys.goesOn(after: $0.keys) }) {
            throw KeyFault(
                change: change,
                reason: "cannot be typed, since “\(other.keys.text)” does \(other.invocation.text)\(place)",
                advice: "Add \"\(other.keys.text)\" = \"none\" to give that up.")
        }
    }
}
