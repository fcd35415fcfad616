internal import MailFilter
internal import MailModel

/// Whether the server has a message as an operation demands.
enum Precondition {
    /// Whether a message fits a filter as of when its operation was queued.
    ///
    /// What is no filter fits nothing: nobody knows what was demanded. `mailbox` is the address of the message's mailbox.
    static func isMet(
        _ text: String, by detail: MessageDetail, mailbox: String?, at queued: Timestamp, zone: ZoneOffsets
    ) -> Bool {
        guard let filter = try? FilterParser.parse(text) else { return false }
        let subject = FilterSubject(
            summary: detail.summary, mailboxAddress: mailbox ?? "", bodyText: detail.textBody, isAnswered: false)
        let milliseconds = (queued.secondsSinceEpoch ?? 0) * 1_000
        return filter.matches(subject, FilterClock(nowMilliseconds: milliseconds, zone: zone))
    }
}
