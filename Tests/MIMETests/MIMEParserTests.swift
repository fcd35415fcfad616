internal import MIME
internal import Testing

struct MIMEParserTests {
    @Test func `a mail with an attachment gives its fields, text and bytes`() throws {
        let source = """
            From: =?utf-8?q?J=C3=B6rg?= <joerg@client.example>
            To: Team: a@x.example, B <b@x.example>;
            Subject: =?utf-8?b?R3LDvMOfZQ==?=
            Date: Mon, 02 Nov 2026 10:00:00 +0100
            Message-ID: <m1@client.example>
            References: <r1@x> <r2@x>
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary=b

            --b
            Content-Type: text/plain; charset=iso-8859-1
            Content-Transfer-Encoding: quoted-printable

            caf=E9
            --b
            Content-Type: image/png; name=dot.png
            Content-ID: <dot@x>
            Content-Transfer-Encoding: base64

            aGVsbG8=
            --b--
            """
        let mail = try #require(MIMEParser.parse(Array(source.utf8)))
        #expect(mail.from == "joerg@client.example")
        #expect(mail.to == ["a@x.example", "b@x.example"])
        #expect(mail.subject == "Grüße")
        #expect(mail.dateMilliseconds == 1_793_610_000_000)
        #expect(mail.messageID == "<m1@client.example>")
        #expect(mail.references == ["<r1@x>", "<r2@x>"])
        #expect(mail.text.hasPrefix("café"))
        #expect(mail.attachments.first?.filename == "dot.png")
        #expect(mail.attachments.first?.contentID == "<dot@x>")
        #expect(mail.attachments.first?.bytes == Array("hello".utf8))
    }

    @Test(arguments: ["", "\u{0}\u{1}\u{FF}", "no mail at all", "From:\nTo: <<<>>>,,;;\n\n"])
    func `what is no mail still parses`(_ source: String) {
        #expect(MIMEParser.parse(Array(source.utf8))?.from == "unknown")
    }

    @Test func `parts nested too deep are refused`() {
        var source = ""
        for level in 0..<400 { source += "Content-Type: multipart/mixed; boundary=b\(level)\n\n--b\(level)\n" }
        #expect(MIMEParser.parse(Array((source + "\nx").utf8)) == nil)
    }

    @Test(arguments: [
        ("Content-Type: text/plain\r\n\r\na\r\nb\r\n", "a\nb\n"), ("Content-Type: text/plain\n\na", "a\n"),
        (
            "Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\na\r\n--x--\r\n",
            "a\n"
        ),
        ("Content-Type: text/plain\nContent-Transfer-Encoding: base64\n\nYQ0KYg==\n", "a\r\nb"),
        ("Content-Type: text/plain\n\n", ""),
    ])
    func `lines end with line feeds, but encoded text is kept`(_ source: String, _ text: String) {
        #expect(MIMEParser.parse(Array(source.utf8))?.text == text)
    }

    /// Fails when a euro sign or a curly quote of a mail that calls itself Latin-1 is lost.
    @Test(arguments: ["iso-8859-1", "us-ascii", "windows-1252", "ISO-8859-1"])
    func `narrow charsets are read as Windows does`(_ charset: String) {
        let source =
            "Content-Type: text/plain; charset=\(charset)\nContent-Transfer-Encoding: quoted-printable\n\n=80 it=92s\n"
        #expect(MIMEParser.parse(Array(source.utf8))?.text == "€ it’s\n")
    }

    @Test func `HTML parts are joined with a line feed`() {
        let part = "--x\nContent-Type: text/html\n\n<p>a</p>\n"
        let source = "Content-Type: multipart/mixed; boundary=x\n\n\(part)\(part)--x--\n"
        #expect(MIMEParser.parse(Array(source.utf8))?.html == "<p>a</p>\n\n<p>a</p>\n")
    }
}
