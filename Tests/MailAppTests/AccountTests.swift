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
