import DisplayText
import MailText
import Testing

@Suite struct PlainTextTests {
    private func lines(_ text: String, columns: Int = 40, showQuotes: Bool = false) -> [String] {
        renderText(text, columns: columns, showQuotes: showQuotes).lines.map(\.text)
    }

    @Test(arguments: [
        ("one two three four", 10, ["one two", "three four"]),
        ("abcdefghijklmnop", 10, ["abcdefghij", "klmnop"]),
        ("a\n\n\n\nb\n\n", 20, ["a", "", "b"]),
        ("    indented words here", 14, ["    indented", "    words here"]),
        ("- an item that wraps", 12, ["- an item", "  that wraps"]),
        ("10. an item wraps", 12, ["10. an item", "    wraps"]),
        ("日本語日本語", 5, ["日本", "語日", "本語"]),
        ("a\tb", 20, ["a       b"]),
        ("", 20, []),
    ])
    func `lines wrap between words`(text: String, columns: Int, expected: [String]) {
        #expect(lines(text, columns: columns) == expected)
    }

    @Test func `a long quote folds to one dim line`() {
        let quoted = (1...12).map { "> line \($0)" }.joined(separator: "\n")
        let body = renderText("Hi\n\nThey wrote:\n\(quoted)\nBye", columns: 40, showQuotes: false)
        #expect(body.lines.map(\.text) == ["Hi", "", "They wrote:", "[12 quoted lines]", "Bye"])
        #expect(body.lines[3].runs[0].role.marks == .dim)
    }

    @Test func `a short quote and a shown quote keep their levels`() {
        #expect(lines("> one\n>> two\n> > three") == ["│ one", "│ │ two", "│ │ three"])
        let quoted = Array(repeating: "> x", count: 9).joined(separator: "\n")
        let body = renderText(quoted, columns: 40, showQuotes: true)
        #expect(body.lines.count == 9)
        #expect(body.lines.allSatisfy { $0.runs.allSatisfy { $0.role.quoteLevel == 1 } })
    }

    /// Fails when soft line ends stay, or hard ones are taken for soft.
    @Test func `flowing text flows`() {
        let soft =
            "The first line of a paragraph that some program broke at seventy \ncolumns goes on here and "
            + "then it goes on for some more words to \nthe end.\nA line of its own."
        #expect(lines(soft, columns: 200).count == 2)
        #expect(lines("Yours, \nAnn \nBerg", columns: 200) == ["Yours,", "Ann", "Berg"])
    }

    /// Fails when a character of a patch is moved, or a number is put into it.
    @Test func `a patch stays as it is`() {
        let patch = """
            diff --git a/x b/x
            --- a/x
            +++ b/x
            @@ -1,3 +1,4 @@ func x()
             see https://a.example/x for more
            -    old   line
            +    new   line


            """
        let body = renderText("Hello\n\n" + patch + "-- \n2.34", columns: 80, showQuotes: false)
        let source = patch.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(body.lines.dropFirst(2).prefix(7).map(\.text) == Array(source.prefix(7)))
        #expect(body.lines[7].runs[0].role.marks == [.code, .removed])
        #expect(body.lines[8].runs[0].role.marks == [.code, .added])
        #expect(body.lines.last?.runs[0].role.marks == .signature)
    }

    /// Fails when a drawing that fits is moved.
    @Test func `a drawing that fits stays as it is`() {
        let drawing = "            +----+      +----+\n            | ab |----->| cd |\n            +----+      +----+"
        #expect(lines(drawing, columns: 32).joined(separator: "\n") == drawing)
    }

    /// Fails when the message below an answer is shown as the writer's words.
    @Test func `the message answered to is a quotation`() {
        let text = "Yes.\n\n-----Original Message-----\nFrom: Ann\nSent: today\n\nShall we?\nNow?"
        #expect(lines(text) == ["Yes.", "", "[6 quoted lines]"])
        let forward = text.replacingFirst("Original", with: "Forwarded")
        #expect(lines(forward).contains("Shall we?"))
    }

    @Test func `an address on two lines is one`() {
        let start = "https://a.example/" + String(repeating: "x", count: 50)
        let body = renderText("See <\(start)\nyyy> now", columns: 100, showQuotes: false)
        #expect(body.links.map(\.url) == [start + "yyy"])
    }

    @Test(arguments: [
        "Hi\n--\nAnn", "Hi\n-----BEGIN PGP SIGNATURE-----\nAnn\n-----END PGP SIGNATURE-----",
        "Hi\n_______________________________________________\nX mailing list\nhttps://lists.example/x",
    ])
    func `what programs add at the end is a signature`(text: String) {
        let body = renderText(text, columns: 80, showQuotes: false)
        #expect(body.lines.map { $0.runs[0].role.marks.contains(.signature) }.first == false)
        #expect(body.lines.dropFirst().allSatisfy { $0.runs[0].role.marks.contains(.signature) })
    }

    @Test func `everything behind the signature mark is signature`() {
        let body = renderText("Hello\n-- \nAnna\nTel. 1", columns: 40, showQuotes: false)
        #expect(body.lines.map { $0.runs[0].role.marks == .signature } == [false, true, true, true])
    }

    @Test(arguments: [
        ("see https://a.example/x.", "https://a.example/x", "see https://a.example/x [1]."),
        ("(www.a.example/q_(b))", "http://www.a.example/q_(b)", "(www.a.example/q_(b) [1])"),
        ("<https://a.example>", "https://a.example", "<https://a.example [1]>"),
        ("mailto:x@y.example", "mailto:x@y.example", "mailto:x@y.example [1]"),
        ("at example.org/a/b, or and/or", "http://example.org/a/b", "at example.org/a/b [1], or and/or"),
        ("«https://a.example»", "https://a.example", "«https://a.example [1]»"),
        ("「https://a.example」です", "https://a.example", "「https://a.example [1]」です"),
        ("[mailto:x@y.example]On", "mailto:x@y.example", "[mailto:x@y.example [1]]On"),
        ("http://[::1]/x]", "http://[::1]/x", "http://[::1]/x [1]]"),
        ("ftp://a.example/x;", "ftp://a.example/x", "ftp://a.example/x [1];"),
        ("HTTPS://A.example/…", "HTTPS://A.example/", "HTTPS://A.example/ [1]…"),
    ])
    func `an address becomes a numbered link`(text: String, url: String, shown: String) {
        let body = renderText(text, columns: 60, showQuotes: false)
        #expect(body.links.map(\.url) == [url])
        #expect(body.text == shown)
    }

    @Test(arguments: [
        "a@b", "@", "http://", "xhttp", "a @ b.example", "www.", "1/2", "file.txt/x", "either/or",
        "write to Ann.O@mail.example, now", "x@bücher.example!", "<42.a@www.mail.example>",
        "In-Reply-To: <1@b.example>",
    ])
    func `what only looks like an address stays text`(text: String) {
        let body = renderText(text, columns: 60, showQuotes: false)
        #expect(body.links.isEmpty)
        #expect(body.text == text)
    }

    @Test func `a repeated address has one number and a long one is cut`() {
        let long = "https://a.example/" + String(repeating: "x", count: 300)
        let body = renderText("\(long)\n\(long)", columns: 30, showQuotes: false)
        #expect(body.links.map(\.url) == [long])
        #expect(body.lines.allSatisfy { TextDisplay.width(of: $0.text) <= 30 })
        #expect(body.text.contains("…"))
    }

    @Test func `links stop at 999`() {
        let text = (1...1_200).map { "https://a.example/\($0)" }.joined(separator: " ")
        #expect(renderText(text, columns: 80, showQuotes: false).links.count == 999)
    }
}

extension String {
    fileprivate func replacingFirst(_ word: String, with other: String) -> String {
        let parts = split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        return parts.map { $0.hasSuffix(word) ? String($0.dropLast(word.count)) + other : $0 }.joined(separator: " ")
    }
}
