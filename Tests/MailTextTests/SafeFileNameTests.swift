import MailText
import Testing

/// Names of files as senders write them.
struct SafeFileNameTests {
    /// Fails when a name leaves its directory, hides, shows as another than it is, or cannot be written.
    @Test(arguments: [
        ("report.pdf", "report.pdf"), ("../../etc/passwd", "_.._etc_passwd"), ("/etc/x", "_etc_x"),
        ("..", "attachment"), (".", "attachment"), ("", "attachment"), ("   ", "attachment"),
        (".bashrc", "bashrc"), ("...hidden.txt", "hidden.txt"), ("-rf", "_rf"), ("~root", "_root"),
        ("a\u{0}b\u{1B}[2J.txt", "ab[2J.txt"), ("line\nbreak.txt", "line break.txt"),
        ("invoice\u{202E}fdp.exe", "invoicefdp.exe"), ("zero\u{200B}width.txt", "zerowidth.txt"),
        ("C:\\temp\\x.doc", "C__temp_x.doc"), ("what?*.txt", "what__.txt"), ("CON", "_CON"), ("nul.txt", "_nul.txt"),
        ("com1.log", "_com1.log"), ("company.log", "company.log"), ("trailing. . ", "trailing"),
        ("Übung №5 – 漢字.pdf", "Übung №5 – 漢字.pdf"), ("=?utf-8?B?eA==?=.pdf", "=_utf-8_B_eA==_=.pdf"),
        ("a  b\u{A0}c.txt", "a b c.txt"), ("???", "attachment"),
    ])
    func `a sender's name becomes a safe one`(name: String, safe: String) {
        #expect(SafeFileName.of(name) == safe)
        #expect(SafeFileName.of(SafeFileName.of(name)) == SafeFileName.of(name))
    }

    /// Fails when a name is longer than a file system takes, or loses its ending to the cut.
    @Test(arguments: ["a", "é", "漢", "👩‍👩‍👧‍👦", "e\u{301}"]) func `a long name keeps its ending`(letter: String) {
        let name = SafeFileName.of(String(repeating: letter, count: 400) + ".pdf")
        #expect(name.utf8.count <= SafeFileName.bytesMax && name.hasSuffix(".pdf"))
        let marks = SafeFileName.of("a" + String(repeating: "\u{301}", count: 4_000) + ".pdf")
        #expect(marks.utf8.count <= SafeFileName.bytesMax && marks.hasSuffix(".pdf"))
        let numbered = SafeFileName.numbered(name, 10_000)
        #expect(numbered.utf8.count <= SafeFileName.bytesMax && numbered.hasSuffix(" (10000).pdf"))
    }

    /// Fails when numbers go where the ending is, or an ending is taken for one that is none.
    @Test func `numbers stand before the ending`() {
        #expect(SafeFileName.numbered("a.pdf", 1) == "a.pdf")
        #expect(SafeFileName.numbered("a.pdf", 2) == "a (2).pdf")
        #expect(SafeFileName.numbered("a.tar.gz", 2) == "a.tar (2).gz")
        #expect(SafeFileName.numbered("Mr. Smith writes", 2) == "Mr. Smith writes (2)")
        #expect(SafeFileName.split("noending").ending.isEmpty)
    }

    /// Fails when a name for a command has a character that a shell looks at.
    @Test func `a name for commands means nothing to a shell`() {
        let name = SafeFileName.forCommand("a b$(rm -rf ~)`x`';&|\"été.pdf")
        #expect(name.hasSuffix("été.pdf"))
        #expect(!name.contains { " $()`';&|\"~".contains($0) })
    }
}
