internal import Testing

@testable internal import MailSignIn

struct RedirectRequestTests {
    private static func read(_ head: String) -> RedirectRequest {
        RedirectRequest(Array(head.utf8), port: 4_711, state: "s-1")
    }

    private static let host = "Host: 127.0.0.1:4711\r\n\r\n"

    private static let ours = "GET /callback?code=c&state=s-1 HTTP/1.1\r\n"
    private static let odd = "GET /callback?state=s-1&iss=http%3A%2F%2Fx%2Fa+b&error= HTTP/1.1\r\nA: b\r\n"

    /// Heads of browsers and of others.
    private static let heads: [String] = [
        ours, ours + host, odd + host,
        "GET /callback?code=c&state=s-2 HTTP/1.1\r\n" + host, "GET /callback?code=c HTTP/1.1\r\n" + host,
        "GET /callback?state=s-2&state=s-1 HTTP/1.1\r\n" + host,
        "GET /callback?state=s-1&code=%zz HTTP/1.1\r\n" + host,
        "GET /callback?state=s-1&code=%C3 HTTP/1.1\r\n" + host,
        "GET /callback HTTP/1.1\r\n" + host, "GET /favicon.ico HTTP/1.1\r\n" + host,
        "GET /callback/x?state=s-1 HTTP/1.1\r\n" + host, "POST /callback?state=s-1 HTTP/1.1\r\n" + host,
        "GET /callback?state=s-1 HTTP/1.1\r\nHost: evil.example:4711\r\n\r\n",
        "GET /callback?state=s-1 HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n",
        "\u{16}\u{3}\u{1}\r\n\r\n", "\r\n\r\n", "", String(repeating: "x", count: RedirectRequest.bytesMax + 1),
    ]
    /// What each of them is.
    private static let meanings: [RedirectRequest] = [
        .incomplete, .answer(["code": "c", "state": "s-1"]),
        .answer(["state": "s-1", "iss": "http://x/a b", "error": ""]),
        .stranger, .stranger, .other, .other, .other, .other, .other, .other, .other, .other, .other, .other, .other,
        .incomplete, .other,
    ]

    /// Fails when anything but our own answer ends the wait, or an answer in pieces is refused.
    @Test func `a head is read`() {
        #expect(RedirectRequestTests.heads.map(RedirectRequestTests.read) == RedirectRequestTests.meanings)
    }

    /// Fails when a page could be kept, tell the code to others, or have something of the request in it.
    @Test func `pages tell nothing`() {
        let answer = RedirectRequest.answer(["state": "<b>", "code": "secret", "error": "<i>"])
        for request in [answer, .stranger, .other] {
            let page = String(decoding: request.page, as: UTF8.self)
            #expect(page.contains("Cache-Control: no-store\r\n"))
            #expect(page.contains("Referrer-Policy: no-referrer\r\n"))
            #expect(!page.contains("secret") && !page.contains("<b>") && !page.contains("<i>"))
        }
    }
}
