import HTTP
import Testing

@testable import MailApp

/// Where pictures of other servers may come from.
struct RemotePictureTests {
    /// Fails when a mail could make requests to this machine or to the network around it.
    @Test(arguments: [
        "localhost", "LOCALHOST", "router", "nas.local", "x.localhost", "db.internal", "127.0.0.1", "127.1", "10.0.0.1",
        "192.168.1.1", "172.16.0.1", "172.31.255.255", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "[::1]", "[fe80::1]", "::1", "0x7f000001", "2130706433", "0177.0.0.1", "1.2.3", "127.0.0.1.",
    ])
    func `this machine and its network are private`(host: String) {
        #expect(RemotePictures.isPrivate(host))
    }

    @Test(arguments: [
        "example.com", "images.example.org", "8.8.8.8", "172.32.0.1", "192.169.0.1", "1.example", "a.b.c.d.e",
    ])
    func `the public web is not`(host: String) {
        #expect(!RemotePictures.isPrivate(host))
    }

    @Test(arguments: [
        ("https://b.example/x", "https://b.example/x"), ("//b.example/x", "https://b.example/x"),
        ("/y?z", "https://a.example:8443/y?z"), ("y.png", "https://a.example:8443/p/y.png"),
    ])
    func `a redirect leads where it says`(location: String, address: String) throws {
        let target = try #require(URLParts("https://a.example:8443/p/x.png?q"))
        #expect(RemotePictures.resolved(location, against: target) == address)
    }
}
