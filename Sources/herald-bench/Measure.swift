internal import Glibc

/// The processor time of this process, over all its threads: steady where the machine is busy.
enum ProcessorTime {
    static var now: Duration {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        return .seconds(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + .microseconds(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    }
}

/// The times of one thing done many times, in milliseconds.
struct Samples {
    private(set) var values: [Double] = []

    mutating func add(_ duration: Duration) {
        let parts = duration.components
        values.append(Double(parts.seconds) * 1_000 + Double(parts.attoseconds) / 1e15)
    }

    mutating func add(_ other: Samples) { values += other.values }

    var median: Double { percentile(50) }
    var max: Double { values.max() ?? 0 }

    /// The smallest value that is not below `percent` of them; 0 when there is none.
    func percentile(_ percent: Int) -> Double {
        guard !values.isEmpty else { return 0 }
        let sorted = values.sorted()
        return sorted[Swift.min(sorted.count - 1, Swift.max(0, (sorted.count * percent + 99) / 100 - 1))]
    }
}

/// What keeps a measurement from being made.
struct BenchError: Error, Hashable {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// Numbers that look random and are the same for the same seed (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
