internal import Testing

@testable internal import LocalServer

/// A source and what the sanitiser makes of it.
struct SanitizerFixture: Sendable, CustomTestStringConvertible {
    let name: String
    let source: String
    let html: String
    var quote: String?
    var after: String?
    var loadsRemote = false

    var testDescription: String { name }

    static let tags = [
        SanitizerFixture(name: "kept tags", source: "<p>a <em>b</em></p>", html: "<p>a <em>b</em></p>"),
        SanitizerFixture(name: "dropped tags keep their text", source: "<b>a</b><font>b</font>", html: "ab"),
        SanitizerFixture(name: "a title's text stays", source: "<title>A &amp; b</title>", html: "A &amp; b"),
        SanitizerFixture(name: "a script goes whole", source: "a<script>if (1<2) x</script>b", html: "ab"),
        SanitizerFixture(name: "a style goes whole", source: "a<style>p{}</style>b", html: "ab"),
        SanitizerFixture(
            name: "a frame's content is text", source: "<iframe><p>x</iframe>y", html: "&lt;p&gt;xy"),
        SanitizerFixture(name: "an open tag is closed", source: "<div><p>a", html: "<div><p>a</p></div>"),
        SanitizerFixture(name: "a paragraph ends another", source: "<p>a<p>b", html: "<p>a</p><p>b</p>"),
        SanitizerFixture(name: "a cell ends another", source: "<td>a<td>b", html: "<td>a</td><td>b</td>"),
        SanitizerFixture(name: "a stray end is dropped", source: "a</div>b", html: "ab"),
        SanitizerFixture(name: "a stray paragraph end makes one", source: "a</p>b", html: "a<p></p>b"),
        SanitizerFixture(name: "a comment goes", source: "a<!-- <p>x -->b", html: "ab"),
        SanitizerFixture(name: "a lone sign is text", source: "1 < 2 & 3", html: "1 &lt; 2 &amp; 3"),
        SanitizerFixture(name: "references", source: "&eacute;&copy&#8364;&#128;&bogus;", html: "é©€€&amp;bogus;"),
        SanitizerFixture(name: "an unfinished tag goes", source: "a<p class=\"x", html: "a"),
    ]

    static let attributes = [
        SanitizerFixture(
            name: "class and id go", source: "<p class=\"a\" id=b title='t' dir=ltr>x</p>",
            html: "<p title=\"t\" dir=\"ltr\">x</p>"),
        SanitizerFixture(name: "an empty one goes", source: "<p title=''>x</p>", html: "<p>x</p>"),
        SanitizerFixture(
            name: "style keeps what is harmless",
            source: "<p style=\"color: red; position:fixed; background-color:url(x); margin :0 1px\">x</p>",
            html: "<p style=\"color:red;margin:0 1px\">x</p>"),
        SanitizerFixture(
            name: "a link", source: "<a href='https://a.test' class=x>l</a>",
            html: "<a href=\"https://a.test\" rel=\"noopener noreferrer\" target=\"_blank\">l</a>"),
        SanitizerFixture(name: "a fragment", source: "<a href='#x'>l</a>", html: "<a href=\"#x\">l</a>"),
        SanitizerFixture(name: "a script in a link", source: "<a href='javascript:x()'>l</a>", html: "<a>l</a>"),
        SanitizerFixture(name: "a relative link", source: "<a href='/x'>l</a>", html: "<a>l</a>"),
        SanitizerFixture(name: "a link that is no address", source: "<a href='http://a b'>l</a>", html: "<a>l</a>"),
        SanitizerFixture(
            name: "a hidden image", source: "<img src='https://a.test/x.png' width=1>",
            html: "<img width=\"1\" loading=\"lazy\" alt=\"Remote image hidden\" />"),
        SanitizerFixture(
            name: "a shown image", source: "<img src='HTTP://A.test' alt='' srcset=x>",
            html: "<img src=\"http://a.test/\" alt=\"\" loading=\"lazy\" referrerpolicy=\"no-referrer\" />",
            loadsRemote: true),
        SanitizerFixture(
            name: "an inline image", source: "<img src='CID:One%40x'>",
            html: "<img src=\"http://h/api/v1/messages/msg_1/inline/att_1\" loading=\"lazy\" />"),
        SanitizerFixture(name: "a data image", source: "<img src='data:x'>", html: "<img loading=\"lazy\" />"),
    ]

    static let quotes = [
        SanitizerFixture(
            name: "Gmail", source: "<div>new</div>\n<div class=\"gmail_quote x\">old</div>\n<p>more</p>",
            html: "<div>new</div>", quote: "<div>old</div>", after: "<p>more</p>"),
        SanitizerFixture(
            name: "Apple", source: "new<blockquote type=cite>old</blockquote>", html: "new",
            quote: "<blockquote>old</blockquote>"),
        SanitizerFixture(
            name: "Outlook", source: "<body><p>new</p><div id=\"divRplyFwdMsg\">From</div><p>old</p></body>",
            html: "<p>new</p>", quote: "<div>From</div><p>old</p>"),
        SanitizerFixture(
            name: "Word",
            source: "<p>n</p><div style='border:none;border-top:solid #E1E1E1 1.0pt'><b>Von: </b>x</div><p>o",
            html: "<p>n</p>",
            quote: "<div style=\"border:none;border-top:solid #E1E1E1 1.0pt\">Von: x</div><p>o</p>"),
        SanitizerFixture(
            name: "Thunderbird", source: "n<div class=moz-cite-prefix>On</div><blockquote>o</blockquote>", html: "n",
            quote: "<div>On</div><blockquote>o</blockquote>"),
        SanitizerFixture(
            name: "Proton", source: "<p>n</p><div>------- Original Message -------<br>o</div>", html: "<p>n</p>",
            quote: "<div>------- Original Message -------<br />o</div>"),
        SanitizerFixture(
            name: "the last of two", source: "<div class=yahoo_quoted>a</div>b<div class=gmail_extra>c</div>",
            html: "<div>a</div>b", quote: "<div>c</div>"),
        SanitizerFixture(
            name: "all of a mail", source: "<body> <div class=gmail_quote>o</div> </body>", html: "",
            quote: " <div>o</div> "),
        SanitizerFixture(
            name: "a forward is none",
            source: "<div class=gmail_quote><div class=gmail_attr>---------- Forwarded message ---------</div>x</div>",
            html: "<div><div>---------- Forwarded message ---------</div>x</div>"),
        SanitizerFixture(
            name: "a plain one is none", source: "a<blockquote>b</blockquote>", html: "a<blockquote>b</blockquote>"),
    ]
}

struct SanitizerTests {
    @Test(arguments: SanitizerFixture.tags + SanitizerFixture.attributes + SanitizerFixture.quotes)
    func `the sanitiser lets through what the contract says`(_ fixture: SanitizerFixture) {
        var images = SanitizedImages(message: "msg_1", origin: "http://h", loadsRemote: fixture.loadsRemote)
        images.attachments = ["one@x": "att_1"]

        let parts = HTMLAnswer.parts(Array(fixture.source.utf8), images)

        #expect(parts.html == fixture.html)
        #expect(parts.quote == fixture.quote)
        #expect(parts.after == fixture.after)
    }

    @Test(arguments: [
        ("<img src=https://a.test/x>", true), ("<td background='http://a.test/x'>", true),
        ("<p style=\"background:url('https://a.test/x')\">", true), ("<img srcset='//a.test/x 2x'>", true),
        ("<link href=http://a.test/x.css>", true), ("<a href=http://a.test>x</a>", false), ("<img src=cid:x>", false),
        ("<style>@font-face { src: url(//a.test/x) }</style>", false), ("<img src=x.png>", false),
    ])
    func `remote images are noticed wherever they hide`(_ source: String, _ expected: Bool) {
        #expect(RemoteReference.exists(Array(source.utf8)) == expected)
    }

    /// Fails when a source can make the sanitiser recurse too deep or work in squares.
    @Test(arguments: [
        String(repeating: "<div style='border-top:solid red'>", count: 12_000),
        String(repeating: "<p>", count: 12_000) + String(repeating: "</i>", count: 12_000),
        "<a " + String(repeating: "x y=1 ", count: 12_000) + ">",
        String(repeating: "<div class=moz-cite-prefix>x</div> ", count: 6_000),
        String(repeating: "<div class=gmail_quote><div class=gmail_attr>", count: 6_000),
        String(repeating: "<", count: 12_000), String(repeating: "<!--", count: 12_000),
        String(repeating: "&", count: 12_000), "<title>" + String(repeating: "</", count: 12_000),
    ])
    func `a hostile source ends`(_ source: String) {
        let images = SanitizedImages(message: "msg_1", origin: "http://h", loadsRemote: false)
        let text = HTMLAnswer.text(source, images, isTrusted: false)
        #expect(!text.bytes.isEmpty)
    }
}
