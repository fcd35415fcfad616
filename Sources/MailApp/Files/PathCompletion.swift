internal import Platform

/// What a path may go on with, as a shell's Tab finds it.
enum PathCompletion {
    /// How many candidates are told; nobody reads more.
    private static let candidatesMax = 100

    /// The path as far as all that begin so agree, and the names that it may become.
    ///
    /// A directory that is the only one is entered. Hidden names are found only when the dot was typed.
    static func complete(_ typed: String) -> (text: String, candidates: [String]) {
        if typed == "~" { return ("~/", []) }
        let slash = typed.lastIndex(of: "/")
        let head = slash.map { String(typed[...$0]) } ?? ""
        let part = slash.map { String(typed[typed.index(after: $0)...]) } ?? typed
        let directory = head.isEmpty ? "." : SavePath.expanded(head)
        let names = Files.names(in: directory).filter { name in
            name.hasPrefix(part) && (part.hasPrefix(".") || !name.hasPrefix("."))
        }
        guard let first = names.first else { return (typed, []) }
        let common = names.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        func marked(_ name: String) -> String { Files.isDirectory(directory + "/" + name) ? name + "/" : name }
        if names.count == 1 { return (head + marked(first), []) }
        return (head + common, names.prefix(candidatesMax).map(marked))
    }
}

extension String {
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0 == $1 }.map(\.0))
    }
}
