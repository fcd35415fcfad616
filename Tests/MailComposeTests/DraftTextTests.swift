import MailCompose
import MailModel
import Testing

@Suite struct DraftTextTests {
    private let content = DraftContent(
        mailbox: MailboxID("mbx_1"), from: "me@acme.example", to: "Ann <ann@b.example>, bob", subject: "Überfall",
        text: "Hello\n\n  indented\n> quoted: yes\n")

    /// Fails when a letter is lost between Herald and the editor.
    @Test func `a draft comes back from an editor as it went`() throws {
        let file = DraftText(content: content).file(context: "On … wrote:\n> hi")

        #expect(try DraftText.read(file, former: content).content == content)
        #expect(try DraftText.read(DraftText(content: content).file()).content.text == content.text)
    }

    @Test func `headers go on in lines that begin with blanks, and files are named`() throws {
        let draft = try DraftText.read(
            "to: a@b.example,\r\n\tc@d.example\r\nATTACH: ~/x y.pdf\r\n\r\nhi", former: content)

        #expect(draft.content.to == "a@b.example, c@d.example")
        #expect(draft.content.subject == "Überfall")
        #expect(draft.content.text == "hi")
        #expect(draft.files == ["~/x y.pdf"])
    }

    @Test(arguments: [
        "just text\nTo: nobody", "https://x.example/\n\nhi", "", "\nTo: a@b.example", "Note: buy milk\n\nx",
    ])
    func `a file without headers is text`(file: String) throws {
        let draft = try DraftText.read(file, former: content)

        #expect(draft.content.to == content.to)
        #expect(draft.content.text == (file.hasPrefix("\n") ? String(file.dropFirst()) : file))
    }

    @Test func `a header that is not sent is told`() {
        #expect(throws: DraftTextFault(line: 2, name: "Reply-To")) {
            try DraftText.read("To: a@b.example\nReply-To: x@y.example\n\nhi")
        }
        #expect(throws: DraftTextFault(line: 2, name: nil)) { try DraftText.read("To: a@b.example\nno header\n\nhi") }
    }

    @Test func `another sender has another mailbox`() throws {
        let same = try DraftText.read("From: ME@acme.example\n\nx", former: content)
        let other = try DraftText.read("From: You <you@acme.example>\n\nx", former: content)

        #expect(same.content.mailbox == content.mailbox)
        #expect(other.content.mailbox == nil)
        #expect(other.content.from == "you@acme.example")
    }

    @Test func `what is quoted below the mark is not text`() throws {
        let file = "To: a@b.example\n\nmine\n\n\n\(DraftText.contextMark)\nOn … wrote:\n> theirs\n"

        #expect(try DraftText.read(file).content.text == "mine\n")
    }

    /// Fails when an answer that was written among the quoted lines is dropped, or quoted lines may not be removed.
    @Test(arguments: [
        ("On … wrote:\n> one\n> two\n", nil), ("On … wrote:  \r\n\n> two \n", nil), ("> two\n", nil), ("", nil),
        ("On … wrote:\n> one\nNo.\n> two\n", 7), ("> one\n> two\nBelow", 7), ("> one, and more\n", 5),
        ("> two\n> one\n", 6),
    ])
    func `what is written below the mark is told`(below: String, line: Int?) throws {
        let file = "To: a@b.example\n\nmine\n\(DraftText.contextMark)\n\(below)"
        let context = "On … wrote:\n> one\n> two"

        guard let line else {
            #expect(try DraftText.read(file, context: context).content.text == "mine\n")
            return
        }
        #expect(throws: DraftTextFault(line: line, name: nil, isBelowMark: true)) {
            try DraftText.read(file, context: context)
        }
    }
}

@Suite struct MailtoTests {
    @Test func `a mailto address fills a draft`() throws {
        let url = "mailto:a%40b.example,c@d.example?cc=e@f.example&subject=A%20%26%20B&body=x%0D%0Ay&to=g@h.example"
        let content = try #require(MailtoURL.content(url))

        #expect(content.to == "a@b.example, c@d.example, g@h.example")
        #expect(content.cc == "e@f.example")
        #expect(content.subject == "A & B")
        #expect(content.text == "x\ny")
    }

    /// Fails when a page can add headers or files, or steer the terminal.
    @Test func `only known fields are taken, without signs that steer`() throws {
        let url =
            "MAILTO:a@b.example?attach=/etc/passwd&bcc=x@y.example&subject=a%0D%0ABcc:%20z@z.example%1B[2J&in-reply-to=1"
        let content = try #require(MailtoURL.content(url))

        #expect(content.bcc == "x@y.example")
        #expect(content.subject == "a  Bcc: z@z.example [2J")
    }

    @Test(arguments: ["http://a.example", "mailto:%zz", "mailto:%ff@b.example", "mailto:a@b.example?subject=%4"])
    func `an address that is none is refused`(url: String) {
        #expect(MailtoURL.content(url) == nil)
    }
}
