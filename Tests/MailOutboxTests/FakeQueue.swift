import MailAPI
import MailModel
import MailOutbox
import Synchronization

/// A queue in memory that keeps the rules of the durable one and remembers what was asked of it.
final class FakeQueue: DrainQueue {
    struct State {
        var rows: [Operation] = []
        var dropped: [OperationID: Verdict] = [:]
        var claims: [Int] = []
        var commits = 0
        var givenBack = 0
        /// The most operations that were claimed at once.
        var claimedMax = 0
    }

    let state = Mutex(State())

    var rows: [Operation] { state.withLock { $0.rows } }

    /// Queues actions on messages, in order.
    func add(_ actions: [(TriageAction, String)]) {
        state.withLock { state in
            for (action, message) in actions {
                let number = Int64(state.rows.count + 1)
                state.rows.append(
                    Operation(
                        id: OperationID("operation-\(number)"), batch: BatchID("b"), sequence: number,
                        message: MessageID(message), mailbox: nil, kind: .triage(action),
                        createdAt: Timestamp("2026-11-30T08:00:00.000Z")))
            }
        }
    }

    func takeUp(at milliseconds: Int64) {
        change({ $0.status == .inFlight }) { $0.status = .retrying }
    }

    func settle(_ settlements: [Settlement], at milliseconds: Int64) {
        state.withLock { state in
            state.commits += 1
            for settlement in settlements {
                guard let index = state.rows.firstIndex(where: { $0.id == settlement.operation.id }) else { continue }
                switch settlement.outcome {
                case .done: state.rows.remove(at: index)
                case .drop(_, let verdict): state.dropped[state.rows.remove(at: index).id] = verdict
                case .block(let code, let reason):
                    state.rows[index].status = .blocked(reason)
                    state.rows[index].lastFailure = code.rawValue
                case .retry(let code, let notBefore, let counts):
                    state.rows[index].status = .retrying
                    state.rows[index].lastFailure = code.rawValue
                    state.rows[index].nextAttemptAt = notBefore
                    if counts { state.rows[index].refusals += 1 }
                }
            }
        }
    }

    func settle(_ settlements: [Settlement], claiming limit: Int, at milliseconds: Int64) -> [Operation] {
        settle(settlements, at: milliseconds)
        return limit > 0 ? claim(limit: limit, now: milliseconds) : []
    }

    func claim(limit: Int, now milliseconds: Int64) -> [Operation] {
        state.withLock { state in
            var busy = Set(state.rows.filter { $0.status == .inFlight }.map(\.message))
            var heads: [Int] = []
            for index in state.rows.indices where busy.insert(state.rows[index].message).inserted {
                heads.append(index)
            }
            heads = heads.filter { index in
                let row = state.rows[index]
                if case .blocked = row.status { return false }
                return (row.nextAttemptAt ?? 0) <= milliseconds
            }
            heads.sort { (state.rows[$0].attempts > 0 ? 1 : 0, $0) < (state.rows[$1].attempts > 0 ? 1 : 0, $1) }
            let claimed = heads.prefix(limit).map { index in
                state.rows[index].status = .inFlight
                state.rows[index].attempts += 1
                return state.rows[index]
            }
            state.claims.append(claimed.count)
            state.claimedMax = max(state.claimedMax, state.rows.filter { $0.status == .inFlight }.count)
            return claimed
        }
    }

    func giveBack(_ ids: [OperationID]) {
        state.withLock { $0.givenBack += ids.count }
        change({ ids.contains($0.id) }) { row in
            row.attempts -= 1
            row.status = row.attempts == 0 ? .pending : .retrying
        }
    }

    func blockAll(_ reason: BlockReason) {
        change({ $0.status != .inFlight }) { $0.status = .blocked(reason) }
    }

    func release(_ reason: BlockReason) -> Int {
        change({ $0.status == .blocked(reason) }) { $0.status = $0.attempts == 0 ? .pending : .retrying }
    }

    func pauseEnd(after milliseconds: Int64) -> Int64? {
        let waits = rows.filter { $0.lastFailure == FailureCode.rateLimited.rawValue }.compactMap(\.nextAttemptAt)
        return waits.filter { $0 > milliseconds }.max()
    }

    func counts() -> OutboxCounts {
        let blocked = rows.count { if case .blocked = $0.status { true } else { false } }
        return OutboxCounts(queued: rows.count - blocked, blocked: blocked)
    }

    @discardableResult
    private func change(_ isMeant: (Operation) -> Bool, _ body: (inout Operation) -> Void) -> Int {
        state.withLock { state in
            let meant = state.rows.indices.filter { isMeant(state.rows[$0]) }
            for index in meant { body(&state.rows[index]) }
            return meant.count
        }
    }
}

/// A server that answers as it is told and remembers what it was asked, also how much of it at once.
final class FakeServer: MailActing {
    struct State {
        var asked: [(TriageAction, String)] = []
        var active: [String] = []
        var activeMax = 0
        var failures: [WriteFailure?] = []
        var isClash = false
        /// Messages that were asked for.
        var looked: [String] = []
        /// How the server has messages that are otherwise than made.
        var present: [String: MessageSummary] = [:]
        /// Messages that cannot be asked for now.
        var unreadable: [String: WriteFailure] = [:]
    }

    let state = Mutex(State())
    /// The failure of an action on a message; `nil` lets it be done.
    let refusal: @Sendable (TriageAction, String) -> WriteFailure?

    init(_ refusal: @escaping @Sendable (TriageAction, String) -> WriteFailure? = { _, _ in nil }) {
        self.refusal = refusal
    }

    var asked: [String] { state.withLock { $0.asked.map { "\($0.0.rawValue) \($0.1)" } } }

    func act(_ action: TriageAction, on message: MessageID, requestID: OperationID) async throws -> MessageSummary {
        let name = message.rawValue
        state.withLock { state in
            if state.active.contains(name) { state.isClash = true }
            state.active.append(name)
            state.activeMax = max(state.activeMax, state.active.count)
            state.asked.append((action, name))
        }
        await Task.yield()
        defer { state.withLock { $0.active.removeAll { $0 == name } } }
        if let failure = refusal(action, name) { throw failure }
        try Task.checkCancellation()
        return FakeServer.message(name)
    }

    /// The message as `state` says it is; without that, as it was made.
    func current(_ message: MessageID) async throws -> MessageDetail {
        let name = message.rawValue
        let failure = state.withLock { state in
            state.looked.append(name)
            return state.unreadable[name]
        }
        if let failure { throw failure }
        let summary = state.withLock { $0.present[name] } ?? FakeServer.message(name)
        return MessageDetail(
            summary: summary, cc: [], bcc: [], deliveredToAddress: nil, textBody: "Hello", htmlAvailable: false,
            internetMessageID: nil, inReplyTo: nil, references: [], attachments: [])
    }

    static func message(_ id: String, folder: String = "inbox") -> MessageSummary {
        let time = Timestamp("2026-11-30T08:00:00.000Z")
        return MessageSummary(
            id: MessageID(id), threadID: ThreadID("t"), mailboxID: MailboxID("mbx"), direction: .inbound,
            folder: folder, fromAddress: "a@client.example", to: [], subject: "S", snippet: "", receivedAt: time,
            sentAt: nil, readAt: nil, starredAt: nil, hasAttachments: false, createdAt: time)
    }
}

/// Remembers the answers that became part of the cache.
final class FakeTruth: ServerTruth {
    let answers = Mutex<[MessageID]>([])

    func apply(serverAnswers: [MessageSummary], ending: Set<MessageID>) {
        answers.withLock { $0 += serverAnswers.map(\.id) }
    }

    func showQueue() {}

    func address(of mailbox: MailboxID) -> String? { "info@example.test" }
}
