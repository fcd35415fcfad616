internal import DisplayText
package import MailModel

/// A message whose words are to be read, with the texts they are in.
package struct SearchWork: Sendable {
    let key: Int64
    /// Tells whether the message changed since.
    let turn: Int64
    let activityKey: Int64
    /// Whether it was sent and not received.
    let isSent: Bool
    let from: String
    let to: [String]
    let subject: String
    let snippet: String
    let body: Body?

    /// The texts of a message's body.
    struct Body: Sendable {
        var text: String
        var html: MessageHTML?
    }

    /// Bytes of a body's words that are kept; what comes after them is not found.
    static let bodyBytesMax = 65_536

    /// The words, where `text` reads a body as the reader shows it.
    ///
    /// Takes milliseconds for a large HTML body; meant for whoever has the time, not for a store's thread.
    package func words(_ text: (String, MessageHTML?) -> String) -> SearchWords {
        SearchWords(
            key: key, turn: turn, activityKey: activityKey, isSent: isSent, from: SearchText.stored(from),
            // Words of two addresses are not in a row.
            to: to.map { SearchText.stored($0) }.joined(separator: "\n"), subject: SearchText.stored(subject),
            snippet: SearchText.stored(snippet),
            body: body.map { SearchText.stored(text($0.text, $0.html), bytesMax: SearchWork.bodyBytesMax) })
    }
}

/// A message's words as the index has them.
package struct SearchWords: Sendable, Hashable {
    let key: Int64
    let turn: Int64
    let activityKey: Int64
    let isSent: Bool
    let from: String
    let to: String
    let subject: String
    let snippet: String
    let body: String?
}
