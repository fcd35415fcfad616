internal import CSystem
internal import Glibc

/// The process's environment, clocks and randomness.
package enum Environment {
    /// The value of a variable; `nil` when unset or empty.
    package static func value(_ name: String) -> String? {
        guard let pointer = getenv(name) else { return nil }
        let value = String(cString: pointer)
        return value.isEmpty ? nil : value
    }

    /// Whether a variable is unset or UTF-8, so that `value` is exactly what it holds.
    package static func isValid(_ name: String) -> Bool {
        guard let pointer = getenv(name) else { return true }
        return String(validatingCString: pointer) != nil
    }

    /// Sets a variable.
    package static func set(_ name: String, _ value: String) { setenv(name, value, 1) }

    /// Removes a variable, so that child processes do not get it.
    package static func remove(_ name: String) { unsetenv(name) }

    /// Removes a variable that holds a secret, and wipes it where the system shows it (`/proc/PID/environ`).
    package static func wipe(_ name: String) {
        if let value = getenv(name) { memset(value, 0x2A, strlen(value)) }
        unsetenv(name)
    }

    /// The path of this program's own file; empty when the system does not tell.
    package static var executablePath: String {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return "" }
        return String(decoding: buffer[0..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Milliseconds since 1970-01-01 UTC.
    package static var millisecondsSinceEpoch: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// Milliseconds of a clock that never goes back.
    package static var monotonicMilliseconds: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// Milliseconds of a clock that never goes back and goes on while the machine sleeps.
    package static var bootMilliseconds: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// Seconds east of UTC at an instant, by the person's time zone.
    package static func utcOffsetSeconds(at secondsSinceEpoch: Int64) -> Int {
        var seconds = time_t(secondsSinceEpoch)
        var broken = tm()
        localtime_r(&seconds, &broken)
        return broken.tm_gmtoff
    }

    /// When the person's time zone changes its offset within some seconds, each with the offset that begins then.
    ///
    /// The first entry is the offset at the start. Changes less than a month apart may be missed.
    package static func utcOffsetChanges(in range: ClosedRange<Int64>) -> [(start: Int64, seconds: Int)] {
        var changes = [(start: range.lowerBound, seconds: utcOffsetSeconds(at: range.lowerBound))]
        var known = range.lowerBound
        for instant in stride(from: range.lowerBound, through: range.upperBound, by: 2_592_000) {
            let offset = utcOffsetSeconds(at: instant)
            if let last = changes.last, last.seconds != offset {
                // Halving the month finds the second.
                var (before, after) = (known, instant)
                while after - before > 1 {
                    let middle = before + (after - before) / 2
                    if utcOffsetSeconds(at: middle) == last.seconds { before = middle } else { after = middle }
                }
                changes.append((after, offset))
            }
            known = instant
        }
        return changes
    }

    /// Random bytes from the kernel.
    package static func randomBytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes {
                getrandom($0.baseAddress?.advanced(by: filled), count - filled, 0)
            }
            if got > 0 { filled += got }
        }
        return bytes
    }

    /// A random UUID (RFC 9562 version 4) in lower case.
    package static func uuid() -> String {
        var bytes = randomBytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text.append(0x2D) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
