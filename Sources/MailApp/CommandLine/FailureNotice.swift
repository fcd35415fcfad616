internal import Platform

/// Remembers how an unattended sync fails, so that cron tells it once and then daily.
///
/// Each kind of failure, by its exit code, is told when it begins and again a day after it was last told. A success
/// forgets them all.
struct FailureNotice {
    /// The file that remembers: a line with exit code and milliseconds since 1970 for each failure told.
    let path: String

    private static let day: Int64 = 86_400_000

    init(account: Account) {
        path = account.stateDirectory + "/sync-failed"
    }

    /// For failures that come before the account is known.
    init(places: Places) {
        path = places.state + "/sync-failed"
    }

    /// Whether a failure is to be told at `now`, in milliseconds since 1970; it counts as told then.
    ///
    /// When that cannot be remembered it is told each time.
    func shouldTell(_ exitCode: ExitCode, now: Int64) -> Bool {
        var told = read()
        // A time that is still to come was written by a clock that ran ahead.
        if let last = told[exitCode.rawValue], last <= now, now - last < FailureNotice.day { return false }
        told[exitCode.rawValue] = now
        let lines = told.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }
        try? Files.replace(path, with: Array(lines.joined().utf8))
        return true
    }

    /// Forgets all failures, after a success.
    func clear() {
        if Files.exists(path) { Files.remove(path) }
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
