import MailSync
import MailUI
import Platform
import TerminalUI
import Testing

@testable import MailApp

private func read(_ text: String) throws(SettingsFault) -> Settings { try SettingsReader.read(Array(text.utf8)) }

struct SettingsTests {
    @Test func `without a word every setting is standard`() throws {
        let settings = try read("")

        #expect(settings == Settings())
        #expect(settings.bodies == .recent(days: 30) && settings.logLevel == .info && !settings.isWithoutColor)
        for option in SettingTable.all { #expect(option.accepts(option.standard), "\(option.id)") }
    }

    @Test(arguments: [
        ("sync.bodies = \"opened\"", BodiesPolicy.opened), ("[sync]\nbodies = \"all\"", .all),
        ("sync = { bodies = \"recent\", recent_days = 7 }", .recent(days: 7)),
        ("sync.recent_days = 90", .recent(days: 90)),
    ])
    func `the file's values are in force however TOML writes them`(_ text: String, _ bodies: BodiesPolicy) throws {
        #expect(try read(text).bodies == bodies)
    }

    /// Fails when what is said of one account is in force for another, or a mistake in it is let through.
    @Test func `an account has settings of its own`() throws {
        let text = "[accounts.\"mail.example.com\"]\nname = \"Team\"\ncolor = \"green\"\nbodies = \"all\"\n"
        let settings = try read(text)
        #expect(settings.bodies(of: "mail.example.com") == .all)
        #expect(settings.bodies(of: "other") == .recent(days: 30))
        let account = settings.accounts["mail.example.com"]
        #expect(account?.name == "Team" && account?.color == .green && account?.entries[.color]?.line == 3)
        for wrong in [
            "accounts = 1", "accounts.a = 1", "accounts.a.nmae = \"x\"", "accounts.a.name = \"\"",
            "accounts.a.color = \"pink\"", "accounts.a.bodies = \"none\"", "accounts.a.name = 3",
        ] {
            #expect(throws: SettingsFault.self, "\(wrong)") { try read(wrong) }
        }
    }

    @Test func `each value knows its line`() throws {
        let settings = try read("[terminal]\ncolors = \"never\"\n\n[log]\nlevel = \"off\"")

        #expect(settings.isWithoutColor && settings.logLevel == .off)
        #expect(settings.entries[.terminalColors]?.line == 2 && settings.entries[.logLevel]?.line == 5)
        #expect(settings.entries[.syncBodies] == nil)
    }

    @Test func `every setting of the table can be set to its standard value`() throws {
        for option in SettingTable.all {
            let settings = try read("\(option.id.rawValue) = \(option.standard.source)")
            #expect(settings.entries[option.id]?.value == option.standard)
        }
    }

    private static let allSettings =
        "There are " + SettingID.allCases.map(\.rawValue).joined(separator: ", ") + "."

    /// Fails when the sentence sends the person to a command that refuses the same file.
    @Test(arguments: [
        ("sync.body = 1", 1, "sync.body", "Did you mean “sync.bodies”?"),
        ("\n[snyc]\nbodies = \"all\"", 3, "snyc.bodies", "Did you mean “sync.bodies”?"),
        ("bodies = \"all\"", 1, "bodies", "Did you mean “sync.bodies”?"),
        ("[log]\nlevle = 1", 2, "log.levle", "Did you mean “log.level”?"),
        ("[sync.more]", 1, "sync.more", SettingsTests.allSettings),
        ("completely = \"else\"", 1, "completely", SettingsTests.allSettings),
    ])
    func `an unknown name is named with its line and the nearest one`(
        _ text: String, _ line: Int, _ name: String, _ advice: String
    ) {
        #expect(throws: SettingsFault(line: line, name: name, reason: "is not a setting", advice: advice)) {
            try read(text)
        }
    }

    @Test(arguments: [
        ("sync.recent_days = \"30\"", "is a text; it takes a number from 1 to 3650"),
        ("sync.recent_days = 0", "is 0; it takes a number from 1 to 3650"),
        ("sync.recent_days = 3651", "is 3651; it takes a number from 1 to 3650"),
        ("sync.recent_days = 1.5", "is a number with a fraction; it takes a number from 1 to 3650"),
        ("sync.recent_days = 2026-01-01", "is a date; it takes a number from 1 to 3650"),
        ("sync.bodies = true", "is true or false; it takes “opened”, “recent” or “all”"),
        ("sync.bodies = [\"all\"]", "is a list; it takes “opened”, “recent” or “all”"),
        ("[sync.bodies]\na = 1", "is a table; it takes “opened”, “recent” or “all”"),
        ("sync.bodies = \"All\"", "is “All”; it takes “opened”, “recent” or “all”"),
        ("sync = 3", "is a number, but is a group of settings"),
    ])
    func `a wrong value is told what it may be`(_ text: String, _ reason: String) {
        do {
            _ = try read(text)
            Issue.record("It was taken.")
        } catch {
            #expect(error.reason == reason && error.line == 1 && error.name?.hasPrefix("sync") == true)
        }
    }

    @Test(arguments: [
        ("sync.bodys", "sync.bodies"), ("terminal.colours", "terminal.colors"), ("sync.bodeis", "sync.bodies"),
        ("LOG.LEVEL", "log.level"),
    ])
    func `a mistyped name finds the right one`(_ typed: String, _ meant: String) {
        #expect(NearestName.of(typed, among: SettingID.allCases.map(\.rawValue)) == meant)
    }

    @Test(arguments: ["", "x", "nothing.like_it", String(repeating: "sync.bodies", count: 100)])
    func `a name like none of them finds none`(_ typed: String) {
        #expect(NearestName.of(typed, among: SettingID.allCases.map(\.rawValue)) == nil)
    }
}

/// Saved searches in the settings.
struct SearchSettingsTests {
    /// Fails when a wrong filter is found only when the search is opened.
    @Test func `a saved search is a name and a filter`() throws {
        let settings = try read("[searches]\n\"To do\" = \"is:starred in:anywhere\"\n")
        #expect(settings.searches.map(\.search) == [SavedSearch(name: "To do", filter: "is:starred in:anywhere")])
        for (text, reason) in [
            ("a = 1", "it takes a filter"), ("a = \"is:new\"", "is no filter"), ("a = \"\"", "is no filter"),
            ("\" \" = \"a\"", "has no name"),
        ] {
            let fault = try #require(throws: SettingsFault.self) {
                try read("[searches]\n\(text)\n")
            }
            #expect(fault.line == 2 && fault.reason.contains(reason), "\(text)")
        }
    }

    /// Fails when a search takes the name of a folder, or of another search, or its line is not told.
    @Test(arguments: [
        ("[searches]\n\"inbox\" = \"a\"", 2, "the name of a folder"),
        ("[searches]\nA = \"a\"\n\n\" Catch-all \" = \"a\"", 4, "the name of a folder"),
        ("[searches]\nArchived = \"a\"", 2, "the name of a folder"),
        ("[searches]\nWaiting = \"a\"\nwaiting = \"b\"", 3, "in line 2"),
        ("[accounts.work.searches]\nTrash = \"a\"", 2, "the name of a folder"),
        ("[accounts.work.searches]\nA = \"is:new\"", 2, "is no filter"),
        ("[accounts.work]\nsearches = 1", 2, "a group of saved searches"),
    ])
    func `a search has a name of its own`(_ text: String, _ line: Int, _ reason: String) throws {
        let fault = try #require(throws: SettingsFault.self) { try read(text) }
        #expect(fault.line == line && fault.reason.contains(reason), "\(fault)")
    }

    /// Fails when searches of one account are shown by another, or are lost.
    @Test func `an account can have searches of its own`() throws {
        let settings = try read("[searches]\nA = \"a\"\n[accounts.work.searches]\na = \"b\"\nB = \"c\"\n")
        #expect(
            settings.searches.map(\.search) == [
                SavedSearch(name: "A", filter: "a"), SavedSearch(name: "a", filter: "b", account: "work"),
                SavedSearch(name: "B", filter: "c", account: "work"),
            ])
        #expect(try read("[searches]\n").searches == [])
    }
}
