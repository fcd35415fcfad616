import HTTP
import Testing

struct LinkValueTests {
    @Test(
        arguments: [
            ("<https://a.example/m?cursor=x>; rel=\"next\"", "https://a.example/m?cursor=x"),
            ("<https://a.example/m?a=1,2;b>; rel=next", "https://a.example/m?a=1,2;b"),
            ("</1>; rel=\"prev\", </2>; rel=\"next\"", "/2"),
            ("</1>; rel=\"last Next\"", "/1"),
            ("</1>; title=\"a, b; rel=next\"; rel=prev, </2>;REL = next", "/2"),
            ("</1>; title=\"quoted \\\" mark\"; rel=next", "/1"),
            ("</1>; rel=prev; rel=next", nil),
            ("</1>", nil),
            ("</1; rel=next", nil),
            ("</1>; rel=\"next", "/1"),
            ("</1>;;; rel=next;", "/1"),
            ("rel=next", nil),
            ("", nil),
            (",,<", nil),
        ] as [(String, String?)])
    func `the next page is found in any form of the field`(value: String, expected: String?) {
        #expect(HTTPResponse(status: 200, headers: [HTTPHeader("link", value)]).nextLink == expected)
    }

    @Test func `a second field is read as well`() {
        let headers = [HTTPHeader("Link", "</1>; rel=prev"), HTTPHeader("Link", "</2>; rel=next")]
        #expect(HTTPResponse(status: 200, headers: headers).nextLink == "/2")
    }
}
