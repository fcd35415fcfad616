/// The arrow table of Package.swift: what each target may import.
enum Manifest {
    /// The C libraries, by target name.
    static let libraries: Set<String> = Set(calls(to: "c").map(\.name))

    /// Targets made of Swift, with the targets their manifest line names.
    static let imports: [String: Set<String>] = {
        var table: [String: Set<String>] = [:]
        for call in calls(to: "module") + calls(to: "program") { table[call.name] = Set(call.dependencies) }
        return table
    }()

    /// Reads every `helper("Name", ["A", "B"])`, also when a call spans lines.
    static func calls(to helper: String, in text: String = manifest) -> [(name: String, dependencies: [String])] {
        var found: [(name: String, dependencies: [String])] = []
        for range in text.ranges(of: helper + "(\"") {
            let before = text[..<range.lowerBound].last
            if let before, before.isLetter || before == "." || before == "_" { continue }
            let arguments = ("\"" + text[range.upperBound...]).prefix { $0 != ")" }
            let pieces = arguments.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
            let quoted = pieces.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            guard let name = quoted.first else { continue }
            found.append((name, arguments.contains("[") ? Array(quoted.dropFirst()) : []))
        }
        return found
    }

    /// The manifest from its target list on, without comments and without line breaks after a parenthesis.
    static let manifest: String = {
        let lines = SourceTree.lines(of: "Package.swift")
        let targets = lines.drop { !$0.hasPrefix("    targets: [") }
        return targets.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n").replacing(
            /\(\s+/, with: "(")
    }()
}
