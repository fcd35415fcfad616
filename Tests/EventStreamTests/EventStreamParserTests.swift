import EventStream
import MailTestSupport
import Testing

/// Reads a stream in pieces of a size.
private func events(
    _ bytes: [UInt8], pieces size: Int, parser: inout EventStreamParser
) throws(EventStreamError) -> [StreamEvent] {
    var events: [StreamEvent] = []
    var rest = bytes[...]
    while !rest.isEmpty {
        try parser.read(Array(rest.prefix(size)), into: &events)
        rest = rest.dropFirst(size)
    }
    return events
}

private struct Example: Sendable, CustomTestStringConvertible {
    var name: String
    var stream: String
    var events: [StreamEvent] = []
    var lastEventID = ""
    var retry: Int64?

    var testDescription: String { name }
}

struct EventStreamParserTests {
    private static let examples = [
        Example(
            name: "lines of data", stream: "data: a\ndata:b\ndata:  c\n\n", events: [StreamEvent(data: "a\nb\n c")]),
        Example(
            name: "every line ending", stream: "data: a\rdata: b\ndata: c\r\n\r\ndata: d\r\r",
            events: [StreamEvent(data: "a\nb\nc"), StreamEvent(data: "d")]),
        Example(
            name: "an empty line of data", stream: "data\n\ndata:\n\n", events: [.init(data: ""), .init(data: "")]),
        Example(name: "no data", stream: "event: x\n\n: note\n\n\n"),
        Example(
            name: "a name holds for its block", stream: "event: x\ndata: 1\n\nevent: y\n\ndata: 2\n\n",
            events: [StreamEvent(name: "x", data: "1"), StreamEvent(data: "2")]),
        Example(
            name: "an id holds until another", stream: "id: 7\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
            events: [
                StreamEvent(data: "a", lastEventID: "7"), StreamEvent(data: "b", lastEventID: "7"),
                StreamEvent(data: "c"),
            ]),
        Example(
            name: "an id with a NUL", stream: "id: 1\n\nid: 2\u{0}3\ndata: a\n\n",
            events: [StreamEvent(data: "a", lastEventID: "1")], lastEventID: "1"),
        Example(name: "an id alone", stream: "id: 9\n\n", lastEventID: "9"),
        Example(name: "an id in an unfinished block", stream: "id: 1\n\nid: 2\ndata: a\n", lastEventID: "1"),
        Example(name: "retry", stream: "retry: 1500\n", retry: 1_500),
        Example(name: "retry that is no number", stream: "retry: 5s\nretry: -1\nretry: 1.5\nretry:\nretry: ٣\n"),
        Example(name: "retry beyond all numbers", stream: "retry: 99999999999999999999\n", retry: .max),
        Example(name: "a mark of byte order", stream: "\u{FEFF}data: x\n\n", events: [StreamEvent(data: "x")]),
        Example(
            name: "a second mark", stream: "\u{FEFF}\u{FEFF}data: x\n\ndata: \u{FEFF}y\n\n",
            events: [StreamEvent(data: "\u{FEFF}y")]),
        Example(
            name: "characters of every length", stream: "data: é€😀\nevent: ü\nid: é7\n\n",
            events: [StreamEvent(name: "ü", data: "é€😀", lastEventID: "é7")], lastEventID: "é7"),
        Example(name: "unknown fields", stream: "Data: a\n data: b\nother\n:data: c\ndata : d\n\n"),
        Example(name: "a tab stays", stream: "data:\ta: b\n\n", events: [StreamEvent(data: "\ta: b")]),
    ]

    @Test(arguments: examples, [1, 2, 3, 7, 1_000])
    private func `a stream means the same wherever it is cut`(example: Example, size: Int) throws {
        var parser = EventStreamParser()

        let found = try events(Array(example.stream.utf8), pieces: size, parser: &parser)

        #expect(found == example.events)
        #expect(parser.lastEventID == example.lastEventID)
        #expect(parser.retryMilliseconds == example.retry)
    }

    @Test(arguments: [1, 2, 3, 100])
    func `bytes that are no text become replacement characters`(size: Int) throws {
        var parser = EventStreamParser()

        let found = try events(Array("data: ".utf8) + [0xFF, 0xE2, 0x82, 0x0A, 0x0A], pieces: size, parser: &parser)

        #expect(found == [StreamEvent(data: "\u{FFFD}\u{FFFD}")])
    }

    @Test func `a new connection goes on from the last id`() throws {
        var parser = EventStreamParser(lastEventID: "41")

        let found = try events(Array("data: a\n\nid: 42\n\n".utf8), pieces: 100, parser: &parser)

        #expect(found == [StreamEvent(data: "a", lastEventID: "41")])
        #expect(parser.lastEventID == "42")
    }

    /// Fails when a sender without line breaks, or one that never ends an event, can fill the memory.
    @Test(arguments: [1, 3, 1_000])
    func `a line or an event that is too long is refused after what came before`(size: Int) throws {
        let limits = EventStreamParser.Limits(lineBytesMax: 20, eventBytesMax: 40)
        let long = String(repeating: "x", count: 21)
        let many = String(repeating: "data: 0123456789\n", count: 4)
        for (stream, expected) in [
            ("data: a\n\n" + long, EventStreamError.lineTooLong(limit: 20)), (":" + long, .lineTooLong(limit: 20)),
            ("data: a\n\n" + many, .eventTooLong(limit: 40)),
            (String(repeating: "data\n", count: 50), .eventTooLong(limit: 40)),
        ] {
            var parser = EventStreamParser(limits: limits)
            var found: [StreamEvent] = []
            var rest = Array(stream.utf8)[...]
            #expect(throws: expected) {
                while !rest.isEmpty {
                    try parser.read(Array(rest.prefix(size)), into: &found)
                    rest = rest.dropFirst(size)
                }
            }
            #expect(found.count == (stream.hasPrefix("data: a") ? 1 : 0))
        }
    }

    @Test func `the longest line and event allowed are taken`() throws {
        var parser = EventStreamParser(limits: EventStreamParser.Limits(lineBytesMax: 20, eventBytesMax: 40))
        let line = "data: " + String(repeating: "x", count: 14) + "\n"

        let found = try events(Array((line + line + "\n" + line + "\n").utf8), pieces: 1_000, parser: &parser)

        #expect(found.map(\.data.utf8.count) == [29, 14])
    }

    /// Fails when where the pieces are cut changes what is read, for streams nobody would write.
    @Test func `any bytes cut anywhere read the same as whole`() throws {
        var random = SeededNumbers(seed: 7)
        let alphabet = Array("\n\r\n\r:: datidevnretry01\u{0}".utf8) + [0xEF, 0xBB, 0xBF, 0xE2, 0x82, 0xFF]
        for _ in 0..<2_000 {
            let bytes = (0..<random.below(60)).map { _ in alphabet[random.below(alphabet.count)] }
            var whole = EventStreamParser()
            let expected = try events(bytes, pieces: bytes.count + 1, parser: &whole)
            var cut = EventStreamParser()
            var found: [StreamEvent] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let size = random.below(4)
                try cut.read(Array(rest.prefix(size)), into: &found)
                rest = rest.dropFirst(size)
            }
            #expect(found == expected)
            #expect(cut.lastEventID == whole.lastEventID && cut.retryMilliseconds == whole.retryMilliseconds)
        }
    }
}
