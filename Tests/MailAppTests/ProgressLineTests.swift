import DisplayText
import Testing

@testable import MailApp

/// Fails when the progress of several accounts wraps, which leaves lines that nothing takes away, or is nobody's.
@Test func `the progress of several accounts is one line`() {
    let parts = [(worker: "home", text: "Fetching mail: 1,200 messages"), (worker: "work", text: "Fetching mail: 7")]
    #expect(
        ProgressLine.text(parts, columns: 80) == "home: Fetching mail: 1,200 messages  work: Fetching mail: 7")
    #expect(TextDisplay.width(of: ProgressLine.text(parts, columns: 40)) <= 39)
    #expect(ProgressLine.text([(worker: "", text: "Waiting")], columns: 80) == "Waiting")
    #expect(ProgressLine.text([], columns: 80).isEmpty)
}

/// Fails when a clock that is off is passed over, or one that is right is complained of.
@Test func `the clock is worth a word from a minute on`() {
    let table: [(Int64, String?)] = [
        (0, nil), (60, nil), (-60, nil), (61, "1 minute ahead of"), (-7_300, "2 hours behind"),
        (-86_400, "1 day behind"),
    ]
    for (ahead, words) in table {
        let sentence = ClockWatch.sentence(ahead: ahead)
        #expect(sentence == words.map { "This machine's clock is \($0) the server's. Set it." }, "\(ahead)")
    }
}
