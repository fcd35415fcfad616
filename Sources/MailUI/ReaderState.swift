internal import MailModel
internal import MailText

/// The reader pane: one conversation or draft and how it is shown.
struct ReaderState: Sendable, Hashable {
    var item: ItemID
    var messages: [ConversationMessage] = []
    var isLoaded = false
    /// Messages the person or their read state folded to one line.
    var folded: Set<MessageID> = []
    /// The message that fold keys act on.
    var current: MessageID?
    var showQuotes = false
    /// The index of the first line shown.
    var top = 0
    /// Where the person was before the window changed; kept until they move, so that no detour loses the place.
    var anchor: Anchor?
    /// Whether the bodies were asked for since the conversation was opened.
    var hasAskedForBodies = false
    var failures: [MessageID: String] = [:]
    var threadFailure: String?
    /// Bodies laid out before; dropped when their message changes.
    var bodies: [BodyKey: RenderedBody] = [:]
    /// The laid-out lines that drawing shows.
    var content = ReaderContent()

    /// What a laid-out body depends on.
    struct BodyKey: Sendable, Hashable {
        var message: MessageID
        var columns: Int
        var showQuotes: Bool
    }

    /// A place in the text, and the width it was laid out for.
    struct Anchor: Sendable, Hashable {
        var place: ReaderContent.Place
        var columns: Int
    }

    init(item: ItemID) {
        self.item = item
    }

    /// Takes the conversation's messages, oldest first, keeping folds and position of those already shown.
    mutating func take(_ loaded: [ConversationMessage]) {
        let sorted = loaded.sorted { left, right in
            left.summary.activityAt == right.summary.activityAt
                ? left.summary.id.rawValue < right.summary.id.rawValue
                : left.summary.activityAt < right.summary.activityAt
        }
        let old = Dictionary(messages.map { ($0.summary.id, $0) }, uniquingKeysWith: { first, _ in first })
        let newest = sorted.last?.summary.id
        for message in sorted {
            let id = message.summary.id
            if let known = old[id] {
                if known != message { bodies = bodies.filter { $0.key.message != id } }
            } else if id != newest && !message.summary.isUnread {
                folded.insert(id)
            }
            if message.detail != nil { failures[id] = nil }
        }
        messages = sorted
        isLoaded = true
        if current.map({ id in !sorted.contains { $0.summary.id == id } }) ?? true {
            current = sorted.first { $0.summary.isUnread }?.summary.id ?? newest
        }
    }

    /// Whether an unfolded message still waits for its text.
    var lacksBodies: Bool {
        messages.contains { $0.awaitsBody }
    }
}

extension MessageSummary {
    /// Whether the reader shows it unfolded as news: inbound and never read, in any folder.
    var isUnread: Bool { direction == .inbound && readAt == nil }
}

extension ConversationMessage {
    /// Whether what is to be shown of the body is not there yet.
    var awaitsBody: Bool {
        guard let detail else { return true }
        return detail.htmlAvailable && html == nil && detail.textBody.allSatisfy(\.isWhitespace)
    }
}
