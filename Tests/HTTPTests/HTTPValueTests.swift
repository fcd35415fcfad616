import HTTP
import Testing

struct HTTPValueTests {
    @Test func `a header is found in any case of letters`() {
        let response = HTTPResponse(status: 200, headers: [HTTPHeader("X-Retry-After", "7")])
        #expect(response.value(of: "x-retry-AFTER") == "7")
        #expect(response.value(of: "Retry-After") == nil)
    }

    @Test(arguments: [
        HTTPHeader("", "x"), HTTPHeader("a b", "x"), HTTPHeader("a:", "x"), HTTPHeader("a", "x\r\nb: y"),
        HTTPHeader("a", "x\0"),
    ])
    func `a header that would change its neighbours is not well formed`(header: HTTPHeader) {
        #expect(!header.isWellFormed)
        #expect(!HTTPRequest(url: "http://localhost", headers: [header]).isWellFormed)
    }

    @Test func `only a post is not repeatable by default`() {
        #expect(HTTPRequest(method: "PATCH", url: "").isRepeatable)
        #expect(!HTTPRequest(method: "POST", url: "").isRepeatable)
        #expect(HTTPRequest(method: "POST", url: "", isRepeatable: true).isRepeatable)
    }

    @Test(arguments: [
        HTTPError.badURL, .badRequest, .badBody, .unknownHost, .unreachable, .timedOut, .tlsFailed, .interrupted,
        .tooLarge(limit: 9), .badResponse, .stopped, .transportFailed,
    ])
    func `every error has a sentence for people`(error: HTTPError) {
        #expect(error.message.hasSuffix("."))
    }
}
