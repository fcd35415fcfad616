package import MailModel

extension Filter {
    /// A point in time as it is typed.
    package enum Moment: Sendable, Hashable {
        /// The beginning of a year, month or day by the person's clock.
        case day(Day)
        /// So long before now.
        case ago(Int, Unit)
    }

    /// A year, or a month or day of it.
    package struct Day: Sendable, Hashable {
        package var year: Int
        package var month: Int?
        package var day: Int?

        package init(year: Int, month: Int? = nil, day: Int? = nil) {
            self.year = year
            self.month = month
            self.day = day
        }
    }

    /// A unit of a span; a month has 30 days and a year 365.
    package enum Unit: String, Sendable, Hashable, CaseIterable {
        case hours = "h"
        case days = "d"
        case weeks = "w"
        case months = "m"
        case years = "y"

        var milliseconds: Int64 {
            switch self {
            case .hours: 3_600_000
            case .days: 86_400_000
            case .weeks: 7 * 86_400_000
            case .months: 30 * 86_400_000
            case .years: 365 * 86_400_000
            }
        }
    }
}

/// What a filter's dates stand on.
package struct FilterClock: Sendable, Hashable {
    package var nowMilliseconds: Int64
    package var zone: ZoneOffsets

    package init(nowMilliseconds: Int64, zone: ZoneOffsets) {
        self.nowMilliseconds = nowMilliseconds
        self.zone = zone
    }

    /// The instant that a moment means.
    package func instant(_ moment: Filter.Moment) -> Timestamp {
        switch moment {
        case .ago(let count, let unit):
            return Timestamp(millisecondsSinceEpoch: max(0, nowMilliseconds - Int64(count) * unit.milliseconds))
        case .day(let day):
            let utc = day.midnight?.secondsSinceEpoch ?? 0
            return Timestamp(millisecondsSinceEpoch: (utc - Int64(zone.seconds(at: utc))) * 1_000)
        }
    }

    /// Which of a message's instants a moment is compared with.
    ///
    /// Days are those that lists show. Ages count from when the server got the message, since the other date may be
    /// the sender's.
    static func compared(_ moment: Filter.Moment, in message: MessageSummary) -> Timestamp {
        switch moment {
        case .day: message.activityAt
        case .ago: message.createdAt
        }
    }
}

extension Filter.Day {
    static let years = 1_970...9_998

    /// The text in the documented form; months and days may be missing.
    package var text: String {
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return String(year) + (month.map { "-" + two($0) } ?? "") + (day.map { "-" + two($0) } ?? "")
    }

    /// Its beginning in UTC; `nil` for a day that no calendar has.
    fileprivate var midnight: Timestamp? {
        var first = self
        first.month = month ?? 1
        first.day = day ?? 1
        let stamp = Timestamp(first.text + "T00:00:00.000Z")
        guard let seconds = stamp.secondsSinceEpoch else { return nil }
        return Timestamp(millisecondsSinceEpoch: seconds * 1_000) == stamp ? stamp : nil
    }

    /// Reads `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; `nil` for all else.
    init?(_ text: String) {
        let pieces = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...3).contains(pieces.count), pieces[0].utf8.count == 4,
            pieces.dropFirst().allSatisfy({ $0.utf8.count == 2 }),
            pieces.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        let numbers = pieces.compactMap { Int($0) }
        guard numbers.count == pieces.count, Filter.Day.years.contains(numbers[0]) else { return nil }
        self.init(
            year: numbers[0], month: numbers.count > 1 ? numbers[1] : nil, day: numbers.count > 2 ? numbers[2] : nil)
        if midnight == nil { return nil }
    }
}

extension Filter.Moment {
    /// The most of a unit.
    static let countMax = 100_000

    package var text: String {
        switch self {
        case .day(let day): day.text
        case .ago(let count, let unit): String(count) + unit.rawValue
        }
    }

    /// Reads a date or a span.
    init?(_ text: String) {
        if let day = Filter.Day(text) {
            self = .day(day)
            return
        }
        guard let unit = text.last.flatMap({ Filter.Unit(rawValue: $0.lowercased()) }),
            text.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(text.dropLast()),
            count <= Filter.Moment.countMax
        else { return nil }
        self = .ago(count, unit)
    }
}
