internal import JSON
package import MailModel
internal import MailWire

extension HTTPMailAPIClient {
    /// The server's newest messages that have a text, at most a page of them (contract §3.4).
    ///
    /// `text` is one literal piece of 48 bytes at most. `nil` mailbox or folder means no bound by it.
    /// - Throws: `MailAPIError`, `CancellationError`.
    package func search(_ text: String, mailbox: MailboxID?, folder: Folder?) async throws -> [MessageSummary] {
        var query: [(name: String, value: String)] = []
        if let mailbox { query.append(("mailboxId", mailbox.rawValue)) }
        if let folder, Folder.stored.contains(folder) { query.append(("folder", folder.rawValue)) }
        query += [("search", text), ("limit", String(HTTPMailAPIClient.pageRows))]
        let (response, _) = try await get("/messages", query)
        return try HTTPMailAPIClient.rows(response) { reader throws(JSONError) in
            MessageSummary(try MessageSummaryWire(from: &reader))
        }
    }
}
