internal import MailModel

/// Who answers whom in a conversation.
enum ReplyTree {
    /// How far messages are set in at most.
    static let levelMax = 6

    /// How far each message is set in, given the oldest first; messages that are not set in are left out.
    ///
    /// An answer stands under what it answers. The first one continues its line, so a plain exchange stays flat, and
    /// each further one is set in by one more. Only texts that are here tell what they answer.
    static func levels(of messages: [ConversationMessage]) -> [MessageID: Int] {
        var byName: [String: MessageID] = [:]
        for message in messages {
            guard let name = message.detail?.internetMessageID, !name.isEmpty else { continue }
            byName[name] = message.summary.id
        }
        var levels: [MessageID: Int] = [:]
        var answered: Set<MessageID> = []
        var seen: Set<MessageID> = []
        for message in messages {
            defer { seen.insert(message.summary.id) }
            // A message that claims to answer a later one is taken for the beginning of its own line.
            guard let name = message.detail?.inReplyTo, let parent = byName[name], seen.contains(parent) else {
                continue
            }
            let level = (levels[parent] ?? 0) + (answered.insert(parent).inserted ? 0 : 1)
            if level > 0 { levels[message.summary.id] = min(level, levelMax) }
        }
        return levels
    }
}
