import LocalServer
import MailTestSupport
import Platform
import TerminalTestSupport
import Testing

struct SearchTests {
    private func synced() throws -> Setting {
        let setting = try Setting()
        #expect(try setting.herald.run("--sync-once").code == 0)
        return setting
    }

    /// Fails when a filter finds other messages than it means, or texts are not searched after a pass.
    @Test func `search prints what a filter means, with texts, newest first`() throws {
        let setting = try synced()
        defer { setting.server.stop() }
        let table: [([String], [String])] = [
            (["from:ann", "light"], ["Re: First light", "First light"]),
            (["body:sharp"], [Setting.subject]), (["has:attachment"], ["An invoice"]),
            (["light", "-\"morning to\""], ["First light"]), (["\"first lig\""], []),
            (["--account", "127.0.0.1-\(setting.server.port)", "body:sharp"], [Setting.subject]), (["in:trash"], []),
            (["is:unread", "plans", "or", "invoice"], [Setting.subject, "An invoice"]),
        ]
        for (words, subjects) in table {
            let ended = try setting.herald.run(["search"] + words)
            #expect(ended.code == 0, "\(ended.errors)")
            let lines = ended.text.split(separator: "\n")
            #expect(lines.count == subjects.count, "\(words): \(ended.text)")
            for (line, subject) in zip(lines, subjects) { #expect(line.hasSuffix(subject), "\(words)") }
        }
        let nothing = try setting.herald.run("search", "from:nobody")
        #expect(nothing.code == 0 && nothing.text.isEmpty && nothing.errors == "herald: Nothing was found.\n")
        let json = try setting.herald.run("search", "boats", "--json")
        #expect(json.text.contains(#""coverage":{"messages":4,"bodies":4,"waiting":0}"#), "\(json.text)")
    }

    /// Fails when a wrong filter passes for one without hits, or is not explained.
    @Test func `a wrong filter ends with 65 and its column`() throws {
        let setting = try synced()
        defer { setting.server.stop() }
        expectFailure(try setting.herald.run("search", "from:ann is:new"), 65, "Column 13")
        expectFailure(try setting.herald.run("search", "form:ann"), 65, "“form” is no field")
        expectFailure(try setting.herald.run("search", "(ann"), 65, "closing parenthesis")
        let many = Array(repeating: "w", count: 990).joined(separator: " ")
        expectFailure(try setting.herald.run("search", many), 65, "more than 100 words")
        #expect(try setting.herald.run("search", Array(repeating: "w", count: 100).joined(separator: " ")).code == 0)
        #expect(try setting.herald.run("search", "ann").code == 0)
        expectFailure(try setting.herald.run("search"), 64)
        expectFailure(try setting.herald.run("search", "ann", "--nonsense"), 64)
    }

    /// Fails when the list does not follow the filter as it is typed, or the server's own hits are lost.
    @Test func `a filter is typed, marked, sent to the server and left`() throws {
        let setting = try synced()
        defer { setting.server.stop() }
        let terminal = try setting.herald.open(columns: 120)
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        terminal.send("/sharp is:un")
        #expect(terminal.wait { $0.screen.contains("…") }, "\(terminal.screen)")
        terminal.send("read")
        #expect(
            terminal.wait { $0.screen.contains(Setting.subject) && !$0.screen.contains("An invoice") },
            "\(terminal.screen)")
        // Words begin with what is looked for; the server looks inside of them as well.
        terminal.send("\u{15}ight")
        #expect(terminal.waitFor("Nothing here fits"), "\(terminal.screen)")
        terminal.send("\r")
        #expect(
            terminal.wait { $0.screen.contains("First light") && $0.screen.contains("marked +") }, "\(terminal.screen)")
        terminal.send("\u{1B}")
        #expect(terminal.waitFor(Setting.subject), "\(terminal.screen)")
        terminal.send("q")
        #expect(terminal.waitForExit() == 0)
    }
}
