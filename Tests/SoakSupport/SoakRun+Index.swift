internal import MailModel
internal import MailStorage

// The search index, which follows in idle time.
extension SoakRun {
    /// The text of a body; any that is the same each time will do.
    private static func text(_ text: String, _ html: MessageHTML?) -> String { text + " " + (html?.html ?? "") }

    /// Brings a part of the index up to date, as an idle terminal does.
    func indexSome() async throws {
        let indexer = try MailStore(path: stage.cachePath, owner: "soak")
        _ = try await indexer.indexSome(messagesMax: 20, text: SoakRun.text)
    }

    /// What the whole index has wrong once nothing waits.
    func searchFaults() async throws -> [String] {
        let indexer = try MailStore(path: stage.cachePath, owner: "soak")
        while try await indexer.indexSome(text: SoakRun.text) {}
        return try await indexer.searchFaults(text: SoakRun.text).map { "index: " + $0 }
    }
}
