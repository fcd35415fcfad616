import DisplayText
import Testing

/// The order in which text is drawn (UAX 9).
@Suite struct DirectionTests {
    @Test(arguments: [
        ("abc", "abc"), ("", ""), ("אבג", "גבא"), ("abc אבג", "abc גבא"), ("אבג abc", "abc גבא"),
        ("  אבג  ", "  גבא  "), ("אב (גד)", "(דג) בא"), ("אבג 123", "123 גבא"), ("מחיר: 12.50 ₪", "₪ 12.50 :ריחמ"),
        ("בּא", "אבּ"), ("漢字 אב", "漢字 בא"),
    ])
    func `a field is drawn in its order`(text: String, drawn: String) {
        #expect(TextDisplay.visualField(text) == drawn)
        #expect(TextDisplay.width(of: TextDisplay.visualField(text)) == TextDisplay.width(of: text))
    }

    /// Fails when text is lost in any order, or a line takes other cells than before.
    @Test func `no character is lost`() {
        let letters = Array("אבגדabc 12().,/-ابتث漢\u{5B7}\u{301}".unicodeScalars)
        var seed: UInt64 = 7
        for _ in 0..<2_000 {
            var line: [Unicode.Scalar] = []
            for _ in 0..<12 {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                line.append(letters[Int(seed >> 33) % letters.count])
            }
            guard let order = TextDisplay.visual(line, isRightToLeft: seed & 1 == 0) else { continue }
            #expect(order.map(\.index).sorted() == Array(0..<line.count))
        }
    }

    @Test(arguments: [
        ("abc", false), ("אבג", true), ("12 אבג", true), ("(abc) אבג", false), ("", false), ("سلام", true),
    ])
    func `the first letter tells the direction`(text: String, isRightToLeft: Bool) {
        #expect(TextDisplay.isRightToLeft(text) == isRightToLeft)
    }
}
