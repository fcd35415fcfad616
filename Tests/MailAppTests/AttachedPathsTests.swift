import MailTestSupport
import MailUI
import Testing

@testable import MailApp

struct AttachedPathsTests {
    /// Fails when a name with blanks, quotes or signs is taken apart otherwise than a shell does.
    @Test(arguments: [
        ("a.pdf", ["a.pdf"]), ("a.pdf b.pdf", ["a.pdf", "b.pdf"]), ("'a b.pdf' c", ["a b.pdf", "c"]),
        ("\"a b\".pdf", ["a b.pdf"]), ("a\\ b.pdf", ["a b.pdf"]), ("'it'\\''s'", ["it's"]), ("  a  ", ["a"]), ("", []),
        ("''", [""]), ("a\nb", ["a", "b"]),
    ])
    func `words are read as a shell reads them`(text: String, words: [String]) {
        #expect(AttachedPaths.words(text).map(\.text) == words)
    }

    /// Fails when a file that is there is not found by its plain name, by a pattern or by its address.
    @Test func `paths, patterns and addresses name files`() throws {
        let home = try Scratch()
        for name in ["one two.txt", "three.txt", "four.pdf", "[x].txt"] { try home.write(name, "x") }
        let path = home.path

        #expect(AttachedPaths.read("\(path)/one two.txt") == ["\(path)/one two.txt"])
        #expect(AttachedPaths.read("\(path)/[x].txt\n") == ["\(path)/[x].txt"])
        #expect(AttachedPaths.read("\(path)/t*.txt \(path)/four.pdf") == ["\(path)/three.txt", "\(path)/four.pdf"])
        #expect(AttachedPaths.read("file://\(path)/one%20two.txt") == ["\(path)/one two.txt"])
        #expect(AttachedPaths.read("\(path)/none*.txt") == ["\(path)/none*.txt"])
    }

    @Test func `lines of an address program are read, and others passed over`() {
        let found = AddressCommand.read("searching...\nann@x.example\tAnn Berg\tfriend\nbob@x.example\n\tnobody\n")

        #expect(found.map(\.address) == ["ann@x.example", "bob@x.example"])
        #expect(found.map(\.name) == ["Ann Berg", ""])
    }
}
