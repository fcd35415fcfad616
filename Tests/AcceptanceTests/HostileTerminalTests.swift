internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// What a mail holds never steers the terminal, wherever it is shown.
@Suite(.serialized, .ownThread) struct HostileTerminalTests {
    /// How long a step may take; a failing one names the screen.
    private static let ceiling = 60

    /// Opens so many conversations one after the other from the top, scrolls in each, and looks at every screen.
    private func walk(_ terminal: VirtualTerminal, _ count: Int, columns: Int, rows: Int, isWhole: Bool) {
        for _ in 0..<min(20, count / (rows - 3) + 1) {
            terminal.send("\u{1B}[6~")
            #expect(terminal.waitForIdle(ceiling: HostileTerminalTests.ceiling))
            expectFrame(terminal, columns: columns, rows: rows)
        }
        terminal.send("gg\r")
        for number in 0..<count {
            for keys in [number == 0 ? "zM" : "n", "zR  "] {
                terminal.send(keys)
                guard terminal.waitForIdle(ceiling: HostileTerminalTests.ceiling) else {
                    Issue.record("no end of work\n\(terminal.screen)")
                    return
                }
                expectFrame(terminal, columns: columns, rows: rows)
            }
        }
        terminal.send("n")
        #expect(terminal.waitForIdle(ceiling: HostileTerminalTests.ceiling))
        if isWhole && columns >= 80 {
            #expect(terminal.screen.contains("This is the last conversation"), "\(terminal.screen)")
        }
        terminal.send("q")
    }

    /// Fails when a border is not where it belongs, which happens when a row is wider or narrower than was thought.
    private func expectFrame(_ terminal: VirtualTerminal, columns: Int, rows: Int) {
        // Borders are where the widest panes of these sizes put them.
        let borders = columns == 80 ? [20] : columns == 200 ? [28, 29 + (200 - 30) * 9 / 20] : []
        for row in 0..<(rows - 2) {
            for column in borders where terminal.text(row: row, column: column) != "│" {
                Issue.record("row \(row) is broken at column \(column)\n\(terminal.screen)")
                return
            }
        }
    }

    private func expectClean(_ terminal: VirtualTerminal) {
        let audit = EscapeAudit(terminal.log)
        #expect(audit.violations == [] && audit.copies == [])
        #expect(!audit.titles.isEmpty)
        for title in audit.titles { #expect(title.contains("Herald · 127.0.0.1-") && !title.contains("owned")) }
        for link in audit.links {
            #expect(link.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        }
    }

    private func leave(_ terminal: VirtualTerminal) {
        terminal.send("Q")
        #expect(terminal.waitForExit(ceiling: HostileTerminalTests.ceiling) == 0, "\(terminal.screen)")
        #expect(terminal.isCooked)
    }

    /// Reads mail of the inbox at one size; answers how many conversations that were.
    private func read(
        _ herald: Herald, columns: Int, rows: Int, arguments: [String] = [], atMost limit: Int = 100_000
    ) throws -> Int {
        let list = try herald.run("list", "conversations", "--limit", "\(limit)", "--json")
        let count = try ImportedMail.messages(list.output, in: "items").count
        let terminal = try herald.open(arguments, columns: columns, rows: rows)
        #expect(terminal.waitFor("Inbox", ceiling: HostileTerminalTests.ceiling))
        #expect(terminal.waitForIdle(ceiling: HostileTerminalTests.ceiling), "\(terminal.screen)")
        let isLinear = arguments.contains("--plain")
        walk(terminal, count, columns: isLinear ? 0 : columns, rows: rows, isWhole: count < limit)
        leave(terminal)
        expectClean(terminal)
        return count
    }

    private func sync(_ herald: Herald) throws {
        let ended = try herald.run("--sync-once")
        try #require(ended.code == 0, "\(ended.errors)")
        #expect(EscapeAudit.steering(ended.output) == nil && EscapeAudit.steering(Array(ended.errors.utf8)) == nil)
    }

    /// The log and everything printed about messages.
    private func expectCleanOutput(_ mail: ImportedMail, _ ids: [String]) throws {
        var outputs: [[UInt8]] = []
        for list in ["conversations", "messages", "mailboxes", "drafts"] {
            for form in [[], ["--json"]] {
                outputs.append(try mail.herald.run(["list", list, "--all"] + form).output)
            }
        }
        for id in ids {
            for form in ["--plain", "--json", "--html"] {
                let ended = try mail.herald.run(["show", id, form, "--offline"])
                outputs += [ended.output, Array(ended.errors.utf8)]
            }
        }
        outputs.append(try Files.read(mail.herald.home.path + "/h/state/herald.log"))
        for output in outputs {
            let found = EscapeAudit.steering(output)
            #expect(
                found == nil,
                "U+\(String(found?.value ?? 0, radix: 16)) in \(String(decoding: output.prefix(300), as: UTF8.self))")
        }
        let log = String(decoding: outputs.last ?? [], as: UTF8.self)
        #expect(!log.contains("owned") && !log.contains("Hostile") && !log.contains("@"))
    }

    /// Fails when JSON tells another subject than the server's.
    private func expectExactJSON(_ mail: ImportedMail) throws -> [String] {
        let ours = try mail.messages()
        var theirs: [String: String] = [:]
        for message in ours {
            let answer = try ask(mail.server.port, "/api/v1/messages/\(message.id)")
            let wrapped = Array("{\"items\":[".utf8) + answer + Array("]}".utf8)
            for row in try ImportedMail.messages(wrapped, in: "items") { theirs[row.id] = row.subject }
        }
        for message in ours { #expect(theirs[message.id] == message.subject) }
        return ours.map(\.id)
    }

    @Test func `hostile mail of our own making changes nothing but the text`() throws {
        let scratch = try Scratch()
        try HostileMail.write(to: scratch)
        let mail = try ImportedMail([scratch.path])
        defer { mail.server.stop() }
        try sync(mail.herald)
        #expect(try read(mail.herald, columns: 80, rows: 24) == HostileMail.sequences.count)
        #expect(try read(mail.herald, columns: 200, rows: 50) == HostileMail.sequences.count)
        #expect(try read(mail.herald, columns: 40, rows: 12, arguments: ["--plain"]) == HostileMail.sequences.count)
        let ids = try expectExactJSON(mail)
        #expect(ids.count == HostileMail.sequences.count)
        try expectCleanOutput(mail, ids)
    }

    @Test func `the shared edge cases stay in their rows`() throws {
        guard let path = ImportedMail.shared("mail/synthetic-edge") else { return }
        let mail = try ImportedMail([path])
        defer { mail.server.stop() }
        try sync(mail.herald)
        #expect(try read(mail.herald, columns: 80, rows: 24) > 100)
        #expect(try read(mail.herald, columns: 200, rows: 50, atMost: 60) == 60)
        let ids = try mail.messages().filter { $0.subject.utf8.contains { $0 < 0x20 || $0 > 0x7E } }.map(\.id)
        try expectCleanOutput(mail, Array(ids.prefix(40)))
    }

    @Test func `real mail stays in its rows`() throws {
        guard let folder = ImportedMail.shared("mail"),
            let payloads = ImportedMail.shared("payloads/spamassassin.jsonl")
        else { return }
        let scratch = try Scratch()
        try HostileTerminalTests.sample(folder, payloads, into: scratch)
        let mail = try ImportedMail([scratch.path + "/raw", scratch.path + "/some.jsonl"])
        defer { mail.server.stop() }
        try sync(mail.herald)
        #expect(try read(mail.herald, columns: 80, rows: 24) > 60)
        #expect(try read(mail.herald, columns: 200, rows: 50) > 60)
    }

    /// Fifty raw mails of all sets, and fifty payloads, evenly spread.
    private static func sample(_ folder: String, _ payloads: String, into scratch: Scratch) throws {
        try Files.makeDirectory(scratch.path + "/raw")
        let lines = String(decoding: try Files.read(folder + "/MANIFEST.tsv"), as: UTF8.self).split(separator: "\n")
        let files = lines.dropFirst().map { $0.split(separator: "\t") }.filter { parts in
            parts.count > 2 && parts[1].hasSuffix(".eml") && (Int(parts[2]) ?? .max) < 200_000
        }
        for (number, parts) in files.enumerated() where number % max(1, files.count / 50) == 0 {
            let path = "\(folder)/\(parts[0])/\(parts[1])"
            guard let bytes = try? Files.read(path) else { continue }
            try Files.replace("\(scratch.path)/raw/\(number).eml", with: bytes)
        }
        let mails = try Files.read(payloads).split(separator: 0x0A)
        let some = mails.enumerated().filter { $0.offset % max(1, mails.count / 50) == 0 }.map { Array($0.element) }
        try Files.replace(scratch.path + "/some.jsonl", with: Array(some.joined(separator: [0x0A])) + [0x0A])
    }
}
