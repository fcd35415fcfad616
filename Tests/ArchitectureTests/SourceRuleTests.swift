import Testing

/// Rules about what a source file may contain.
struct SourceRuleTests {
    /// Words no source file contains, outside comments and string literals.
    static let forbidden = [
        "print(", "try!", "fatalError(", "as!", "@unchecked Sendable", "nonisolated(unsafe)",
    ]

    /// The most lines a file may have.
    static let linesMax = 500

    @Test func `no source contains a forbidden word`() {
        for file in SourceTree.sources where !Manifest.libraries.contains(file.target) {
            for (number, line) in file.code {
                for word in Self.forbidden where line.containsWord(word) {
                    Issue.record("\(file.path):\(number) contains \(word)")
                }
            }
        }
    }

    /// Fails when a part of the program would not follow the clock a test sets.
    @Test func `the program asks the time in one place`() {
        for file in SourceTree.sources where file.target == "MailApp" && !file.path.hasSuffix("/WallClock.swift") {
            for (number, line) in file.code {
                for clock in [
                    "Environment.millisecondsSinceEpoch", "Environment.bootMilliseconds", "clock_gettime",
                ]
                where line.contains(clock) {
                    Issue.record("\(file.path):\(number) uses \(clock) instead of WallClock.")
                }
            }
        }
    }

    /// Fails when a failure has a code that its page does not have, or the page one that no failure has.
    @Test func `every code of a failure is in its page`() {
        let owners = ["SyncError", "MailAPIError", "StoreError", "OutboxError", "SignInError", "TokenStoreError"]
        var codes: Set<String> = ["unexpected", "command"]
        for file in SourceTree.sources where owners.contains(where: { file.path.contains("/\($0)") }) {
            let start = file.lines.firstIndex { $0.hasSuffix("ode: StaticString {") } ?? file.lines.endIndex
            for line in file.lines[start...] {
                for word in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                where word.offset % 2 == 1 && line.contains("case ") {
                    codes.insert(String(word.element))
                }
            }
        }
        let rows = SourceTree.lines(of: "docs/errors.md").filter { $0.hasPrefix("| `") }
        let told = rows.flatMap { row in
            (row.split(separator: "|").first ?? "").split(separator: "`").map(String.init).filter { $0 != " " }
        }
        #expect(codes.count > 30)
        #expect(Set(told) == codes, "\(Set(told).symmetricDifference(codes).sorted())")
    }

    @Test func `no file is too long`() {
        for file in SourceTree.sources + SourceTree.tests {
            #expect(file.lines.count <= Self.linesMax, "\(file.path)")
        }
    }

    @Test func `package access is the widest`() {
        for file in SourceTree.sources {
            for (number, line) in file.code where line.containsWord("public ") || line.containsWord("open ") {
                Issue.record("\(file.path):\(number) uses a wider access level than package.")
            }
        }
    }

    @Test func `every package type is documented`() {
        for file in SourceTree.sources {
            for (index, line) in file.lines.enumerated() where line.declaredType(access: "package") != nil {
                let above = file.lines[..<index].reversed().first { !$0.trimmed.hasPrefix("@") }
                #expect(above?.trimmed.hasPrefix("///") == true, "\(file.path):\(index + 1)")
            }
        }
    }

    /// Fails when a type hides its own or another module, so that qualified names stop working.
    @Test func `no type is named like a module`() {
        let modules = Set(Manifest.imports.keys).union(Manifest.libraries)
        for file in SourceTree.sources {
            for (number, line) in file.code {
                if let name = line.declaredType(access: nil), modules.contains(name) {
                    Issue.record("\(file.path):\(number) declares \(name), which is a module.")
                }
            }
        }
    }
}

extension SourceTree.File {
    /// The numbered lines with comments and the inside of one-line string literals taken out.
    fileprivate var code: [(number: Int, text: String)] {
        lines.enumerated().map { ($0.offset + 1, $0.element.withoutLiteralsAndComments) }
    }
}

extension String {
    fileprivate var trimmed: Substring { drop { $0 == " " || $0 == "\t" } }

    /// The line up to its comment, with string literals emptied.
    fileprivate var withoutLiteralsAndComments: String {
        var kept = ""
        var isQuoted = false
        var previous: Character = " "
        for character in self {
            if character == "\"" && previous != "\\" { isQuoted.toggle() }
            if !isQuoted && character == "/" && previous == "/" { return kept }
            if !isQuoted { kept.append(character) }
            previous = character == "\\" && previous == "\\" ? " " : character
        }
        return kept
    }

    /// Whether `word` occurs and is not the end of a longer name.
    fileprivate func containsWord(_ word: String) -> Bool {
        var rest = self[...]
        while let range = rest.firstRange(of: word) {
            let before = self[..<range.lowerBound].last
            if before.map({ !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "." }) ?? true { return true }
            rest = rest[range.upperBound...]
        }
        return false
    }

    /// The name of the type this line declares, if its modifiers include `access` (`nil`: any access).
    fileprivate func declaredType(access: String?) -> String? {
        let words = trimmed.split(whereSeparator: { " :<({".contains($0) })
        let kinds: Set<Substring> = ["struct", "enum", "actor", "class", "protocol"]
        guard let position = words.firstIndex(where: { kinds.contains($0) }), position + 1 < words.count else {
            return nil
        }
        let modifiers = words[..<position]
        let known: Set<Substring> = [
            "package", "internal", "private", "fileprivate", "final", "indirect", "distributed", "nonisolated",
        ]
        guard modifiers.allSatisfy({ known.contains($0) || $0.hasPrefix("@") }) else { return nil }
        if let access, !modifiers.contains(Substring(access)) { return nil }
        let name = words[position + 1]
        return name.first?.isLetter == true && name != "func" && name != "var" ? String(name) : nil
    }
}
