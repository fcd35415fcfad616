internal import MailModel
internal import Platform

/// The one place where the program asks what time it is.
///
/// A debug build takes the time from `HERALD_CLOCK`, if that is set: an instant such as
/// `2026-11-30T08:00:00.250Z`, or the path of a file that holds one and can be rewritten while the program runs.
/// Both clocks then stand still until the file says otherwise.
enum WallClock {
    /// Milliseconds since 1970-01-01 UTC.
    @Sendable static func milliseconds() -> Int64 {
        #if DEBUG
            if let fake = fakeMilliseconds() { return fake }
        #endif
        return Environment.millisecondsSinceEpoch
    }

    /// Milliseconds of a clock that never goes back and counts a suspended machine's time, for waiting.
    static func bootMilliseconds() -> Int64 {
        #if DEBUG
            if let fake = fakeMilliseconds() { return fake }
        #endif
        return Environment.bootMilliseconds
    }

    /// How many years back changes of the clock are known one by one; before that the earliest offset holds.
    private static let zoneYears: Int64 = 30

    /// The offsets of the person's clocks over the years, up to a year from now.
    static func zone() -> ZoneOffsets {
        let now = milliseconds() / 1_000
        let year: Int64 = 31_556_952
        let changes = Environment.utcOffsetChanges(in: (now - zoneYears * year)...(now + year))
        return ZoneOffsets(changes.map { ZoneOffsets.Change(start: $0.start, seconds: $0.seconds) })
    }

    #if DEBUG
        private static let source = Environment.value("HERALD_CLOCK")

        /// `nil` when the real time is meant, or when what is there is no instant.
        private static func fakeMilliseconds() -> Int64? {
            guard let source else { return nil }
            if let fixed = instant(source) { return fixed }
            guard let bytes = try? Files.readRegular(source, bytesMax: 64) else { return nil }
            return instant(String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace })
        }

        private static func instant(_ text: String) -> Int64? {
            guard let seconds = Timestamp(text).secondsSinceEpoch else { return nil }
            let fraction = text.split(separator: ".").dropFirst().first?.prefix(3) ?? ""
            return seconds * 1_000 + (fraction.count == 3 ? Int64(fraction) ?? 0 : 0)
        }
    #endif
}
