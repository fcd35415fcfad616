internal import Testing

struct ConformanceTests {
    private static let files = [
        "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19",
        "20", "21", "22", "23", "24",
    ]

    /// Fails when an exchange that agreed with the real server no longer does, or a listed one begins to.
    @Test(arguments: files) func `the local server answers as the real one did`(_ number: String) throws {
        guard let recordings = Recordings.shared, let world = RecordedWorld.shared else { return }
        let result = try Replay.run(number, recordings, world)
        print(result.report)
        if KnownDifferences.open.contains(number) { return }
        let known = KnownDifferences.all[number] ?? [:]
        let differing = Set(result.differences.map(\.exchange))
        #expect(differing.subtracting(known.keys).isEmpty, "disagrees: \(result.report)")
        #expect(Set(known.keys).subtracting(differing).isEmpty, "agrees now; take it from the list")
    }
}
