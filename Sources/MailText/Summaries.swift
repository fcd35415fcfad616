internal import DisplayText
package import MailModel

/// A moment in at most 10 columns: the time today, the weekday and time this week, the day this year, else the date.
///
/// `?` when it cannot be read. What is still to come is never named by its weekday.
package func displayDate(_ timestamp: Timestamp, now: Int64, zone: ZoneOffsets) -> String {
    switch LocalMoment.age(timestamp, now: now, zone: zone) {
    case .unknown: "?"
    case .today(let moment): moment.time
    case .thisWeek(let moment): "\(moment.weekday) \(moment.time)"
    case .thisYear(let moment): moment.day
    case .other(let moment): moment.date
    }
}

/// The same in at most 6 columns: the time, the weekday, the day, or the year.
package func shortDisplayDate(_ timestamp: Timestamp, now: Int64, zone: ZoneOffsets) -> String {
    switch LocalMoment.age(timestamp, now: now, zone: zone) {
    case .unknown: "?"
    case .today(let moment): moment.time
    case .thisWeek(let moment): moment.weekday
    case .thisYear(let moment): moment.day
    case .other(let moment): moment.year
    }
}

/// The same where the offset never changes.
package func displayDate(_ timestamp: Timestamp, now: Int64, utcOffsetSeconds: Int) -> String {
    displayDate(timestamp, now: now, zone: ZoneOffsets(fixed: utcOffsetSeconds))
}

/// A moment in full, `Sat 28 Nov 2026, 08:35`, always 21 or 22 columns; `?` when unreadable.
package func displayMoment(_ timestamp: Timestamp, zone: ZoneOffsets) -> String {
    guard let seconds = timestamp.secondsSinceEpoch, let moment = LocalMoment(seconds, zone) else { return "?" }
    return "\(moment.weekday) \(moment.day) \(moment.year), \(moment.time)"
}

/// Who a message is from or, when it was sent, to whom it went.
package func counterparty(of summary: MessageSummary) -> String {
    guard summary.direction == .outbound, !summary.to.isEmpty else {
        return TextDisplay.sanitizedLine(summary.fromAddress)
    }
    return TextDisplay.sanitizedLine(summary.to.joined(separator: ", "))
}

/// An instant as calendar and clock of a place show it.
private struct LocalMoment {
    /// How far back a moment is, by the calendar of the place.
    enum Age {
        case unknown
        case today(LocalMoment)
        /// One to six days back, so that its weekday names one day only.
        case thisWeek(LocalMoment)
        case thisYear(LocalMoment)
        case other(LocalMoment)
    }

    /// `2026-11-28T08:35:00`, as bytes.
    private let text: [UInt8]
    /// Days since the epoch.
    private let dayNumber: Int64

    init?(_ seconds: Int64, _ zone: ZoneOffsets) {
        let (local, overflow) = seconds.addingReportingOverflow(Int64(zone.seconds(at: seconds)))
        guard !overflow, (-62_135_596_800...253_402_300_799).contains(local) else { return nil }
        text = Array(Timestamp(millisecondsSinceEpoch: local * 1_000).text.utf8)
        guard text.count >= 19 else { return nil }
        let (days, rest) = local.quotientAndRemainder(dividingBy: 86_400)
        dayNumber = days - (rest < 0 ? 1 : 0)
    }

    static func age(_ timestamp: Timestamp, now: Int64, zone: ZoneOffsets) -> Age {
        guard let seconds = timestamp.secondsSinceEpoch, let moment = LocalMoment(seconds, zone),
            let today = LocalMoment(now, zone)
        else { return .unknown }
        switch today.dayNumber - moment.dayNumber {
        case 0: return .today(moment)
        case 1...6: return .thisWeek(moment)
        default: return moment.year == today.year ? .thisYear(moment) : .other(moment)
        }
    }

    private func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }

    var year: String { part(0..<4) }
    var date: String { part(0..<10) }
    var time: String { part(11..<16) }

    /// Day and month, `28 Nov`.
    var day: String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let month = Int(part(5..<7)) ?? 0
        let day = Int(part(8..<10)) ?? 0
        guard months.indices.contains(month - 1) else { return "?" }
        return "\(day) \(months[month - 1])"
    }

    var weekday: String {
        // Day 0 was a Thursday.
        let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        return names[Int((dayNumber % 7 + 7) % 7)]
    }
}
