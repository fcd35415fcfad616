import Glibc
import MailAPI
import MailModel
import MailStorage
import MailSync
import MailTestSupport
import Synchronization

/// A clock that a test turns.
final class ManualClock: Sendable {
    private let state: Mutex<Int64>

    init(_ milliseconds: Int64 = 1_767_312_000_000) {
        state = Mutex(milliseconds)
    }

    var milliseconds: Int64 { state.withLock { $0 } }

    func advance(milliseconds: Int64) { state.withLock { $0 += milliseconds } }
}

/// Keeps what would be written to a journal.
final class FakeJournal: PassJournal {
    private let kept = Mutex(PassHistory())

    var history: PassHistory { kept.withLock { $0 } }

    func record(_ record: PassRecord) { kept.withLock { $0.add(record) } }

    func count(requests: Int, at milliseconds: Int64) { kept.withLock { $0.add(requests: requests, at: milliseconds) } }
}

/// A cache on a new file, its engine and the server it reads.
struct Bench {
    let server = FakeServer()
    let store: MailStore
    let engine: SyncEngine
    let journal = FakeJournal()
    let clock = ManualClock()
    let path: String
    private let scratch: Scratch

    init(limits: SyncLimits = SyncLimits()) throws {
        scratch = try Scratch()
        path = scratch.path + "/cache.sqlite"
        store = try MailStore(path: path, owner: "test")
        let clock = clock
        engine = SyncEngine(
            api: server, store: store, journal: journal, limits: limits, now: { clock.milliseconds })
    }

    func reader() throws -> MailReader {
        guard let reader = try MailReader(path: path, owner: "test") else { throw StoreError.cannotAccess }
        return reader
    }

    /// What the cache holds, by identifier and folder.
    func rows() async throws -> Set<String> {
        let reader = try reader()
        return Set(try await reader.messages(mailbox: nil, folder: nil, limit: nil).map { "\($0.id) \($0.folder)" })
    }

    func fill() {
        for number in 0..<5 { server.put(FakeServer.message("i\(number)")) }
        for number in 0..<3 { server.put(FakeServer.message("s\(number)", folder: "sent")) }
        server.put(FakeServer.message("u", folder: "catchall", mailbox: nil))
    }

    func truth() -> Set<String> { server.state.withLock { Set($0.messages.map { "\($0.id) \($0.folder)" }) } }
}
