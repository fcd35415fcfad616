internal import MailAPI
package import MailModel
internal import MailStorage

extension SyncEngine {
    /// Texts or HTML parts fetched at one time.
    private static let fetchesMax = 4
    /// Messages of one thread whose bodies one call fetches ahead.
    private static let messagesPerThreadMax = 200

    /// Fetches bodies ahead as the policy wants them: texts, lists of files and HTML, the newest thread first.
    ///
    /// Asks for at most `threadsMax` threads; the next call goes on with what is lacking then. Bodies the server
    /// does not have are not asked for again, those it refused for lack of access once a day.
    /// - Throws: `SyncError`, or `CancellationError` when the task is cancelled; what came until then is kept.
    package func fillBodies(_ policy: BodiesPolicy, threadsMax: Int) async throws -> FillReport {
        guard policy != .opened, threadsMax > 0 else { return FillReport() }
        defer { countRequests() }
        do {
            // One more than wanted tells whether any is left.
            let threads = try await store.bodilessThreads(
                since: policy.since(now: now()), threadsMax: threadsMax + 1,
                messagesMax: SyncEngine.messagesPerThreadMax)
            for thread in threads.prefix(threadsMax) {
                try Task.checkCancellation()
                try await readBodies(thread: thread.messages)
            }
            return FillReport(threads: min(threads.count, threadsMax), isComplete: threads.count <= threadsMax)
        } catch {
            try Task.checkCancellation()
            throw SyncError(error) ?? error
        }
    }

    /// Fetches texts, lists of files and HTML of messages of one thread that are not here yet.
    ///
    /// Asks for the thread first, then for each message the server's cap of 100 left out. Messages that are
    /// gone or not readable are passed over and remembered as such. Texts are committed before the HTML is
    /// asked for.
    /// - Throws: `SyncError`, or `CancellationError` when the task is cancelled.
    package func fetchBodies(thread ids: [MessageID]) async throws {
        defer { countRequests() }
        try await readBodies(thread: ids)
    }

    private func readBodies(thread ids: [MessageID]) async throws {
        do {
            guard let first = ids.first else { return }
            let wanted = Set(ids)
            let reads = reads
            var details = ids.count > 1 ? try await answer { try await reads.thread(of: first) }.value ?? [] : []
            if !details.isEmpty { try await store.commitDetails(details) }
            let known = Set(details.map(\.summary.id))
            details += try await fetchSingly(ids.filter { !known.contains($0) })
            try await fetchHTML(details.filter { $0.htmlAvailable && wanted.contains($0.summary.id) }.map(\.summary.id))
        } catch {
            try Task.checkCancellation()
            throw SyncError(error) ?? error
        }
    }

    /// Fetches messages each by itself, in order, some at a time; each is committed as it comes.
    private func fetchSingly(_ ids: [MessageID]) async throws -> [MessageDetail] {
        let (reads, store) = (reads, store)
        return try await withThrowingTaskGroup(of: MessageDetail?.self) { group in
            var details: [MessageDetail] = []
            for (index, id) in ids.enumerated() {
                if index >= SyncEngine.fetchesMax, let detail = try await group.next() ?? nil { details.append(detail) }
                group.addTask {
                    let answer = try await answer { try await reads.message(id) }
                    switch answer {
                    case .value(let detail): try await store.commitDetails([detail])
                    case .gone: try await store.recordUnavailable([id])
                    case .refused: try await store.recordRefused([id])
                    }
                    return answer.value
                }
            }
            for try await case .some(let detail) in group { details.append(detail) }
            return details
        }
    }

    private func fetchHTML(_ ids: [MessageID]) async throws {
        let (api, store) = (api, store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, id) in ids.enumerated() {
                if index >= SyncEngine.fetchesMax { try await group.next() }
                group.addTask {
                    switch try await answer({ try await api.html(of: id, loadRemoteImages: false) }) {
                    case .value(let html): try await store.commitHTML(html, for: id)
                    case .gone: try await store.recordUnavailable([id])
                    case .refused: try await store.recordRefused([id])
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}

/// What the server says to the wish for a body.
private enum Answer<Value: Sendable>: Sendable {
    case value(Value)
    case gone
    /// Not for this account's eyes, now.
    case refused

    var value: Value? {
        if case .value(let value) = self { return value }
        return nil
    }
}

/// What the server says; that it has or gives nothing is no failure.
private func answer<Value: Sendable>(_ read: () async throws -> Value) async throws -> Answer<Value> {
    do {
        return .value(try await read())
    } catch MailAPIError.notFound {
        return .gone
    } catch MailAPIError.forbidden("MAILBOX_FORBIDDEN") {
        return .refused
    }
}
