import MailModel
import MailStorage
import MailTestSupport
import Testing

@Test(arguments: [1, 2, 3] as [UInt64])
func `lists and counts equal a recount through a storm of changes`(_ seed: UInt64) async throws {
    let bench = try Bench()
    var random = SeededNumbers(seed: seed)
    var truth = Recount()
    _ = try await bench.store.replaceMailboxes([mailbox("a"), mailbox("b")])
    let reader = try bench.reader()
    for round in 0..<25 {
        var changes: [MessageChange] = []
        for _ in 0..<Int.random(in: 1...20, using: &random) { changes.append(truth.change(&random)) }
        _ = try await bench.store.commitChanges(changes, cursor: "\(round)")
        try await compare(truth, reader)
    }
}
