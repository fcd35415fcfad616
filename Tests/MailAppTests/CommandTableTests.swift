import Platform
import Testing

@testable import MailApp

struct CommandTableTests {
    /// The words a form needs to be complete, and a value each option takes.
    private static let operands = [
        "list": ["messages"], "show": ["m1"], "account": ["remove"], "search": ["ann"],
        "apply": ["--where", "ann", "read"], "outbox --all": ["drop"],
        "account --browser": ["add", "https://mail.example"], "watch --thread": ["--query", "conversation"],
        "send --without-files": ["--forward", "m1"], "compose --without-files": ["--forward", "m1"],
        "watch --mailbox": ["--query", "messages"], "watch --folder": ["--query", "messages"],
    ]
    private static let values = ["FOLDER": "sent", "N": "50", "SECONDS": "60", "QUERY": "messages"]

    /// Fails when help offers what the parser does not take.
    @Test func `every option of the table is understood`() throws {
        for form in CommandTable.all {
            for option in form.options {
                for name in option.names {
                    let value = option.value.map { [Self.values[$0] ?? "x"] } ?? []
                    let operands = Self.operands["\(form.name) \(name)"] ?? Self.operands[form.name] ?? []
                    let words = [form.name].filter { !$0.isEmpty } + operands + [name] + value
                    var parser = CommandParser(words)
                    #expect(throws: Never.self, "\(words)") { try parser.parse() }
                }
            }
        }
    }

    /// Fails when the parser takes what no help tells of.
    @Test func `every option of the parser is in the table`() throws {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        let path = parts.dropLast(3).joined(separator: "/") + "/Sources/MailApp/Command.swift"
        let source = String(decoding: try Files.read(path), as: UTF8.self)
        let told = Set(CommandTable.all.flatMap { [$0.name] + $0.options.flatMap(\.names) })

        let parsed = source.matches(of: /case ((?:"--?[a-zA-Z-]+"(?:, )?)+)/).flatMap { match in
            match.1.matches(of: /"([^"]+)"/).map { String($0.1) }
        }

        #expect(parsed.count > 15)
        for name in parsed where name != "-V" && name != "-h" { #expect(told.contains(name), "\(name)") }
    }

    @Test func `help fits a terminal of 80 columns`() {
        for name in [nil] + CommandTable.all.map({ Optional($0.name) }) {
            let lines = HelpText.text(name).split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines.first?.hasPrefix("Usage: herald") == true)
            for line in lines { #expect(line.count <= 80, "\(line)") }
        }
    }

    @Test func `help on a command names each of its options`() {
        for form in CommandTable.all where !form.name.isEmpty {
            let text = HelpText.text(form.name)
            #expect(text.contains(form.summary.prefix(40)), "\(form.name)")
            for option in form.options { #expect(text.contains("  " + (option.names.first ?? "?")), "\(text)") }
        }
    }

    @Test(arguments: [("--sync-onec", "--sync-once"), ("stauts", "status"), ("list messages --fodler x", "--folder")])
    func `a mistyped word is told the nearest one`(_ line: String, _ meant: String) {
        var parser = CommandParser(line.split(separator: " ").map(String.init))
        do {
            _ = try parser.parse()
            Issue.record("It was taken.")
        } catch {
            #expect(error.message.contains("did you mean “\(meant)”?"), "\(error.message)")
        }
    }

    @Test(arguments: ["x", "-x", "--", "é", "mail"])
    func `a word like no other is told none`(_ word: String) {
        var parser = CommandParser([word])
        do {
            _ = try parser.parse()
            Issue.record("It was taken.")
        } catch {
            #expect(error.message.hasPrefix("“\(word)” is not understood here. "), "\(error.message)")
        }
    }
}
