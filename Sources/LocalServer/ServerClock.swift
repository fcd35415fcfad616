internal import Platform

/// The server's time, which tests can move or stop.
struct ServerClock: Sendable {
    /// Milliseconds added to the machine's time.
    private var shift: Int64 = 0
    /// The instant at which the clock stands, when it does.
    private var standing: Int64?
    /// The last instant told, since a clock must not go back by itself.
    private var last: Int64 = 0

    /// Milliseconds since 1970-01-01 UTC; never earlier than told before, unless the clock was set.
    var milliseconds: Int64 {
        mutating get {
            last = max(standing ?? Environment.millisecondsSinceEpoch + shift, last)
            return last
        }
    }

    /// Sets the clock, also back.
    mutating func set(_ instant: Int64) {
        last = 0
        shift = instant - Environment.millisecondsSinceEpoch
        if standing != nil { standing = instant }
    }

    /// Whether the clock was set or stopped, so that it is not the machine's.
    var isMoved: Bool { shift != 0 || standing != nil }

    /// Puts the clock forward, or back.
    mutating func advance(_ milliseconds: Int64) { set(self.milliseconds + milliseconds) }

    /// Stops the clock where it is, or lets it go on from there.
    mutating func stop(_ isStopped: Bool) {
        let now = milliseconds
        standing = isStopped ? now : nil
        set(now)
    }

    /// Goes back to the machine's time.
    mutating func reset() { self = ServerClock() }
}

extension TimeText {
    /// The milliseconds since 1970-01-01 UTC of an instant in the contract's form; `nil` for any other text.
    static func milliseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 24 else { return nil }
        let marks: [Int: UInt8] = [4: 0x2D, 7: 0x2D, 10: 0x54, 13: 0x3A, 16: 0x3A, 19: 0x2E, 23: 0x5A]
        for (index, byte) in bytes.enumerated() {
            guard marks[index].map({ $0 == byte }) ?? (0x30...0x39).contains(byte) else { return nil }
        }
        func number(_ range: Range<Int>) -> Int64 { range.reduce(0) { $0 * 10 + Int64(bytes[$1] - 0x30) } }
        let month = number(5..<7)
        let day = number(8..<10)
        guard (1...12).contains(month), (1...31).contains(day), number(11..<13) < 24, number(14..<16) < 60,
            number(17..<19) < 60
        else { return nil }
        let seconds = number(11..<13) * 3_600 + number(14..<16) * 60 + number(17..<19)
        return (daysSinceEpoch(number(0..<4), month, day) * 86_400 + seconds) * 1_000 + number(20..<23)
    }

    /// Days from 1970-01-01 to a date, in the proleptic Gregorian calendar.
    private static func daysSinceEpoch(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// An instant in the form of HTTP and mail, `Fri, 21 Aug 2026 09:14:03 GMT`; any other text stays as it is.
    static func webDate(_ text: String) -> String {
        guard let milliseconds = milliseconds(text) else { return text }
        let days = (milliseconds - (milliseconds % 86_400_000 + 86_400_000) % 86_400_000) / 86_400_000
        // The first day of 1970 was a Thursday.
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int((days % 7 + 7) % 7)]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let month = months[(Int(text.dropFirst(5).prefix(2)) ?? 1) - 1]
        return
            "\(weekday), \(text.dropFirst(8).prefix(2)) \(month) \(text.prefix(4)) \(text.dropFirst(11).prefix(8)) GMT"
    }
}
