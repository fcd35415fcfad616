/// What keys do, by where they are pressed; made from the table of actions, a profile and the settings.
package struct KeyMap: Sendable, Hashable {
    /// Keys, and what they do.
    package struct Binding: Sendable, Hashable {
        package let keys: KeySequence
        package let invocation: Invocation
    }

    /// The bindings of each context; those that were chosen by the person come first, as they know them.
    private(set) var bindings: [ActionContext: [Binding]]
    private var lookup: [ActionContext: [KeySequence: Invocation]]

    init(bindings: [ActionContext: [Binding]]) {
        self.bindings = bindings
        lookup = bindings.mapValues { list in
            Dictionary(list.map { ($0.keys, $0.invocation) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// The keys of the table of actions, without any changes.
    package static let standard = KeyMap(
        bindings: Dictionary(
            uniqueKeysWithValues: ActionContext.allCases.map { context in
                let actions = ActionTable.all.filter { $0.contexts.contains(context) }
                return (
                    context,
                    actions.flatMap { action in
                        action.keys.compactMap(KeySequence.init).map {
                            Binding(keys: $0, invocation: Invocation(action.id))
                        }
                    }
                )
            }))

    /// What a finished sequence does; `nil` when it does nothing.
    func invocation(for keys: KeySequence, in context: ActionContext) -> Invocation? {
        lookup[context]?[keys]
    }

    /// The bindings that go on after `keys`, in the order of the table.
    func continuations(of keys: KeySequence, in context: ActionContext) -> [Binding] {
        (bindings[context] ?? []).filter { $0.keys.goesOn(after: keys) }
    }

    /// The keys of an action, the one to show first.
    package func keys(of id: ActionID, in context: ActionContext) -> [KeySequence] {
        (bindings[context] ?? []).filter { $0.invocation == Invocation(id) }.map(\.keys)
    }
}
