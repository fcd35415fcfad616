internal import Glibc
internal import MailModel
internal import MailStorage
internal import Platform

/// A process that is killed while it writes to a seeded cache, with as much in the log as there ever is.
struct KilledWriter {
    /// The argument that makes this program one.
    static let argument = "--write-until-killed"
    /// Just below the size at which a commit moves the log into the file.
    private static let logBytes = 22 * 1_024 * 1_024

    let cache: SeededCache

    /// Starts one and waits for its end.
    static func run(_ program: String, _ cache: SeededCache) throws {
        let child = try ChildProcess(
            [program, argument, "\(cache.count)", "\(cache.mail.seed)", cache.home], environment: [])
        guard child.wait() == 255 else { throw BenchError("the writer was not killed") }
    }

    /// Writes changes until the log is long, then kills this process.
    func write() async throws {
        let store = try MailStore(path: cache.path, owner: cache.owner)
        await store.tidy()
        var page = 0
        while KilledWriter.size(cache.path + "-wal") < KilledWriter.logBytes {
            _ = try await store.commitChanges(changes(page), cursor: "killed \(page)")
            page += 1
        }
        kill(getpid(), SIGKILL)
    }

    /// Brings the cache back to what it was.
    func restore() async throws {
        let store = try MailStore(path: cache.path, owner: cache.owner)
        for page in 0..<100 {
            let originals = (0..<100).map { cache.mail.message(number(page * 100 + $0)) }
            _ = try await store.commitChanges(originals.map { .upsert($0) }, cursor: "restored \(page)")
        }
        await store.tidy()
    }

    private func changes(_ page: Int) -> [MessageChange] {
        (0..<100).map { place in
            var message = cache.mail.message(number(page % 100 * 100 + place))
            message.starredAt = page / 100 % 2 == 0 ? Timestamp("2026-01-01T00:00:\(10 + page % 50).000Z") : nil
            return .upsert(message)
        }
    }

    private func number(_ place: Int) -> Int { place * 7_919 % cache.count }

    private static func size(_ path: String) -> Int {
        var facts = stat()
        return stat(path, &facts) == 0 ? Int(facts.st_size) : 0
    }
}
