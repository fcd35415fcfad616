internal import Platform

/// Remembers how an unattended sync fails, so that cron tells it once and then daily.
///
/// Each kind of failure, by its exit code, is told when it begins and again a day after it was last told. A success
/// forgets them all. A full disk is a failure as well, so the file is written over in place: it has its room from the
/// first success on.
struct FailureNotice {
    /// The file that remembers: a line with exit code and milliseconds since 1970 for each failure told.
    let path: String
    /// Whether a success makes the file.
    private let reservesRoom: Bool

    private static let day: Int64 = 86_400_000
    /// Room for every exit code; the rest is empty lines.
    private static let bytes = 512

    init(account: Account) {
        path = account.stateDirectory + "/sync-failed"
        reservesRoom = true
    }

    /// For failures that come before the account is known.
    init(places: Places) {
        path = places.state + "/sync-failed"
        reservesRoom = false
    }

    /// Whether a failure is to be told at `now`, in milliseconds since 1970; it counts as told then.
    ///
    /// When that cannot be remembered it is told each time.
    func shouldTell(_ exitCode: ExitCode, now: Int64) -> Bool {
        var told = read()
        // A time that is still to come was written by a clock that ran ahead.
        func isRecent(_ time: Int64?) -> Bool { time.map { $0 <= now && now - $0 < FailureNotice.day } ?? false }
        if isRecent(told[exitCode.rawValue]) || isRecent(Files.emptyFileTime(path)) { return false }
        told[exitCode.rawValue] = now
        do {
            try write(told)
        } catch {
            // Where there is no room for a line there may be some for a name, whose time stands for all failures.
            Files.touchEmpty(path, milliseconds: now)
        }
        return true
    }

    /// Forgets all failures, after a success.
    func clear() {
        let isForgotten =
            Files.exists(path) ? Files.emptyFileTime(path) == nil && read().isEmpty : !reservesRoom
        if isForgotten { return }
        try? write([:])
    }

    private func write(_ told: [Int32: Int64]) throws(SystemError) {
        var text = Array(told.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined().utf8)
        text += Array(repeating: 0x0A, count: max(0, FailureNotice.bytes - text.count))
        try Files.overwrite(path, with: text)
    }

    private func read() -> [Int32: Int64] {
        guard let bytes = try? Files.read(path) else { return [:] }
        var told: [Int32: Int64] = [:]
        for line in String(decoding: bytes.prefix(4_096), as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let code = Int32(words[0]), let time = Int64(words[1]) else { continue }
            told[code] = time
        }
        return told
    }
}
