import Testing

@testable import TOML

private func read(_ text: String) throws(TOMLError) -> TOMLValue { try TOMLReader.read(Array(text.utf8)) }

private func member(_ value: TOMLValue, _ path: String...) -> TOMLValue? {
    var value: TOMLValue? = value
    for name in path {
        guard case .table(let members) = value?.content else { return nil }
        value = members.first { $0.name == name }?.value
    }
    return value
}

struct TOMLReaderTests {
    @Test func `values carry their kind and their line`() throws {
        let root = try read(
            """
            # settings
            text = "a \\u00e9\\n"
            [group]
            number = 1_000
            hex = 0xff
            half = 0.5
            yes = true
            day = 2026-11-30
            list = [
                1,
                'two',
            ]
            inner.name = ''
            """)

        #expect(member(root, "text") == TOMLValue(.string("a é\n"), line: 2))
        #expect(member(root, "group", "number") == TOMLValue(.integer(1_000), line: 4))
        #expect(member(root, "group", "hex") == TOMLValue(.integer(255), line: 5))
        #expect(member(root, "group", "half") == TOMLValue(.float(0.5), line: 6))
        #expect(member(root, "group", "yes") == TOMLValue(.boolean(true), line: 7))
        #expect(member(root, "group", "day") == TOMLValue(.date, line: 8))
        #expect(
            member(root, "group", "list")
                == TOMLValue(
                    .array([TOMLValue(.integer(1), line: 10), TOMLValue(.string("two"), line: 11)]), line: 9))
        #expect(member(root, "group", "inner", "name") == TOMLValue(.string(""), line: 13))
    }

    @Test func `an empty document is an empty table`() throws {
        for text in ["", "\n", "# only this", "\u{FEFF}", "\r\n"] { #expect(try read(text).content == .table([])) }
    }

    @Test(arguments: [
        ("a = 1\nb", 2), ("a = 1\na = 2", 2), ("a =\n", 1), ("\n[a\n", 2), ("a = \"x\n\"", 1), ("a = 2026-13-01", 1),
        ("a = word", 1), ("= 1", 1), ("a = 1 b = 2", 1), ("[a]\n[a]\nb = 1", 2), ("a = [1 2]", 1),
        ("a = { b = 1", 1), ("a = \"\\q\"", 1), ("a = \"\\ud800\"", 1), ("a = 1\na.b = 1", 2), ("a\u{0} = 1", 1),
    ])
    func `what is not TOML is refused with its line`(_ text: String, _ line: Int) {
        do {
            _ = try read(text)
            Issue.record("It was taken.")
        } catch {
            #expect(error.line == line, "\(error)")
            #expect(!error.reason.contains("\n") && !error.reason.contains("toml::"), "\(error.reason)")
        }
    }

    /// Fails when a number that does not fit is taken for another one.
    @Test(arguments: [
        "9223372036854775808", "-9223372036854775809", "0x10000000000000000", "0o7777777777777777777777",
        "0b" + String(repeating: "1", count: 64), String(repeating: "9", count: 10_000),
    ])
    func `a number too large is refused`(_ number: String) {
        #expect(throws: TOMLError.numberTooLarge(line: 2)) { try read("\na = \(number)") }
    }

    @Test func `the largest numbers are read`() throws {
        #expect(member(try read("a = 9223372036854775807"), "a")?.content == .integer(.max))
        #expect(member(try read("a = -9223372036854775808"), "a")?.content == .integer(.min))
    }

    @Test(arguments: [
        [0x61, 0x3D, 0x27, 0xFF, 0x27], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
        [0x23, 0x80],
    ])
    func `bytes that are not UTF-8 are refused with their line`(_ bytes: [UInt8]) {
        #expect(throws: TOMLError.notUTF8(line: 2)) { try TOMLReader.read([0x0A] + bytes) }
        #expect(throws: TOMLError.notUTF8(line: 2)) { try TOMLReader.read([0x0A] + bytes + [0x0A, 0x0A]) }
    }

    /// Fails when a small file can use up the stack: the parser calls itself for each bracket.
    @Test(arguments: ["[", "{a=", "[[", "[{a="])
    func `deep nesting is refused before it is read`(_ opening: String) {
        for count in [1_000, 7_000] {
            let text = "a=" + String(repeating: opening, count: count)
            #expect(throws: TOMLError.tooDeep(line: 1)) { try read(text) }
            #expect(throws: TOMLError.tooDeep(line: 2)) { try read("# [[[\n" + text) }
        }
    }

    @Test func `a long dotted name is refused`() {
        #expect(throws: TOMLError.tooDeep(line: 1)) { try read(String(repeating: "a.", count: 1_000) + "b = 1") }
    }

    @Test func `a document may have so many bytes and no more`() throws {
        let most = String(repeating: " ", count: TOMLReader.bytesMax)

        #expect(try read(most).content == .table([]))
        #expect(throws: TOMLError.tooLong) { try read(most + " ") }
    }

    /// Fails when some bytes end the process instead of the parse.
    @Test func `any pieces of TOML end in a value or an error`() {
        let pieces = [
            "a", "b", "=", "[", "]", "{", "}", ".", "\"", "'", "\"\"\"", "'''", "\n", "\r\n", " ", "#", "1", "0x",
            "0b1",
            "1e9", "2026-01-01", "T12:00:00", "Z", "+00:00", "true", "inf", "nan", "\\", "\\u", "\\U0010ffff", "_", "-",
            ",", "é", "\u{0}", "\u{7F}",
        ]
        var seed: UInt64 = 0x5EED
        func next(_ count: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((seed >> 33) % UInt64(count))
        }
        var values = 0
        for _ in 0..<3_000 {
            let text = (0..<next(30)).map { _ in pieces[next(pieces.count)] }.joined()
            if (try? read(text)) != nil { values += 1 }
        }
        #expect(values > 0)
    }
}
