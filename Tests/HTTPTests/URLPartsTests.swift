import HTTP
import Testing

struct URLPartsTests {
    @Test(arguments: [
        ("HTTPS://Mail.Example", "https://mail.example", "/"),
        ("https://mail.example:443/api?x=1#f", "https://mail.example", "/api"),
        ("http://mail.example:8080?x", "http://mail.example:8080", "/"),
        ("http://[::1]:80/", "http://[::1]", "/"),
        ("http://127.0.0.1:9/a:b@c", "http://127.0.0.1:9", "/a:b@c"),
    ])
    func `an address has a canonical origin`(text: String, origin: String, path: String) throws {
        let parts = try #require(URLParts(text))
        #expect(parts.origin == origin)
        #expect(parts.path == path)
    }

    @Test(arguments: [
        "", "mail.example", "ftp://mail.example", "https:/mail.example", "https://", "https:///a", "https://:80",
        "https://user@mail.example", "https://mail.example@evil.example", "https://mail.example\\@evil.example",
        "https://mail.example:0", "https://mail.example:65536", "https://mail.example:8x", "https://mail.exa mple",
        "https://mail.example/a\nb", "http://[::1", "http://[]", "http://[::1]x", "http://[fe80::1%25eth0]/",
    ])
    func `an address two programs could read differently is refused`(text: String) {
        #expect(URLParts(text) == nil)
    }

    @Test(arguments: [
        ("http://localhost:1/", true), ("http://127.0.0.1", true), ("http://127.9.9.9", true), ("http://[::1]", true),
        ("http://127.0.0.1.evil.example", false), ("http://127.1", false), ("http://127.0.0.256", false),
        ("http://localhost.example", false), ("http://128.0.0.1", false),
    ])
    func `only addresses of this machine are loopback`(text: String, expected: Bool) throws {
        #expect(try #require(URLParts(text)).isLoopback == expected)
    }

    @Test(arguments: [
        ("https://mail.example/x", true), ("https://MAIL.example:443/", true), ("http://mail.example/", false),
        ("https://mail.example:8443/", false), ("https://evil.example/", false), ("https://mail.example.evil/", false),
        ("https://mail.example@evil.example/", false),
    ])
    func `a bearer token never leaves its origin`(url: String, expected: Bool) throws {
        let origin = try #require(URLParts("https://mail.example"))
        var request = HTTPRequest(url: url)
        #expect(request.authorize(bearer: "t", for: origin) == expected)
        #expect(request.headers.value(of: "authorization") == (expected ? "Bearer t" : nil))
    }

    @Test func `a query keeps unreserved characters and encodes all others`() {
        let query = PercentEncoding.query([("q", "a b+c&d=é~-._"), ("folder", "in/box")])
        #expect(query == "q=a%20b%2Bc%26d%3D%C3%A9~-._&folder=in%2Fbox")
    }
}
