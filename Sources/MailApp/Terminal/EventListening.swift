internal import HTTP
internal import MailAPI
internal import MailStorage
internal import MailSync
internal import Platform
internal import TerminalDriver

extension Backend {
    /// The account's live events; `nil` while the server is not known to have them.
    func liveEvents() async throws -> LiveEvents? {
        let session = try current()
        guard try await session.store.offersEvents() else { return nil }
        let file = LastEventFile(account: account)
        return LiveEvents(
            feed: session.feed, lastEventID: file.read(), listening: { await self.noteListening($0) },
            note: { await self.note($0, in: file) })
    }

    private func note(_ id: String, in file: LastEventFile) { file.write(id) }
}

/// Remembers the last event heard from one run to the next.
///
/// A file of its own and not the cache: a commit there would wake every process that watches for changes. Written
/// once a minute at most and at the end, because a lost one costs a single pass.
struct LastEventFile: Sendable {
    let account: Account

    private var path: String { account.stateDirectory + "/last-event" }

    /// The id; empty when there is none of this account.
    func read() -> String {
        guard let bytes = try? Files.read(path), bytes.count <= 4_096 else { return "" }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.count == 2 && lines[0] == account.owner ? String(lines[1]) : ""
    }

    /// Keeps an id; one that cannot be written is forgotten.
    func write(_ id: String) {
        try? Files.replace(path, with: Array("\(account.owner)\n\(id)".utf8))
    }
}

/// Where the terminal program stands with live events.
struct EventListening {
    var task: Task<Void, Never>?
    /// Whether the stream ended in a way that opening it again would not change.
    var isOver = false
    /// Whether a pass was refused for want of a sign-in.
    var isSignedOut = false

    /// Notes a pass that went well: after one that was refused, the sign-in is mended and the stream worth another try.
    mutating func passed() {
        if isSignedOut { isOver = false }
        isSignedOut = false
    }
}

extension TerminalProgram {
    /// Starts to listen for live events, unless that was done or there are none.
    ///
    /// Called after a pass: by then the server's features are known.
    func listen(_ run: AccountRun) {
        guard run.listening.task == nil, !run.listening.isOver, !isOffline, !run.isClosed else { return }
        let backend = run.backend
        run.listening.task = Task(executorPreference: UILoop.shared) {
            var failure: (any Error)?
            do {
                guard let live = try await backend.liveEvents() else {
                    return await self.listeningEnded(isOver: false, run)
                }
                for try await _ in live.events() { await self.ring(run) }
            } catch {
                failure = error
            }
            // A connection that this program closed, because the cache was replaced, is opened again.
            let isOver = failure as? EventFeedError != .transport(.stopped)
            await self.listeningEnded(isOver: isOver, run)
            // The pass tells the person what happened, for example that a new sign-in is needed.
            if isOver { await self.ring(run) }
        }
    }

    private func listeningEnded(isOver: Bool, _ run: AccountRun) {
        run.listening.task = nil
        run.listening.isOver = isOver
    }

    /// Answers the doorbell with a pass, now or when the running one has ended.
    private func ring(_ run: AccountRun) {
        run.schedule.ring(at: WallClock.bootMilliseconds())
        startPassIfDue(run)
        paint()
    }
}
