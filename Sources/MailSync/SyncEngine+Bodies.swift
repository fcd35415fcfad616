internal import MailAPI
package import MailModel

extension SyncEngine {
    /// HTML parts fetched at one time.
    private static let htmlFetchesMax = 4

    /// Fetches texts, lists of files and HTML of messages of one thread that are not here yet.
    ///
    /// Asks for the thread first, then for each message the server's cap of 100 left out. Messages that are
    /// gone or not readable are passed over. Texts are committed before the HTML is asked for.
    /// - Throws: `SyncError`, or `CancellationError` when the task is cancelled.
    package func fetchBodies(thread ids: [MessageID]) async throws {
        do {
            guard let first = ids.first else { return }
            let wanted = Set(ids)
            var details = ids.count > 1 ? try await passingOver { try await self.api.thread(of: first) } ?? [] : []
            if !details.isEmpty { try await store.commitDetails(details) }
            let known = Set(details.map(\.summary.id))
            for id in ids where !known.contains(id) {
                guard let detail = try await passingOver({ try await self.api.message(id) }) else { continue }
                try await store.commitDetails([detail])
                details.append(detail)
            }
            try await fetchHTML(details.filter { $0.htmlAvailable && wanted.contains($0.summary.id) }.map(\.summary.id))
        } catch {
            try Task.checkCancellation()
            throw SyncError(error) ?? error
        }
    }

    private func fetchHTML(_ ids: [MessageID]) async throws {
        let (api, store) = (api, store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, id) in ids.enumerated() {
                if index >= SyncEngine.htmlFetchesMax { try await group.next() }
                group.addTask {
                    let html = try await passingOver { try await api.html(of: id, loadRemoteImages: false) }
                    if case .some(.some(let html)) = html { try await store.commitHTML(html, for: id) }
                }
            }
            try await group.waitForAll()
        }
    }
}

/// The value, or `nil` when the server says it is gone or not for this account's eyes.
private func passingOver<Value: Sendable>(_ read: () async throws -> Value) async throws -> Value? {
    do {
        return try await read()
    } catch MailAPIError.notFound {
        return nil
    } catch MailAPIError.forbidden("MAILBOX_FORBIDDEN") {
        return nil
    }
}
