package import MailAPI
package import MailModel

/// Finds out whether sent mail may share the files of a draft, which goes with the draft's (contract §6.21).
///
/// HQBase 1.2 does not end a draft whose files were passed on, and no server ends one when it fails after the mail left.
/// Such a draft looks like any other to a machine that did not send it.
package struct SharedFiles: Sendable {
    private let server: any SendReading

    /// Pages of the Sent folder that are read; of a draft older than these nothing is known, and it is left alone.
    static let pagesMax = 50
    /// How long after its mail a draft may have been saved once more.
    private static let editedMilliseconds: Int64 = 2_592_000_000

    package init(server: any SendReading) { self.server = server }

    /// Whether deleting a draft, or a file of it, may take files out of sent mail.
    ///
    /// A mail with a file of the same name and length counts, from the same sender, to the same people or of the same
    /// subject. A draft without files costs no request.
    /// - Throws: `MailAPIError`, `CancellationError`.
    package func mayBeShared(_ draft: Draft) async throws -> Bool {
        guard !draft.attachments.isEmpty else { return false }
        let since = (draft.updatedAt.millisecondsSinceEpoch ?? 0) - SharedFiles.editedMilliseconds
        let earliest = Timestamp(millisecondsSinceEpoch: since)
        var next: String?
        for _ in 0..<SharedFiles.pagesMax {
            let page = try await server.sent(of: nil, next: next)
            for message in page.messages where SharedFiles.mayBe(message, of: draft) {
                if try await hasFile(of: draft, message.id) { return true }
            }
            next = page.next
            guard next != nil, let last = page.messages.last, last.activityAt >= earliest else { return false }
        }
        return true
    }

    private func hasFile(of draft: Draft, _ message: MessageID) async throws -> Bool {
        do {
            let files = try await server.message(message).attachments
            return files.contains { file in
                draft.attachments.contains { $0.filename == file.filename && $0.sizeBytes == file.sizeBytes }
            }
        } catch MailAPIError.notFound {
            return false
        }
    }

    private static func mayBe(_ message: MessageSummary, of draft: Draft) -> Bool {
        guard message.direction == .outbound, message.hasAttachments,
            message.fromAddress.lowercased() == draft.from.lowercased()
        else { return false }
        let people = Set(message.to.map { $0.lowercased() })
        return people == Set(draft.to.map { $0.lowercased() }) || message.subject == draft.subject
    }
}
