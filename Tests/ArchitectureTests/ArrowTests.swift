import Testing

/// The arrows between targets, as the manifest draws them.
struct ArrowTests {
    /// Modules of the toolchain and the C library, free for every target.
    static let free: Set<String> = ["Glibc", "Synchronization", "Dispatch", "Swift"]

    @Test func `the source tree and the manifest are found`() {
        #expect(SourceTree.sources.count > 20)
        #expect(SourceTree.sources.allSatisfy { !$0.lines.isEmpty })
        #expect(Manifest.libraries.contains("CNcurses"))
        #expect(Manifest.imports["MailUI"]?.contains("TerminalUI") == true)
        #expect(Manifest.imports["herald"] == ["MailApp"])
    }

    @Test func `the manifest reader understands calls over several lines`() {
        let text = #"module("A"), module("B", [\#n"A",\#n "C"\#n]), notmodule("D"), c("E", pkgConfig: "e-1")"#

        let calls = Manifest.calls(to: "module", in: text)

        #expect(calls.map(\.name) == ["A", "B"])
        #expect(calls.map(\.dependencies) == [[], ["A", "C"]])
        #expect(Manifest.calls(to: "c", in: text).map(\.name) == ["E"])
    }

    /// Fails when a file imports a target its own line in Package.swift does not name.
    @Test func `targets import only what the manifest lets them`() {
        for file in SourceTree.sources where !Manifest.libraries.contains(file.target) {
            guard let allowed = Manifest.imports[file.target] else {
                Issue.record("\(file.path) belongs to no target of Package.swift.")
                continue
            }
            for module in file.imports where !allowed.contains(module) && !Self.free.contains(module) {
                Issue.record("\(file.path) imports \(module); \(file.target) may import \(allowed.sorted()).")
            }
        }
    }

    @Test func `no source imports Foundation`() {
        for file in SourceTree.sources {
            #expect(!file.imports.contains { $0.hasPrefix("Foundation") }, "\(file.path)")
        }
    }

    @Test(arguments: [
        ("CNcurses", "TerminalDriver"), ("CSQLite", "SQLite"), ("CCurl", "HTTPTransport"), ("CTOML11", "TOML"),
    ])
    func `a C library has one target that imports it`(library: String, owner: String) {
        for (target, allowed) in Manifest.imports where target != owner {
            #expect(!allowed.contains(library), "\(target) may not name \(library).")
        }
        for file in SourceTree.sources where file.target != owner {
            #expect(!file.imports.contains(library), "\(file.path)")
        }
    }
}

extension SourceTree.File {
    /// The modules the file imports, whatever the access level or attribute before `import`.
    var imports: [String] {
        lines.compactMap { line in
            let words = line.split(separator: " ")
            guard let position = words.firstIndex(of: "import"), position + 1 < words.count else { return nil }
            let levels: Set<Substring> = ["internal", "package", "private", "fileprivate", "public"]
            guard words[..<position].allSatisfy({ levels.contains($0) || $0.hasPrefix("@") }) else { return nil }
            // `import struct Module.Type` names the module after the kind.
            let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "let", "var", "typealias"]
            let named = kinds.contains(words[position + 1]) && position + 2 < words.count ? position + 2 : position + 1
            return words[named].split(separator: ".").first.map(String.init)
        }
    }
}
