import Glibc
import MailSync
import MailTestSupport
import Platform
import Testing

@testable import MailApp

@Test func `what is recorded is read back, also after a file that cannot be read`() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let file = PassJournalFile(path: scratch.path + "/last-pass.json", owner: "https://x.example 1")
    #expect(file.history == PassHistory())
    var expected = PassHistory()
    let records = [
        PassRecord(finishedAtMilliseconds: 1_767_312_000_000, failure: nil, requests: 3, hasDrafts: false),
        PassRecord(finishedAtMilliseconds: 1_767_398_400_000, failure: "It “failed”.", requests: 4, needsSignIn: true),
    ]
    for record in records {
        file.record(record)
        expected.add(record)
        #expect(file.history == expected)
    }
    // Another origin or sign-in that has the same label is somebody else.
    #expect(PassJournalFile(path: file.path, owner: "https://x.example 2").history == PassHistory())
    file.count(requests: 9, at: 1_767_398_400_001)
    expected.add(requests: 9, at: 1_767_398_400_001)
    #expect(file.history == expected)
    for damage in ["", "{", "[]", #"{"day":"x"}"#] {
        try Files.replace(file.path, with: Array(damage.utf8))
        #expect(file.history == PassHistory())
        file.record(records[0])
        #expect(file.history.requestsToday == 3)
    }
}

/// Fails when a failure that lasts cannot be told from one that has just begun.
@Test func `failures in a row are counted over processes`() throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let file = PassJournalFile(path: scratch.path + "/last-pass.json", owner: "o")
    var counts: [Int] = []
    for failure in [nil, "Down.", "Down.", "Down.", nil, "Down."] {
        file.record(PassRecord(finishedAtMilliseconds: 1, failure: failure, requests: 1))
        counts.append(file.history.failures)
    }
    #expect(counts == [0, 1, 2, 3, 0, 1])
}

@Test func `a directory that is not there is no failure`() {
    let file = PassJournalFile(path: "/nowhere/at/all/last-pass.json", owner: "o")
    file.record(PassRecord(finishedAtMilliseconds: 0, failure: nil, requests: 1))
    #expect(file.history == PassHistory())
}
