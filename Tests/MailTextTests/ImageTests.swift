import MailModel
import MailText
import Testing

/// The pictures of a body.
struct ImageTests {
    private static func html(_ text: String, hasRemote: Bool = true) -> MessageHTML {
        MessageHTML(
            html: text, quotedHTML: nil, afterQuotedHTML: nil, hasRemoteImages: hasRemote, remoteMediaTrusted: false)
    }

    /// Fails when the number of pictures left out is not the one the person reads.
    @Test(arguments: [
        ("", 0), ("<p>img src</p>", 0), ("<img>", 1), ("<img alt=\"x\" loading=\"lazy\" />", 1), ("<img src=\"\">", 1),
        ("<img src=\"https://a.example/x\">", 0), ("<IMG SRC='https://a.example/x'/>", 0), ("<img src=x>", 0),
        ("<img alt=\"src=\" width=1>", 1), ("<img alt=\"a > b\" src=\"https://a.example/\">", 0), ("<image>", 0),
        ("<img alt='<img>'>", 1), ("<img alt=\"1\"><b><img alt=\"2\" height=\"3\"></b>", 2), ("<img alt=\"", 1),
        ("<img data-src=\"x\">", 1), ("<imgsrc=\"x\">", 0),
    ])
    func `pictures without an address are counted`(text: String, count: Int) {
        #expect(Self.html(text).blockedImages == count)
        #expect(Self.html(text, hasRemote: false).blockedImages == 0)
    }

    @Test func `pictures in quotes are counted too`() {
        var html = Self.html("<img>")
        html.quotedHTML = "<div><img alt=\"a\"><img></div>"
        html.afterQuotedHTML = "<img>"
        #expect(html.blockedImages == 4)
    }

    /// Fails when a picture would be fetched from anywhere but where it is, or a spacer is drawn.
    @Test(arguments: [
        (
            "<img src=\"http://o.example/api/v1/messages/m1/inline/a%2D1\">",
            ImageTarget.Source.inline(AttachmentID("a-1"))
        ),
        ("<img src=\"/api/v1/messages/m1/inline/a1?x=y\">", .inline(AttachmentID("a1"))),
        ("<img src=\"inline/a1\">", nil),
        ("<img src=\"https://other.example/x.png\">", .remote("https://other.example/x.png")),
        ("<img src=\"https://other.example/x.png\" width=\"1\" height=\"1\">", nil),
        ("<img src=\"https://other.example/x.png\" width=\"16px\">", nil),
        ("<img src=\"data:image/png;base64,AA\">", nil), ("<img src=\"file:///etc/passwd\">", nil),
        ("<img src=\"javascript:x\">", nil), ("<img alt=\"words\">", nil), ("<img src=\"x.png\">", nil),
    ])
    func `a picture has a source`(text: String, source: ImageTarget.Source?) {
        #expect(renderHTML("<p>a " + text + "</p>", columns: 60).images.map(\.source) == (source.map { [$0] } ?? []))
    }

    /// Fails when the lines do not tell where a picture stands.
    @Test func `the words of a picture carry its number`() {
        let text = """
            <p>One <img src="https://a.example/1" alt="first" width="300" height="100"> and</p>
            <p><img src="https://a.example/2"></p><p><img src="https://a.example/1" alt="again"></p>
            """
        let body = renderHTML(text, columns: 60)
        #expect(body.text == "One [image: first] and\n\n[image]\n\n[image: again]")
        #expect(body.lines.map { $0.runs.compactMap(\.role.image) } == [[1], [], [2], [], [1]])
        #expect(body.images.map(\.width) == [300, nil])
        #expect(body.images.map(\.height) == [100, nil])
    }

    @Test func `a thousand pictures are a hundred`() {
        let text = (0..<1_000).map { "<img src=\"https://a.example/\($0)\">" }.joined()
        #expect(renderHTML(text, columns: 60).images.count == 100)
    }
}
