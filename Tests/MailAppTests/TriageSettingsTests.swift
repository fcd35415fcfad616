import MailUI
import Testing

@testable import MailApp

/// What the settings say of acting on mail, and the program's times for it.
struct TriageSettingsTests {
    private static func read(_ text: String) throws(SettingsFault) -> Settings {
        try SettingsReader.read(Array(text.utf8))
    }

    @Test(arguments: [
        ("", TriageSettings()), ("read.mark_after = 0", TriageSettings(markAfter: 0)),
        ("read.mark_after = \"never\"", TriageSettings(markAfter: nil)),
        ("[read]\nafter_action = \"list\"\nmark_after = 10", TriageSettings(afterAction: .list, markAfter: 10_000)),
        (
            "[mailboxes.\"Ann@example.org\"]\nmark_after = \"never\"\n[mailboxes.\"b@example.org\"]\nmark_after = 5",
            TriageSettings(markAfterIn: ["ann@example.org": nil, "b@example.org": 5_000])
        ),
    ])
    func `the file says when mail counts as read and where to go`(_ text: String, _ expected: TriageSettings) throws {
        #expect(try Self.read(text).triage == expected)
    }

    @Test(arguments: [
        ("read.mark_after = \"soon\"", "read.mark_after", "is “soon”; it takes seconds from 0 to 3600, or “never”"),
        ("read.mark_after = -1", "read.mark_after", "is -1; it takes seconds from 0 to 3600, or “never”"),
        ("read.after_action = \"up\"", "read.after_action", "is “up”; it takes “next”, “previous” or “list”"),
        ("mailboxes = 3", "mailboxes", "is a number; it takes a group for each address"),
        ("[mailboxes]\nann = 3", "mailboxes.\"ann\"", "is a number, but is a group of settings of a mailbox"),
        ("[mailboxes.ann]\nmark_after = 3", "mailboxes.\"ann\"", "is no address of a mailbox"),
        (
            "[mailboxes.\"a@b.example\"]\nmark = 3", "mailboxes.\"a@b.example\".mark",
            "is not a setting of a mailbox"
        ),
        (
            "[mailboxes.\"a@b.example\"]\nmark_after = true", "mailboxes.\"a@b.example\".mark_after",
            "is true or false; it takes seconds from 0 to 3600, or “never”"
        ),
    ])
    func `what cannot be had is named`(_ text: String, _ name: String, _ reason: String) {
        do {
            _ = try Self.read(text)
            Issue.record("It was taken.")
        } catch {
            #expect(error.name == name && error.reason == reason, "\(error)")
        }
    }

    @Test func `a setting of seconds can be changed while the program runs`() throws {
        var settings = Settings()
        try settings.change("read.mark_after=never")
        #expect(settings.triage.markAfter == nil)
        try settings.change("read.mark_after=7")
        #expect(settings.triage.markAfter == 7_000)
        #expect(throws: SettingsFault.self) { try settings.change("read.mark_after=later") }
    }

    /// Fails when a time is told early, twice or never, or the loop sleeps past it.
    @Test func `times are told once they are over`() {
        var work = TriageWork()
        #expect(work.sleep(from: 5) == .seconds(1))
        work.timers = [1: 2_000, 2: 2_500, 3: 9_000]
        #expect(work.sleep(from: 0) == .seconds(1) && work.sleep(from: 1_700) == .milliseconds(300))
        #expect(work.due(at: 1_999) == [])
        #expect(work.due(at: 2_500) == [1, 2])
        #expect(work.due(at: 2_500) == [])
        // A clock that stands still, and one that was set far ahead.
        #expect(work.sleep(from: 8_999) == .milliseconds(20) && work.sleep(from: 99_999) == .milliseconds(20))
        #expect(work.sleep(from: .min) == .seconds(1))
    }
}
