import FilterTestSupport
import MailFilter
import MailTestSupport
import Testing

/// Fails when a printed filter means something else than the filter.
@Test(arguments: 0..<40)
func `a printed filter is read as the same filter`(_ seed: UInt64) throws {
    var trees = FilterTrees(seed: seed)
    for _ in 0..<50 {
        let filter = trees.filter()
        #expect(try FilterParser.parse(filter.text) == filter, "\(filter.text)")
    }
}

/// Fails when some text is read as a filter that cannot be typed, or a complaint points beside the text.
@Test(arguments: 0..<10)
func `whatever is read can be printed, and whatever is refused has a column`(_ seed: UInt64) {
    var numbers = SeededNumbers(seed: seed &* 7_919)
    let pieces = [
        "from:", "is:", "in:", "or", "-", "(", ")", "\"", "\\", " ", "a", "é", "日", ":", "//", "unread", "30d", "2024",
        "older:", "inbox", "\u{301}", "\n", "\0", "mailbox:",
    ]
    for _ in 0..<500 {
        let text = (0..<numbers.below(9)).map { _ in pieces[numbers.below(pieces.count)] }.joined()
        do {
            let filter = try FilterParser.parse(text)
            #expect((try? FilterParser.parse(filter.text)) == filter, "\(text.debugDescription)")
        } catch {
            #expect((1...text.count + 1).contains(error.column), "\(text.debugDescription)")
        }
    }
}
