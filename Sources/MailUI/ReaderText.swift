package import MailModel
package import MailText

/// What the reader shows, as text: the one way to print a message.
package enum ReaderText {
    /// The lines of a message as the reader shows it at a width, unfolded, its quotes shown.
    ///
    /// Text that runs from right to left is in the order in which it is read. Of mail that has a text and HTML it is
    /// the one that `preferredForm` names, or the one that says more for `nil`.
    package static func lines(
        of message: ConversationMessage, columns: Int, now: Int64, zone: ZoneOffsets, preferredForm: BodyForm? = nil
    ) -> [String] {
        var state = ReaderState(item: .thread(message.summary.threadID))
        state.take([message])
        state.folded = []
        state.showQuotes = true
        var builder = ReaderBuilder(columns: columns, now: now, zone: zone, ordersText: false)
        builder.preferredForm = preferredForm
        return builder.content(of: &state, around: nil, margin: .max / 2).lines.map { line in
            var text = line.pieces.reduce(into: "") { $0 += $1.text }
            while text.utf8.last == 0x20 { text.removeLast() }
            return text
        }
    }
}
