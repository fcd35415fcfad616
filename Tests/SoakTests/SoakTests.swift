import Glibc
import Platform
import SoakSupport
import Testing

/// After any run of changes, faults and kills, one clean pass makes the cache equal to a fresh one.
@Suite(.serialized) struct SoakTests {
    /// Seeds of an ordinary test run.
    private static let seeds: [UInt64] =
        Environment.value("HERALD_SEED").flatMap { UInt64($0) }.map { [$0] }
        ?? Array(1...30)

    private func check(_ seed: UInt64) async throws -> SoakRun.Outcome {
        let outcome = try await SoakRun.run(seed: seed)
        if !outcome.differences.isEmpty {
            let report = outcome.log + outcome.differences
            Issue.record("HERALD_SEED=\(seed) repeats this run:\n\(report.joined(separator: "\n"))")
        }
        return outcome
    }

    /// Fails when a cache that lived through a run differs from one made from nothing.
    @Test(arguments: seeds) func `a clean pass makes the cache equal to a fresh one`(_ seed: UInt64) async throws {
        _ = try await check(seed)
    }

    /// Fails when one seed does not always do the same, so that a run found by chance could not be looked at.
    @Test func `a seed repeats its run exactly`() async throws {
        let first = try await SoakRun.run(seed: 7)
        let second = try await SoakRun.run(seed: 7)

        #expect(first.log == second.log)
    }

    /// Runs new seeds until the time of `HERALD_SOAK_SECONDS` is over.
    @Test(.enabled(if: Environment.value("HERALD_SOAK_SECONDS") != nil))
    func `seeds never seen before end equal as well`() async throws {
        let seconds = Environment.value("HERALD_SOAK_SECONDS").flatMap { Int64($0) } ?? 0
        let end = Environment.monotonicMilliseconds + seconds * 1_000
        let start = UInt64(Environment.millisecondsSinceEpoch) * 1_000
        var (runs, passes, failures, kills) = (0, 0, 0, 0)
        while Environment.monotonicMilliseconds < end {
            let outcome = try await check(start + UInt64(runs))
            runs += 1
            passes += outcome.passes
            failures += outcome.failures
            kills += outcome.kills
        }
        let line = "soak: \(runs) runs from seed \(start): \(passes) passes, \(failures) failed, \(kills) killed\n"
        Files.writeAll(1, Array(line.utf8))
    }
}
