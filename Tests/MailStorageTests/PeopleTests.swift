import MailModel
import MailStorage
import Testing

/// Fails when a row names senders of other threads, the person's own mail, one sender twice, or too many.
@Test func `a row knows who else wrote in its conversation`() async throws {
    let bench = try Bench()
    _ = try await bench.store.replaceMailboxes([mailbox("a")])
    func put(_ id: String, _ thread: String, from: String, at second: Int, folder: String = "inbox") async throws {
        var summary = message(id, thread: thread, folder: folder, at: second)
        summary.fromAddress = from
        try await bench.put(summary)
    }
    try await put("m1", "t1", from: "ann@x.example", at: 1)
    try await put("m2", "t1", from: "lee@x.example", at: 2, folder: "archived")
    try await put("m3", "t1", from: "a@x.example", at: 3, folder: "sent")
    try await put("m4", "t1", from: "ann@x.example", at: 4)
    try await put("m5", "t1", from: "dana@x.example", at: 5)
    try await put("m6", "t2", from: "sam@x.example", at: 6)
    for number in 0..<20 { try await put("n\(number)", "t3", from: "p\(number)@x.example", at: 10 + number) }

    let rows = try await bench.reader().conversations(in: ListScope(folder: .inbox), limit: 10)

    #expect(rows.map(\.threadID.rawValue) == ["t3", "t2", "t1"])
    #expect(rows[2].people == ["ann@x.example", "lee@x.example"])
    #expect(rows[1].people.isEmpty)
    #expect(rows[0].people == (13..<19).reversed().map { "p\($0)@x.example" })
    let sent = try await bench.reader().conversations(in: ListScope(folder: .sent), limit: 10)
    #expect(sent.first?.people == ["dana@x.example", "ann@x.example", "lee@x.example"])
}
