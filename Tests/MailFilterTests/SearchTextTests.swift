import DisplayText
import MailTestSupport
import Testing

/// What is looked for in a text.
struct SoughtFixture: Sendable {
    var sought: String
    var isWhole = false
    var text: String
    var isThere: Bool
}

private let fixtures: [SoughtFixture] = [
    SoughtFixture(sought: "inv", text: "The Invoice", isThere: true),
    SoughtFixture(sought: "voice", text: "The Invoice", isThere: false),
    SoughtFixture(sought: "invoice", isWhole: true, text: "invoices", isThere: false),
    SoughtFixture(sought: "annual rep", text: "annual report", isThere: true),
    SoughtFixture(sought: "rep annual", text: "annual report", isThere: false),
    SoughtFixture(sought: "ete", text: "L'ÉTÉ dernier", isThere: true),
    SoughtFixture(sought: "ÉTÉ", text: "ete", isThere: true),
    SoughtFixture(sought: "strasse", text: "Straße", isThere: true),
    SoughtFixture(sought: "lodz", text: "Łódź", isThere: true),
    SoughtFixture(sought: "ann@x.ex", text: "ann@x.example", isThere: true),
    SoughtFixture(sought: "日", text: "今日は", isThere: true),
    SoughtFixture(sought: "本語", text: "日本語", isThere: true),
    SoughtFixture(sought: "語", text: "日本語", isThere: true),
    SoughtFixture(sought: "日語", text: "日本語", isThere: false),
    SoughtFixture(sought: "日本", isWhole: true, text: "日本語", isThere: true),
    SoughtFixture(sought: "한국", text: "대한국어", isThere: true),
    SoughtFixture(sought: "ｶﾅ", text: "カナ", isThere: true),
    SoughtFixture(sought: "🎉", text: "Done 🎉!", isThere: true),
    SoughtFixture(sought: "wo", text: "soft\u{AD}word", isThere: false),
    SoughtFixture(sought: "softw", text: "soft\u{AD}word", isThere: true),
]

/// Fails when a search by the stored form or word by word finds something else than people expect.
@Test(arguments: fixtures)
func `words are found from their first letter on, whatever case and accents`(_ fixture: SoughtFixture) throws {
    let needle = try #require(SearchText.needle(fixture.sought, isWhole: fixture.isWhole))
    #expect(SearchText.stored(fixture.text).contains(needle.text) == fixture.isThere)
    #expect(SearchText.contains(fixture.sought, isWhole: fixture.isWhole, in: fixture.text) == fixture.isThere)
}

/// Fails when the two ways of comparing, of which one is an index's and one reads word by word, disagree.
@Test(arguments: 0..<20)
func `the stored form means what the words mean`(_ seed: UInt64) {
    var numbers = SeededNumbers(seed: seed &* 7_919)
    let letters: [Character] = [
        "a", "B", "é", "e\u{301}", " ", ".", "日", "本", "ｶ", "🎉", "ß", "1", "가", "ﬁ", "\n", "ø", "-",
    ]
    func text(_ count: Int) -> String {
        String((0..<1 + numbers.below(count)).map { _ in letters[numbers.below(letters.count)] })
    }
    for _ in 0..<300 {
        let (sought, whole) = (text(4), numbers.percent(40))
        let text = text(12)
        let byForm = SearchText.needle(sought, isWhole: whole).map { SearchText.stored(text).contains($0.text) }
        let byWords = SearchText.words(sought).isEmpty ? nil : SearchText.contains(sought, isWhole: whole, in: text)
        #expect(byForm == byWords, "\(sought.debugDescription) \(whole) in \(text.debugDescription)")
    }
}

/// Fails when a match would be marked at the wrong place.
@Test func `places are those of the text as it is written`() {
    let text = "L'ÉTÉ à Łódź"
    #expect(SearchText.places(of: "ete", isWhole: false, in: text).map { text[$0] } == ["ÉTÉ"])
    #expect(SearchText.places(of: "lod", isWhole: false, in: text).map { text[$0] } == ["Łódź"])
}
