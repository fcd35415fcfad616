/// How far the clocks of one place are from UTC, now and in other seasons.
///
/// An instant is shown as clocks showed it then, so mail of July keeps its hour in November.
package struct ZoneOffsets: Sendable, Hashable {
    /// An offset and the second it begins at.
    package struct Change: Sendable, Hashable {
        package var start: Int64
        package var seconds: Int

        package init(start: Int64, seconds: Int) {
            self.start = start
            self.seconds = seconds
        }
    }

    /// In the order of their starts.
    private let changes: [Change]
    /// What holds before the first change.
    private let first: Int

    /// The same offset at all times.
    package init(fixed seconds: Int) {
        changes = []
        first = seconds
    }

    /// Offsets by when they begin, in that order; before the first, the first holds.
    package init(_ changes: [Change]) {
        self.changes = changes
        first = changes.first?.seconds ?? 0
    }

    /// The seconds to add to an instant of UTC.
    package func seconds(at instant: Int64) -> Int {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].start <= instant { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : changes[low - 1].seconds
    }
}
