internal import DisplayText
package import MailModel

/// A moment in at most 10 columns: the time today, the day this year, else the date; `?` when unreadable.
package func displayDate(_ timestamp: Timestamp, now: Int64, utcOffsetSeconds: Int) -> String {
    guard let seconds = timestamp.secondsSinceEpoch else { return "?" }
    let moment = localText(seconds, utcOffsetSeconds)
    let today = localText(now, utcOffsetSeconds)
    guard moment.count >= 19, today.count >= 19 else { return "?" }
    if moment[..<10] == today[..<10] { return String(decoding: moment[11..<16], as: UTF8.self) }
    if moment[..<4] == today[..<4] { return dayAndMonth(moment) }
    return String(decoding: moment[..<10], as: UTF8.self)
}

/// A moment in full, `Sat 28 Nov 2026, 08:35`, always 21 or 22 columns; `?` when unreadable.
package func displayMoment(_ timestamp: Timestamp, utcOffsetSeconds: Int) -> String {
    guard let seconds = timestamp.secondsSinceEpoch else { return "?" }
    let moment = localText(seconds, utcOffsetSeconds)
    guard moment.count >= 19 else { return "?" }
    let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    // `localText` has shown that the sum does not overflow. Day 0 was a Thursday.
    let (days, rest) = (seconds + Int64(utcOffsetSeconds)).quotientAndRemainder(dividingBy: 86_400)
    let weekday = ((days - (rest < 0 ? 1 : 0)) % 7 + 7) % 7
    let name = names[Int(weekday)]
    let year = String(decoding: moment[..<4], as: UTF8.self)
    return "\(name) \(dayAndMonth(moment)) \(year), \(String(decoding: moment[11..<16], as: UTF8.self))"
}

private func dayAndMonth(_ moment: [UInt8]) -> String {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let month = Int(String(decoding: moment[5..<7], as: UTF8.self)) ?? 0
    let day = Int(String(decoding: moment[8..<10], as: UTF8.self)) ?? 0
    guard months.indices.contains(month - 1) else { return "?" }
    return "\(day) \(months[month - 1])"
}

/// Who a message is from or, when it was sent, to whom it went.
package func counterparty(of summary: MessageSummary) -> String {
    guard summary.direction == .outbound, !summary.to.isEmpty else {
        return TextDisplay.sanitizedLine(summary.fromAddress)
    }
    return TextDisplay.sanitizedLine(summary.to.joined(separator: ", "))
}

private func localText(_ seconds: Int64, _ offset: Int) -> [UInt8] {
    let (local, overflow) = seconds.addingReportingOverflow(Int64(offset))
    guard !overflow, (-62_135_596_800...253_402_300_799).contains(local) else { return [] }
    return Array(Timestamp(millisecondsSinceEpoch: local * 1_000).text.utf8)
}
