import Glibc
import MailUI
import Platform
import Testing

@testable import MailApp

/// Keys in the settings file, and settings that change while the program runs.
struct KeySettingsTests {
    private static func read(_ text: String) throws(SettingsFault) -> Settings {
        try SettingsReader.read(Array(text.utf8))
    }

    @Test func `keys are read with their lines`() throws {
        let settings = try Self.read(
            """
            [keys]
            profile = "mutt"
            [keys.list]
            ",w" = "filter waiting"
            "C-x s" = "go sent"
            [keys.everywhere]
            X = "none"
            """)

        #expect(settings.keyChanges.map(\.line) == [4, 5, 7])
        #expect(settings.keyMap != .standard)
    }

    @Test(
        arguments: [
            ("keys.list.o = \"opne\"", "keys.list.o", "is to do “opne”, which is no action", "Did you mean “open”?"),
            ("\n[keys.lst]\no = \"open\"", "keys.lst", "is no group of keys", "Did you mean “keys.list”?"),
            ("[keys]\no = \"open\"", "keys.o", "is no group of keys", "There are “keys.list”, “keys.reader”"),
            ("[keys.list]\no = 3", "keys.list.o", "is a number; it takes the name of an action", nil),
            ("[keys.list]\ng.x = \"open\"", "keys.list.g", "is a table; it takes the name of an action", nil),
            ("[keys]\nlist = 3", "keys.list", "is a number, but is a group of keys", nil),
            ("keys = 3", "keys", "is a number, but is a group of settings", nil),
            ("keys.profile = \"vim\"", "keys.profile", "is “vim”; it takes “default”, “mutt”", nil),
            ("[keys.list]\ng = \"refresh\"", "keys.list.g", "would hide “gg” (first)", "Add \"g...\" = \"none\""),
            ("[keys.list]\nx = \"open\"\nxy = \"last\"", "keys.list.xy", "since “x” on line 2 begins it", "Choose"),
            ("[keys.list]\nx = \"open\"\nx = \"last\"", nil, "", nil),
        ] as [(String, String?, String, String?)])
    func `a key that cannot be had is named with its line`(
        _ text: String, _ name: String?, _ reason: String, _ advice: String?
    ) {
        do throws(SettingsFault) {
            _ = try Self.read(text)
            Issue.record("It was taken.")
        } catch {
            #expect(
                error.line == text.split(separator: "\n", omittingEmptySubsequences: false).count || name == "keys.lst")
            #expect(error.name == name)
            #expect(error.reason.contains(reason), "\(error.reason)")
            #expect(advice.map { error.advice?.contains($0) == true } ?? true, "\(error.advice ?? "")")
        }
    }

    @Test(arguments: [
        ("log.level=debug", nil), ("log.level = \"debug\"", nil), ("log.level debug", nil),
        ("save.directory=~/in box", nil), ("save.directory=box", "“save.directory” is not “box”; it takes the path"),
        ("sync.recent_days=7", nil), ("keys.profile=emacs", nil),
        ("log.level=loud", "“log.level” is not “loud”; it takes"),
        ("log.level", "“log.level” takes “off”"),
        ("log.levl=info", "“log.levl” is not a setting. Did you mean “log.level”?"),
        ("sync.recent_days=x", "“sync.recent_days” is not “x”; it takes a number"), ("", "is not a setting"),
        ("keys.list.o=open", "“keys.list.o” is not a setting"),
    ])
    func `a setting is changed by its name`(_ text: String, _ sentence: String?) {
        var settings = Settings()
        do throws(SettingsFault) {
            try settings.change(text)
            #expect(sentence == nil)
            #expect(settings != Settings())
        } catch {
            let told = SettingsFile.sentence(error, nil)
            #expect(sentence.map { told.contains($0) } == true, "\(told)")
        }
    }

    /// Fails when the history of one run is lost in the next, grows without bound, or can be read by others.
    @Test func `command lines are kept, bounded and private`() throws {
        let directory = "/tmp/herald-history-\(UInt64.random(in: 0...UInt64.max))"
        defer { Files.removeTree(directory) }
        let history = HistoryFile(path: directory + "/deep/command-history", linesMax: 10)
        #expect(history.load().isEmpty)

        for number in 0..<25 { history.append("go \(number)\n漢") }
        history.append(String(repeating: "x", count: HistoryFile.lineBytesMax + 1))

        #expect(history.load() == (15..<25).map { "go \($0)漢" })
        #expect(try Files.read(directory + "/deep/command-history").split(separator: 0x0A).count == 10)
        var status = stat()
        #expect(stat(directory + "/deep/command-history", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    /// Fails when something else in the file's place stops the program or is written to.
    @Test func `a directory in the place of the history is left alone`() throws {
        let directory = "/tmp/herald-history-\(UInt64.random(in: 0...UInt64.max))"
        defer { Files.removeTree(directory) }
        try Files.makeDirectory(directory + "/command-history")
        let history = HistoryFile(path: directory + "/command-history")

        history.append("go sent")

        #expect(history.load().isEmpty && Files.isDirectory(directory + "/command-history"))
    }
}
