import HTTP
import Testing

@testable import MailApp

private let places = Places(config: "/c", cache: "/c", state: "/s")

/// Fails when two servers share the files of one account.
@Test func `servers that differ have labels that differ`() throws {
    let origins = [
        "http://127.0.0.1:8443", "https://127.0.0.1:8443", "http://localhost", "https://localhost", "http://[::1]",
        "https://[::1]", "https://mail.example.com", "https://mail.example.com:8443",
    ]
    let labels = try origins.map { try Account.make(origin: $0, token: "t", places: places).label }
    #expect(Set(labels).count == origins.count, "\(labels)")
    #expect(labels[0] == "127.0.0.1-8443")
    #expect(labels[6] == "mail.example.com")
    #expect(labels.allSatisfy { !$0.contains("/") && !$0.hasPrefix(".") })
}

/// Fails when an account can take the name of something else that is kept beside it, or of another directory.
@Test func `a name is that of a directory of its own`() {
    for name in ["work", "ann@client.example", "Jürgen", "-x", "a+b_c", String(repeating: "x", count: 64)] {
        #expect(Accounts.isName(name), "\(name)")
    }
    let files = [places.historyPath, places.logPath, places.logPath + ".1"].map {
        $0.split(separator: "/").last.map(String.init) ?? ""
    }
    let tooLong = String(repeating: "x", count: 65)
    for name in files + ["opened", "sync-failed", "", ".", "..", ".x", "a/b", "a b", tooLong] {
        #expect(!Accounts.isName(name), "\(name)")
    }
}

/// Fails when what a person types or pastes for a server is refused, or leads elsewhere.
@Test func `a typed address is an origin`() throws {
    let table = [
        "mail.example.com": "https://mail.example.com",
        " https://Mail.Example.com/inbox?a=b ": "https://mail.example.com",
        "mail.example.com:8443/device": "https://mail.example.com:8443", "127.0.0.1:8080": "http://127.0.0.1:8080",
        "localhost": "http://localhost", "http://mail.example.com": "http://mail.example.com",
    ]
    for (typed, origin) in table { #expect(try Account.typedOrigin(typed).origin == origin, "\(typed)") }
    for typed in [
        "", "mail.example .com", "mail example@x", "ftp://mail.example.com", "https://me@mail.example.com", "https://",
    ] {
        #expect(throws: CommandFailure.self, "\(typed)") { try Account.typedOrigin(typed) }
    }
}

/// Fails when a run of several accounts ends as if nothing had happened, or a code has no place in the order.
@Test func `the worst code is that of what only a person can mend`() {
    #expect(ExitCode.worst([]) == .done)
    #expect(ExitCode.worst([.done, .tryLater]) == .tryLater)
    #expect(ExitCode.worst([.unreachable, .signInNeeded, .done]) == .signInNeeded)
    #expect(ExitCode.worst([.inputOutput, .signInNeeded]) == .inputOutput)
    for code in ExitCode.allCases { #expect(ExitCode.worst([.done, code]) == code) }
}
