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
    /// Whether all that is known of the header is shown.
    var showHeaders = false
    /// The first line shown, among those that are laid out.
    var top = 0
    /// Where the person was before the window changed; kept until they move, so that no detour loses the place.
    var anchor: Anchor?
    /// Whether the bodies were asked for since the conversation was opened.
    var hasAskedForBodies = false
    var failures: [MessageID: String] = [:]
    var threadFailure: String?
    /// Messages the person marked as unread here; they stay so until the conversation is opened again.
    var keptUnread: Set<MessageID> = []
    /// Messages that count as read when a time is over, by the number of that time.
    var readTimers: [Int: Set<MessageID>] = [:]
    /// Messages whose pictures of other servers the person asked for.
    var remote: [MessageID: RemoteImages] = [:]
    var pictures = PictureShelf()
    /// The forms the person chose for messages that have a text and HTML.
    var forms: [MessageID: BodyForm] = [:]
    /// Bodies laid out before; dropped when their message changes.
    var bodies: [BodyKey: RenderedBody] = [:]
    /// Messages laid out before; each is made anew when its key is another.
    var segments: [MessageID: ReaderSegment] = [:]
    /// How often each message has changed since the conversation was opened.
    var revisions: [MessageID: Int] = [:]
    /// The place of each message in `messages`.
    private(set) var index: [MessageID: Int] = [:]
    /// How far each message is set in, since it begins or continues a branch; zero for all others.
    private(set) var levels: [MessageID: Int] = [:]
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
                if known != message {
                    if !known.hasBody(of: message) { bodies = bodies.filter { $0.key.message != id } }
                    revisions[id, default: 0] += 1
                }
            } else if id != newest && !message.summary.isUnread {
                folded.insert(id)
            }
            if message.detail != nil { failures[id] = nil }
        }
        messages = sorted
        index = Dictionary(
            sorted.enumerated().map { ($1.summary.id, $0) }, uniquingKeysWith: { first, _ in first })
        levels = ReplyTree.levels(of: sorted)
        isLoaded = true
        if current.map({ index[$0] == nil }) ?? true {
            current = sorted.first { $0.summary.isUnread }?.summary.id ?? newest
        }
    }

    /// The laid-out body of a message, when it is there.
    func laidOut(_ id: MessageID, columns: Int) -> RenderedBody? {
        bodies[BodyKey(message: id, columns: columns, showQuotes: showQuotes)]
    }

    /// Which message of how many is current, and how much of a long one has been seen; `nil` while none is there.
    func positionText(rows: Int) -> String? {
        guard let current, let place = index[current] else { return nil }
        let text = "\(Formatting.grouped(place + 1))/\(Formatting.grouped(messages.count))"
        guard let start = content.starts[current], let lines = segments[current]?.lines.count, lines > rows else {
            return text
        }
        let seen = max(0, min(lines, top + rows - start))
        return "\(text) \(seen * 100 / lines)%"
    }

    /// The messages to fetch before the rest, where one answer of the server cannot hold the whole conversation.
    var bodiesWantedFirst: [MessageID] {
        guard messages.count(where: \.awaitsBody) > ReaderState.bodiesPerAnswer else { return [] }
        let shown = content.window.messages.filter { messages.indices.contains($0) }.map { messages[$0] }
        let waiting = shown.filter { $0.awaitsBody && !folded.contains($0.summary.id) }.map(\.summary.id)
        let place = waiting.firstIndex { $0 == current } ?? 0
        return Array((waiting[place...] + waiting[..<place].reversed()).prefix(ReaderState.firstMax))
    }

    /// How many messages of a thread the server tells at once (contract §3.3).
    private static let bodiesPerAnswer = 100
    /// What fits on a screen, with some to spare.
    private static let firstMax = 8

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
    /// Whether two versions of a message differ in nothing but what lists show of it, such as whether it was read.
    fileprivate func hasBody(of other: ConversationMessage) -> Bool {
        var same = other
        same.summary = summary
        if let detail { same.detail?.summary = detail.summary }
        return same == self
    }

    /// Whether what is to be shown of the body is not there yet.
    var awaitsBody: Bool {
        guard let detail else { return true }
        return detail.htmlAvailable && html == nil && detail.textBody.allSatisfy(\.isWhitespace)
    }
}
