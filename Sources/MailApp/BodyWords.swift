internal import MailModel
internal import MailStorage
internal import MailText

/// The text of a body that searches look in: what the reader shows of it, with all quotes.
enum BodyWords {
    /// Wide enough that words in a row stay so.
    private static let columns = 1_000

    static func text(_ text: String, _ html: MessageHTML?) -> String {
        renderBody(detail: text, html: html, columns: columns, showQuotes: true).lines.map(\.text)
            .joined(separator: "\n")
    }

    /// Brings the search index up to date, until the instant when there is one, or until the task is cancelled.
    ///
    /// What fails or is not done is done the next time.
    static func index(_ store: MailStore, until end: ContinuousClock.Instant? = nil) async {
        do {
            while !Task.isCancelled, end.map({ ContinuousClock.now < $0 }) ?? true {
                guard try await store.indexSome(text: text) else { return }
            }
        } catch {
            return
        }
    }
}
