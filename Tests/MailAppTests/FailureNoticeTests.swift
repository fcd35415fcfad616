import Glibc
import MailTestSupport
import Platform
import Testing

@testable import MailApp

private func withNotice(_ body: (FailureNotice) throws -> Void) throws {
    let scratch = try Scratch()
    defer { scratch.remove() }
    let places = Places(config: scratch.path, cache: scratch.path, state: scratch.path)
    try body(FailureNotice(places: places))
}

private let day: Int64 = 86_400_000
private let now: Int64 = 1_700_000_000_000

/// Fails when cron sends a mail every few minutes while a failure lasts, or none for days.
@Test func `a failure is told when it begins and then once a day`() throws {
    try withNotice { notice in
        #expect(notice.shouldTell(.unreachable, now: now))
        #expect(!notice.shouldTell(.unreachable, now: now + 1))
        #expect(!notice.shouldTell(.unreachable, now: now + day - 1))
        #expect(notice.shouldTell(.unreachable, now: now + day))
        #expect(!notice.shouldTell(.unreachable, now: now + 2 * day - 1))
        notice.clear()
        #expect(notice.shouldTell(.unreachable, now: now + 2 * day))
    }
}

/// Fails when two failures that take turns are told each time.
@Test func `each kind of failure has its own day`() throws {
    try withNotice { notice in
        #expect(notice.shouldTell(.unreachable, now: now))
        #expect(notice.shouldTell(.tryLater, now: now + 1))
        for minute in 1...20 as ClosedRange<Int64> {
            #expect(!notice.shouldTell(minute % 2 == 0 ? .unreachable : .tryLater, now: now + minute * 60_000))
        }
    }
}

@Test func `a clock that was ahead and a damaged note do not silence a failure`() throws {
    try withNotice { notice in
        #expect(notice.shouldTell(.unreachable, now: now + 100 * day))
        #expect(notice.shouldTell(.unreachable, now: now))
        try Files.replace(notice.path, with: [0xFF, 0x0A, 0x36, 0x39, 0x20, 0x78])
        #expect(notice.shouldTell(.unreachable, now: now))
        #expect(!notice.shouldTell(.unreachable, now: now))
    }
}

/// Fails when a disk that fills up after a success has no room for the note.
@Test func `after a success a failure is noted in room that is there`() throws {
    try withNotice { notice in
        let account = FailureNotice(account: try account(in: notice.path))
        try Files.makeDirectory(String(account.path.dropLast("/sync-failed".count)))
        account.clear()
        let size = try Files.read(account.path).count
        let inode = Files.inode(account.path)
        for code in ExitCode.allCases { #expect(account.shouldTell(code, now: now)) }
        for code in ExitCode.allCases { #expect(!account.shouldTell(code, now: now + 1)) }
        #expect(try Files.read(account.path).count == size && Files.inode(account.path) == inode)
        account.clear()
        #expect(try Files.read(account.path).count == size && Files.inode(account.path) == inode)
        #expect(account.shouldTell(.unreachable, now: now + 2))
    }
}

/// Fails when a name without room for a line is not used: its time stands for every failure.
@Test func `an empty note silences all failures for a day`() throws {
    try withNotice { notice in
        Files.touchEmpty(notice.path, milliseconds: now)
        #expect(!notice.shouldTell(.inputOutput, now: now + 1) && !notice.shouldTell(.unreachable, now: now + day - 1))
        #expect(notice.shouldTell(.inputOutput, now: now + day))
        #expect(!notice.shouldTell(.inputOutput, now: now + day + 1))
        Files.remove(notice.path)
        Files.touchEmpty(notice.path, milliseconds: now)
        notice.clear()
        #expect(notice.shouldTell(.inputOutput, now: now + 1))
    }
}

private func account(in path: String) throws -> Account {
    let places = Places(config: path + ".d", cache: path + ".d", state: path + ".d")
    return try Account.make(origin: "https://x.example", token: "t", places: places)
}

/// Fails when a failure is silent since it cannot be noted.
@Test func `a failure that cannot be noted is told each time`() throws {
    let places = Places(config: "/dev/null/x", cache: "/dev/null/x", state: "/dev/null/x")
    #expect(FailureNotice(places: places).shouldTell(.signInNeeded, now: now))
    #expect(FailureNotice(places: places).shouldTell(.signInNeeded, now: now))
}
