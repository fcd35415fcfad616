import MailModel
import MailTestSupport
import SQLite
import Testing

@testable import MailStorage

/// Fails when the number of an instant puts two messages in another order than the server's comparison of texts.
@Test func `an instant's number orders like its text`() {
    var texts = [
        "", "0", "2", "20", "2025", "2025-", "2025-01-01", "2025-01-01T00:00:00", "2025-01-01T00:00:00Z",
        "2025-01-01T00:00:00.000Z", "2025-01-01T00:00:00.001Z", "2025-01-01T00:00:00.0019Z", "2025-01-01 00:00:00.000Z",
        "2025-01-01t00:00:00.000Z", "2025-1-1", "2025-13-41T99:99:99.999Z", "9999-12-31T23:59:59.999Z", "+010000-01-01",
        "-000001-01-01", "Mon, 1 Jan", "é", "2025-01-01T00:00:00.000+01:00", "20250101T000000Z", "2025-01-01T0é",
    ]
    var random = SeededNumbers(seed: 7)
    for _ in 0..<400 {
        texts.append(Timestamp(millisecondsSinceEpoch: Int64.random(in: 0..<4_000_000_000_000, using: &random)).text)
        var bytes = Array("2025-01-01T00:00:00.000Z".utf8)
        bytes[Int.random(in: 0..<24, using: &random)] = UInt8.random(in: 32..<127, using: &random)
        texts.append(String(decoding: bytes.prefix(Int.random(in: 1...24, using: &random)), as: UTF8.self))
    }
    let sorted = texts.map { Timestamp($0) }.sorted()
    for (left, right) in zip(sorted, sorted.dropFirst()) {
        #expect(SortKey.of(left) <= SortKey.of(right), "\(left.text) \(right.text)")
    }
}

/// Fails when caches written by another build would not find their rows.
@Test func `an identifier's number stays the same`() {
    #expect(SortKey.hash(MessageID("")) == 0)
    #expect(SortKey.hash(MessageID("a")) == 231420535246976277)
    #expect(SortKey.hash(ThreadID("msg_5af632bb-825e-4cf3-837a-fb0330d8d780")) == -2435164380241158458)
    #expect(Set((0..<10_000).map { SortKey.hash(MessageID("msg_\($0)")) }).count == 10_000)
}

/// Fails when two identifiers that share a number are taken for one.
@Test func `messages that share a number are told apart`() async throws {
    let bench = try Bench()
    let number = SortKey.hash(MessageID("1"))
    try await bench.put(message("1"), message("2"))
    do {
        let database = try CacheFile.open(bench.path, owner: "test").database
        try database.run("UPDATE messages SET id_hash = \(number)")
    }
    #expect(try await bench.put(message("1", read: true)) == CommitCounts(updated: 1))
    #expect(try await bench.store.commitChanges([.delete(MessageID("1"))], cursor: "x") == CommitCounts(deleted: 1))
    #expect(try await bench.ids(nil) == ["2"])
}
