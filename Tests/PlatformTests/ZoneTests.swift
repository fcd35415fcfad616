import Glibc
import Platform
import Testing

/// Fails when the changes of the clock are found at a wrong second or one is missing.
@Test func `the changes of the clock are those of the system`() throws {
    let range: ClosedRange<Int64> = 1_577_836_800...1_767_225_600
    let changes = Environment.utcOffsetChanges(in: range)
    #expect(changes.first?.start == range.lowerBound)
    for (change, next) in zip(changes, changes.dropFirst()) {
        #expect(change.start < next.start && change.seconds != next.seconds)
        #expect(Environment.utcOffsetSeconds(at: next.start - 1) == change.seconds)
        #expect(Environment.utcOffsetSeconds(at: next.start) == next.seconds)
    }
    for instant in stride(from: range.lowerBound, through: range.upperBound, by: 864_000) {
        let found = changes.last { $0.start <= instant }
        #expect(found?.seconds == Environment.utcOffsetSeconds(at: instant))
    }
}
