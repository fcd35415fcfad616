internal import MailModel

/// One line of settings or of a profile about keys.
package struct KeyChange: Sendable, Hashable {
    /// The group it stands in: the name of a context, or `everywhere`.
    package let group: String
    /// The keys as they were written.
    package let keys: String
    /// What they are to do: a command, or `none`.
    package let command: String
    /// The line of the settings file; 0 in a profile.
    package let line: Int

    package init(group: String, keys: String, command: String, line: Int = 0) {
        self.group = group
        self.keys = keys
        self.command = command
        self.line = line
    }

    /// The group for all contexts in which an action works.
    package static let everywhere = "everywhere"
    /// The command that takes keys their meaning.
    package static let none = "none"
    /// What stands behind keys to mean all sequences that begin with them.
    package static let allThatFollow = "..."
    /// Every group there is.
    package static let groups = ActionContext.allCases.map(\.rawValue) + [everywhere]
}

/// Why a change of keys cannot be had.
package struct KeyFault: Error, Sendable, Hashable {
    package let change: KeyChange
    /// What is wrong, to go after the name of the setting and its place.
    package let reason: String
    /// What to do about it, as a sentence.
    package let advice: String?
}

/// A change whose words are understood.
struct KeyChangeMeaning {
    let change: KeyChange
    let keys: KeySequence
    /// Whether all longer sequences are meant, too.
    let isPrefix: Bool
    /// `nil` takes the keys their meaning.
    let invocation: Invocation?

    init(_ change: KeyChange) throws(KeyFault) {
        self.change = change
        isPrefix = change.keys.hasSuffix(KeyChange.allThatFollow) && change.command == KeyChange.none
        let written = isPrefix ? String(change.keys.dropLast(KeyChange.allThatFollow.count)) : change.keys
        guard let keys = KeySequence(written) else {
            let words = written.split { $0.isWhitespace || $0 == "-" }.map(String.init)
            let nearest = words.lazy.compactMap { NearestName.of($0, among: KeyName.words) }.first
            throw KeyFault(
                change: change, reason: "names no keys",
                advice: nearest.map { "Did you mean “\($0)”?" }
                    ?? "Keys are written like “x”, “gx”, “C-x C-s”, “A-x”, “S-Tab”, “PgDn” or “F5”.")
        }
        self.keys = keys
        invocation = change.command == KeyChange.none ? nil : try KeyChangeMeaning.invocation(change)
    }

    /// Whether the change is about a context.
    func concerns(_ context: ActionContext) -> Bool {
        guard change.group == KeyChange.everywhere else { return change.group == context.rawValue }
        return invocation.map { ActionTable.action($0.id, in: context) != nil } ?? true
    }

    private static func invocation(_ change: KeyChange) throws(KeyFault) -> Invocation {
        let (name, argument) = TypedCommand.parts(change.command)
        guard let id = ActionTable.ids.first(where: { $0.command == name }) else {
            let known = ActionTable.ids.map(\.command) + [KeyChange.none]
            let meant = ActionTable.ids.first { id in
                ActionTable.entries(of: id).contains { $0.synonyms.contains(name.lowercased()) }
            }
            let nearest = NearestName.of(name, among: known) ?? meant?.command
            throw KeyFault(
                change: change, reason: "is to do “\(name)”, which is no action",
                advice: nearest.map { "Did you mean “\($0)”?" } ?? "herald-keys(7) lists them all.")
        }
        let entries = ActionTable.entries(of: id)
        let places = entries.filter { entry in
            change.group == KeyChange.everywhere || entry.contexts.contains { $0.rawValue == change.group }
        }
        guard let entry = places.first else {
            throw KeyFault(
                change: change, reason: "cannot work", advice: "“\(name)” works \(TypedCommand.places(entries)).")
        }
        guard argument.isEmpty || entry.argument != nil else {
            throw KeyFault(change: change, reason: "is to do “\(name)”, which takes nothing after it", advice: nil)
        }
        if entry.argument == .folder, !argument.isEmpty, Folder.named(like: argument).count != 1 {
            let some = Folder.allCases.map(\.word).joined(separator: ", ")
            throw KeyFault(
                change: change, reason: "is to go to “\(argument)”, which is no folder", advice: "There are \(some).")
        }
        return Invocation(id, argument: argument)
    }
}
