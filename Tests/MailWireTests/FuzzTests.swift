import JSON
import MailWire
import Testing

private let row = """
    {"id":"m1","threadId":"t1","mailboxId":null,"direction":"inbound","folder":"inbox","fromAddress":"d@y.example",\
    "to":["a@x.example"],"subject":"caf\\u00e9 \\ud83d\\ude00","snippet":"\\"x\\"","receivedAt":null,"sentAt":null,\
    "readAt":null,"starredAt":null,"hasAttachments":true,"createdAt":"2026-01-01T00:00:00.000Z","new":{"a":[1.5e3]}}
    """
private let page = """
    {"changes":[{"type":"upsert","message":\(row)},{"type":"delete","messageId":"m2","mailboxId":"a"},\
    {"type":"later","x":[[]]}],"nextCursor":"c","hasMore":false}
    """

private func read(_ bytes: [UInt8]) throws(JSONError) -> ChangePageWire {
    var reader = JSONReader(bytes)
    let page = try ChangePageWire(from: &reader)
    try reader.end()
    return page
}

@Test func `a page of changes is read and written alike`() throws {
    let wire = try read(Array(page.utf8))
    #expect(wire.changes.count == 3 && wire.nextCursor == "c" && !wire.hasMore)
    guard case .upsert(let summary) = wire.changes[0] else { throw JSONError.missing("message") }
    #expect(summary.subject == "caf\u{E9} \u{1F600}" && summary.hasAttachments && summary.mailboxId == nil)
    #expect(wire.changes[1] == .delete(messageId: "m2", mailboxId: "a") && wire.changes[2] == .unknown)
    var writer = JSONWriter()
    wire.write(to: &writer)
    var again = wire
    again.changes.removeLast()
    #expect(try read(writer.bytes) == again)
}

@Test func `a summary without an indispensable member is refused`() {
    for name in ["id", "threadId", "folder", "createdAt"] {
        let text = row.replacing("\"\(name)\":", with: "\"x\":")
        var reader = JSONReader(Array(text.utf8))
        #expect(throws: JSONError.missing(name)) { _ = try MessageSummaryWire(from: &reader) }
    }
}

@Test func `every cut of a page is refused`() {
    let bytes = Array(page.utf8)
    for count in 0..<bytes.count {
        #expect(throws: JSONError.self) { _ = try read(Array(bytes[..<count])) }
    }
}

@Test func `changed bytes are read or refused and never trap`() {
    var state: UInt64 = 42
    func random(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
    let alphabet = Array("{}[]\",:\\u019de-.tfn \u{0}".utf8) + [0xFF, 0xC3, 0x80]
    for _ in 0..<20_000 {
        var bytes = Array(page.utf8)
        for _ in 0...random(4) {
            let place = random(bytes.count)
            switch random(3) {
            case 0: bytes[place] = alphabet[random(alphabet.count)]
            case 1: bytes.remove(at: place)
            default: bytes.insert(alphabet[random(alphabet.count)], at: place)
            }
        }
        guard let wire = try? read(bytes) else { continue }
        var writer = JSONWriter()
        wire.write(to: &writer)
        #expect((try? read(writer.bytes)) != nil)
    }
}
