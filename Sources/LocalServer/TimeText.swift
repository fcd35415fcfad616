/// Instants in the contract's form, `YYYY-MM-DDTHH:MM:SS.mmmZ`.
enum TimeText {
    /// The text of an instant; years outside 0 to 9999 are drawn to the nearest that fits.
    static func text(_ milliseconds: Int64) -> String {
        let clamped = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
        var seconds = clamped / 1_000
        var rest = clamped % 1_000
        if rest < 0 {
            rest += 1_000
            seconds -= 1
        }
        var days = seconds / 86_400
        var second = seconds % 86_400
        if second < 0 {
            second += 86_400
            days -= 1
        }
        let date = civil(days)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        func put(_ value: Int64, _ digits: Int, _ mark: UInt8) {
            var divisor: Int64 = 1
            for _ in 1..<digits { divisor *= 10 }
            while divisor > 0 {
                bytes.append(0x30 + UInt8(value / divisor % 10))
                divisor /= 10
            }
            bytes.append(mark)
        }
        put(date.year, 4, 0x2D)
        put(date.month, 2, 0x2D)
        put(date.day, 2, 0x54)
        put(second / 3_600, 2, 0x3A)
        put(second / 60 % 60, 2, 0x3A)
        put(second % 60, 2, 0x2E)
        put(rest, 3, 0x5A)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The date of a day counted from 1970-01-01, in the proleptic Gregorian calendar.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
