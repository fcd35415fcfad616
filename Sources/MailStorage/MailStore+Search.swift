package import MailModel
internal import SQLite

extension MailStore {
    /// Messages whose words are not in the index as they are now, with their texts; empty when there is none.
    ///
    /// At most `messagesMax`, and about `bytesMax` of texts.
    /// - Throws: `StoreError`.
    package func searchWork(messagesMax: Int = 200, bytesMax: Int = 400_000) throws -> [SearchWork] {
        try read { try SearchDocuments.work(messagesMax: messagesMax, bytesMax: bytesMax, in: $0) }
    }

    /// Puts words into the index; those of messages that changed meanwhile are left for the next time.
    ///
    /// Also takes out words of messages that are gone, some at a time. Answers whether more of them remain.
    /// - Throws: `StoreError`.
    @discardableResult
    package func commitSearch(_ words: [SearchWords]) throws -> Bool {
        let hasGone = try read { try SearchDocuments.gone(limit: 1, in: $0).isEmpty } == false
        if words.isEmpty, !hasGone { return false }
        return try commit { database in
            let gone = try SearchDocuments.gone(limit: SearchDocuments.goneMax, in: database)
            for document in gone { try SearchDocuments.remove(document, in: database) }
            for words in words where try SearchDocuments.take(words, in: database) {
                if let old = try SearchDocuments.document(of: words.key, in: database) {
                    try SearchDocuments.remove(old, in: database)
                }
                try SearchDocuments.insert(words, in: database)
            }
            return gone.count == SearchDocuments.goneMax
        }
    }

    /// Brings the index up to date with a part of what waits; `false` when nothing is left to do.
    ///
    /// Reads bodies on the caller's thread by `text`; the store is busy for milliseconds only.
    /// - Throws: `StoreError`.
    package nonisolated func indexSome(
        messagesMax: Int = 100, text: (String, MessageHTML?) -> String
    ) async throws -> Bool {
        let work = try await searchWork(messagesMax: messagesMax)
        let words = work.map { $0.words(text) }
        let hasMoreGone = try await commitSearch(words)
        return hasMoreGone || !work.isEmpty
    }
}
