package import MailModel
internal import SQLite

extension MailStore {
    /// Keeps the text and files of messages whose summaries are here; others are passed over.
    ///
    /// A text that is here already is not written again. Files are stored a moment after their message
    /// (contract §4.2): a list without the files it should have is asked for once more.
    /// - Throws: `StoreError`.
    package func commitDetails(_ details: [MessageDetail]) throws {
        try commit { database in
            var messages = StoreChange.Messages()
            for detail in details {
                guard let stored = try BodyRows.stored(detail.summary.id, in: database), !stored.isSettled else {
                    continue
                }
                messages.bodies.insert(detail.summary.id)
                messages.threads.insert(stored.thread)
                try BodyRows.write(detail, key: stored.key, in: database)
                let lacksFiles = detail.summary.hasAttachments && detail.attachments.isEmpty
                if lacksFiles, !stored.hasText { continue }
                let state: BodyState = detail.htmlAvailable && !stored.hasHTML ? .lacksHTML : .whole
                try BodyRows.set(state, key: stored.key, in: database)
            }
            if messages.bodies.isEmpty { return }
            var change = StoreChange()
            change.messages = messages
            try CommitLog.append(change, in: database)
        }
    }

    /// Keeps a message's HTML, or that it has none; an unknown message is passed over.
    ///
    /// - Throws: `StoreError`.
    package func commitHTML(_ html: MessageHTML?, for id: MessageID) throws {
        try commit { database in
            guard let stored = try BodyRows.stored(id, in: database) else { return }
            if let html { try BodyRows.write(html, key: stored.key, in: database) }
            if stored.hasText { try BodyRows.set(.whole, key: stored.key, in: database) }
            var messages = StoreChange.Messages()
            messages.bodies.insert(id)
            messages.threads.insert(stored.thread)
            var change = StoreChange()
            change.messages = messages
            try CommitLog.append(change, in: database)
        }
    }

    /// The drafts as the server had them when they were last read, the last changed first.
    ///
    /// - Throws: `StoreError`.
    package func serverDrafts() throws -> [Draft] { try read { try DraftRows.all(in: $0) } }

    /// Makes the drafts equal to the server's whole list.
    ///
    /// - Throws: `StoreError`.
    package func replaceDrafts(_ drafts: [Draft]) throws -> CommitCounts {
        var stored: [DraftID: Draft] = [:]
        for draft in try read({ try DraftRows.all(in: $0) }) { stored[draft.id] = draft }
        let kept = Set(drafts.map(\.id))
        let changed = drafts.filter { stored[$0.id] != $0 }
        let gone = stored.keys.filter { !kept.contains($0) }
        if changed.isEmpty, gone.isEmpty { return CommitCounts() }
        return try commit { database in
            for draft in changed { try DraftRows.write(draft, in: database) }
            for id in gone { try DraftRows.remove(id, in: database) }
            var change = StoreChange()
            change.touchesDrafts = true
            try CommitLog.append(change, in: database)
            let inserted = changed.count { stored[$0.id] == nil }
            return CommitCounts(inserted: inserted, updated: changed.count - inserted, deleted: gone.count)
        }
    }
}
