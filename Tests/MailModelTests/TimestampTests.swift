import MailModel
import Testing

@Test(
    arguments: [
        ("1970-01-01T00:00:00.000Z", 0), ("1969-12-31T23:59:59.000Z", -1), ("2000-02-29T12:00:00.000Z", 951_825_600),
        ("2026-11-30T07:15:00.000Z", 1_796_022_900), ("1900-03-01T00:00:00.000Z", -2_203_891_200),
        ("2100-02-28T23:59:59.000Z", 4_107_542_399), ("2100-03-01T00:00:00.000Z", 4_107_542_400),
        ("0001-01-01T00:00:00.000Z", -62_135_596_800), ("0000-01-01T00:00:00.000Z", -62_167_219_200),
        ("9999-12-31T23:59:59.000Z", 253_402_300_799),
    ] as [(String, Int64)])
func `an instant is read and written alike`(_ text: String, _ seconds: Int64) {
    #expect(Timestamp(text).secondsSinceEpoch == seconds)
    #expect(Timestamp(millisecondsSinceEpoch: seconds * 1_000).text == text)
}

@Test func `every day comes back`() {
    for day in stride(from: Int64(-719_528), through: 2_932_896, by: 97) {
        let instant = Timestamp(millisecondsSinceEpoch: day * 86_400_000 + 1)
        #expect(instant.secondsSinceEpoch == day * 86_400)
    }
}

@Test(arguments: [
    "", "2026", "2026-11-30", "2026-11-30 07:15:00.000Z", "2026-13-01T00:00:00.000Z", "2026-00-01T00:00:00.000Z",
    "2026-01-32T00:00:00.000Z", "2026-01-00T00:00:00.000Z", "+10000-01-01T00:00:00.000Z", "-00001-01-01T00:00:00Z",
    "20x6-01-01T00:00:00.000Z", "unknown-text-longer-than-that",
])
func `another form is no instant but keeps its text`(_ text: String) {
    #expect(Timestamp(text).secondsSinceEpoch == nil)
    #expect(Timestamp(text).text == text)
}

@Test func `the order is that of the text`() {
    let texts = [
        "", "+10000-01-01T00:00:00.000Z", "0001-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z",
        "2026-01-01T00:00:00.001Z", "2026-01-01T00:00:00Z", "9999", "\u{E9}",
    ]
    #expect(texts.map { Timestamp($0) }.sorted().map(\.text) == texts)
    #expect(Timestamp(millisecondsSinceEpoch: -1).text == "1969-12-31T23:59:59.999Z")
}
