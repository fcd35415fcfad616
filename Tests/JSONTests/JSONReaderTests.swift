import JSON
import Testing

/// Reads the whole text.
private func check(_ bytes: [UInt8]) throws(JSONError) {
    var reader = JSONReader(bytes)
    try reader.skip()
    try reader.end()
}

private func string(_ text: String) throws(JSONError) -> String {
    var reader = JSONReader(Array(text.utf8))
    let value = try reader.string()
    try reader.end()
    return value
}

@Test(arguments: [
    "", " ", "{", "}", "[", "]", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:2}",
    "{\"a\" 1}", "\"", "\"a", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\\u12\"", "\"\n\"",
    "\"\u{1}\"",
    "'a'", "01", "-", "+1", ".5", "1.", "1e", "1e+", "-a", "0x1", "NaN", "Infinity", "tru", "trues", "nul", "nulL",
    "[1]]", "{}{}", "1 2", "\u{FEFF}1", "//x\n1", "[1,/**/2]",
])
func `a malformed text is refused`(_ text: String) {
    #expect(throws: JSONError.self) { try check(Array(text.utf8)) }
}

@Test(arguments: [
    "0", "-0", "1.5e-3", "1E9", "\"\"", "null", " [ ] ", "{}", "\t{ \"a\" : [ true , false ] }\r\n", "[[[]]]",
    "123456789012345678901234567890",
])
func `a well-formed text is accepted`(_ text: String) throws {
    try check(Array(text.utf8))
}

@Test func `nesting is bounded`() throws {
    func nested(_ depth: Int) -> [UInt8] {
        [UInt8](repeating: 0x5B, count: depth) + [UInt8](repeating: 0x5D, count: depth)
    }
    try check(nested(64))
    #expect(throws: JSONError.tooDeep) { try check(nested(65)) }
    #expect(throws: JSONError.tooDeep) { try check([UInt8](repeating: 0x5B, count: 1_000_000)) }
}

@Test(arguments: [
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "A\u{E9}\u{20AC}"),
    (#""\ud83d\ude00!""#, "\u{1F600}!"), (#""\ud83d""#, "\u{FFFD}"), (#""\ude00x""#, "\u{FFFD}x"),
    (#""\ud83dx""#, "\u{FFFD}x"), (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\ud83d\ud83d\ude00""#, "\u{FFFD}\u{1F600}"),
    (#""\u0000""#, "\u{0}"), ("\"\u{1F600}\"", "\u{1F600}"),
])
func `escapes and surrogates are read`(_ text: String, _ expected: String) throws {
    #expect(try string(text) == expected)
}

@Test func `invalid UTF-8 becomes the replacement character`() throws {
    var reader = JSONReader([0x22, 0x61, 0xFF, 0x62, 0x22])
    #expect(try reader.string() == "a\u{FFFD}b")
}

@Test func `numbers that are no whole Int are of the wrong type`() throws {
    for text in ["1.5", "1e3", "9223372036854775808", "-9223372036854775809", "true", "\"1\""] {
        var reader = JSONReader(Array(text.utf8))
        #expect(throws: JSONError.wrongType(at: 0), "\(text)") { try reader.int() }
    }
    for number in [Int.min, -1, 0, Int.max] {
        var reader = JSONReader(Array(String(number).utf8))
        #expect(try reader.int() == number)
    }
}

@Test func `a value of another kind is of the wrong type`() {
    var reader = JSONReader(Array("[1]".utf8))
    #expect(throws: JSONError.wrongType(at: 0)) { try reader.string() }
    #expect(throws: JSONError.wrongType(at: 0)) { try reader.bool() }
    #expect(throws: JSONError.wrongType(at: 0)) {
        try reader.object { reader, _ throws(JSONError) in try reader.skip() }
    }
}
