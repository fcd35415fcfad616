/// How a page writes its marks and its parts.
enum PageForm: Sendable {
    case markdown, manual, shell

    /// The line before a made part.
    func begin(_ name: String) -> String {
        switch self {
        case .markdown: "<!-- made by make docs: \(name) -->"
        case .manual: ".\\\" Made by make docs: \(name)"
        case .shell: "# Made by make docs: \(name)"
        }
    }

    /// The line after a made part.
    var end: String {
        switch self {
        case .markdown: "<!-- end -->"
        case .manual: ".\\\" End."
        case .shell: "# End."
        }
    }
}

/// Why a page cannot be made.
enum PageError: Error, Hashable {
    /// A part begins that this program does not make.
    case unknownPart(String)
    /// A part has no end.
    case noEnd(String)
    /// A page of nothing but prose; its marks were lost.
    case noParts
}

/// The text of a page with its made parts renewed.
enum PageText {
    static func renewed(_ text: String, form: PageForm) throws(PageError) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        var made: [Substring] = []
        var hasParts = false
        while let line = lines.popFirst() {
            made.append(line)
            guard let name = partName(line, form) else { continue }
            guard let part = Parts.lines(name, form) else { throw .unknownPart(name) }
            guard let end = lines.firstIndex(where: { $0 == form.end }) else { throw .noEnd(name) }
            made += part.map { $0[...] }
            lines = lines[end...]
            hasParts = true
        }
        guard hasParts else { throw .noParts }
        return made.joined(separator: "\n")
    }

    private static func partName(_ line: Substring, _ form: PageForm) -> String? {
        let empty = form.begin("\u{0}").split(separator: "\u{0}", omittingEmptySubsequences: false)
        guard empty.count == 2, line.hasPrefix(empty[0]), line.hasSuffix(empty[1]), line.count > empty[0].count else {
            return nil
        }
        return String(line.dropFirst(empty[0].count).dropLast(empty[1].count))
    }
}
