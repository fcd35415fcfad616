/// What the recordings tell about the real server's mail, from which the local server is seeded.
struct RecordedWorld: Sendable {
    /// One sight of a message's state.
    struct Sight: Sendable {
        /// The place of the file among the files.
        let file: Int
        let exchange: Int
        /// The last part of a write's path, when the answer shows the state after a write.
        let action: String?
        /// How many sights there were before it.
        let order: Int
        /// Whether it is a conversation's row, whose attachments are those of the thread.
        let isConversation: Bool
        let value: JSONTree

        var isWritten: Bool { action != nil }
    }

    /// The world of the recordings; `nil` when they are absent.
    static let shared = Recordings.shared.map(RecordedWorld.init)

    private var seen = 0
    private(set) var sights: [String: [Sight]] = [:]
    /// The fullest detail of each message.
    private(set) var details: [String: JSONTree] = [:]
    /// The sights of each draft, with the user who saw it.
    private(set) var drafts: [String: [(sight: Sight, user: String)]] = [:]
    /// Where a message was found gone: the file's place and the exchange.
    private(set) var ends: [String: (file: Int, exchange: Int)] = [:]
    /// The answers of `/html` by message; the ones with images win.
    private(set) var html: [String: JSONTree] = [:]
    /// The bytes of attachments.
    private(set) var content: [String: JSONTree] = [:]
    /// The first file in which each message was asked for and was there.
    private(set) var mentions: [String: Int] = [:]
    /// Words that a search found in a message although no recorded field has them.
    private(set) var hiddenWords: [String: [String]] = [:]

    init(_ recordings: Recordings) {
        for (place, file) in recordings.files.enumerated() {
            for (index, exchange) in file.exchanges.enumerated() { note(exchange, place, index) }
        }
        for file in recordings.files {
            for exchange in file.exchanges { noteSearch(exchange) }
        }
    }

    private mutating func note(_ exchange: RecordedExchange, _ file: Int, _ index: Int) {
        let parts = exchange.bare.split(separator: "/").map(String.init)
        if exchange.body["error"]?["code"]?.text == "MESSAGE_NOT_FOUND", parts.count == 4, sights[parts[3]] != nil {
            ends[parts[3]] = ends[parts[3]] ?? (file, index)
        }
        if [200, 403].contains(exchange.status), parts.count >= 4, parts[2] == "messages" {
            mentions[parts[3]] = min(mentions[parts[3]] ?? file, file)
        }
        if exchange.status == 200, parts.count == 5, parts[4] == "html" { noteHTML(parts[3], exchange) }
        if exchange.status == 200, parts.count == 4, parts[2] == "attachments", exchange.method == "GET" {
            content[parts[3]] = exchange.body
        }
        note(exchange.body, exchange, file, index)
    }

    private mutating func note(_ value: JSONTree, _ exchange: RecordedExchange, _ file: Int, _ index: Int) {
        for item in value.items { note(item, exchange, file, index) }
        guard case .object(let members) = value else { return }
        let names = Set(members.keys)
        let action = exchange.method == "GET" ? nil : exchange.bare.split(separator: "/").last.map(String.init)
        if names.isSuperset(of: ["id", "threadId", "direction", "snippet"]), let id = members["id"]?.text {
            let sight = Sight(
                file: file, exchange: index, action: action, order: seen,
                isConversation: names.contains("messageCount"),
                value: value)
            seen += 1
            sights[id, default: []].append(sight)
            if names.contains("textBody"), details[id] == nil || value["attachments"]?.items.isEmpty == false {
                details[id] = value
            }
        } else if names.isSuperset(of: ["id", "version", "replyToMessageId"]), let id = members["id"]?.text {
            let sight = Sight(
                file: file, exchange: index, action: action, order: seen, isConversation: false, value: value)
            let user = exchange.requestHeaders["authorization"]?.split(separator: "_").dropFirst(2).first
            drafts[id, default: []].append((sight, user.map(String.init) ?? "owner"))
        } else {
            if members["type"]?.text == "delete", let id = members["messageId"]?.text ?? members["draftId"]?.text {
                ends[id] = ends[id] ?? (file, index)
            }
            for member in members.values { note(member, exchange, file, index) }
        }
    }

    private mutating func noteHTML(_ id: String, _ exchange: RecordedExchange) {
        let known = html[id]?["html"]?.text ?? ""
        let quoted = html[id]?["quotedHtml"]?.text ?? ""
        let size = (exchange.body["html"]?.text ?? "").utf8.count + (exchange.body["quotedHtml"]?.text ?? "").utf8.count
        if size > known.utf8.count + quoted.utf8.count { html[id] = exchange.body }
    }

    private mutating func noteSearch(_ exchange: RecordedExchange) {
        guard exchange.status == 200, let words = RecordedWorld.parameter("search", exchange.path), !words.isEmpty
        else { return }
        let rows = exchange.body.items + (exchange.body["conversations"]?.items ?? [])
        for row in rows where row["messageCount"] == nil {
            guard let id = row["id"]?.text else { continue }
            let fields = ["subject", "fromAddress", "snippet"].compactMap { row[$0]?.text }
            let text = (fields + [row["to"]?.json ?? "", details[id]?["textBody"]?.text ?? ""]).joined(separator: "\n")
            if !text.lowercased().contains(words.lowercased()) { hiddenWords[id, default: []].append(words) }
        }
    }

    /// The value of a query's parameter; `nil` when it is absent.
    static func parameter(_ name: String, _ path: String) -> String? {
        guard let query = path.split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
        for item in query.split(separator: "&") where item.hasPrefix(name + "=") {
            return decoded(String(item.dropFirst(name.utf8.count + 1)))
        }
        return nil
    }

    private static func decoded(_ text: String) -> String {
        var out: [UInt8] = []
        var bytes = Array(text.utf8)[...]
        while let byte = bytes.popFirst() {
            if byte == 0x25, bytes.count >= 2,
                let value = UInt8(String(decoding: bytes.prefix(2), as: UTF8.self), radix: 16)
            {
                out.append(value)
                bytes = bytes.dropFirst(2)
            } else {
                out.append(byte == 0x2B ? 0x20 : byte)
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// The messages there are when a file begins, each with its state then.
    func messages(before file: Int) -> [JSONTree] {
        sights.keys.sorted().compactMap { state(of: $0, before: file) }
    }

    /// A message's state when a file begins; `nil` when it is not there then.
    func state(of id: String, before file: Int) -> JSONTree? {
        guard let all = sights[id], let first = all.first else { return nil }
        let isOriginal = id.hasPrefix("msg_local_")
        if let end = ends[id], end.file < file { return nil }
        guard isOriginal || min(first.file, mentions[id] ?? first.file) <= file else { return nil }
        // A message first seen as the answer to a write was made by that write.
        if !isOriginal, first.file == file, first.isWritten, first.value["direction"]?.text == "outbound" { return nil }
        let then = all.first { $0.file == file }
        let earlier = all.last { $0.file < file }
        let later = all.first { $0.file > file }
        if let then, !then.isWritten { return plain(then, all) }
        if let then, let action = then.action {
            let base = earlier.map { plain($0, all) } ?? RecordedWorld.arrived(plain(then, all))
            return RecordedWorld.merged(base, then.value, action)
        }
        if let earlier { return plain(earlier, all) }
        return later.map { RecordedWorld.arrived(plain($0, all)) }
    }

    /// A state with what the answer to a write shows of it: all that the write does not touch.
    private static func merged(_ base: JSONTree, _ answer: JSONTree, _ action: String) -> JSONTree {
        guard case .object(var members) = base else { return base }
        let isRead = action == "read" || action == "unread"
        let isStar = action == "star" || action == "unstar"
        if !isRead { members["readAt"] = answer["readAt"] }
        if !isStar { members["starredAt"] = answer["starredAt"] }
        if isRead || isStar { members["folder"] = answer["folder"] }
        return .object(members)
    }

    /// A sight's state as the message's own.
    private func plain(_ sight: Sight, _ all: [Sight]) -> JSONTree {
        guard sight.isConversation, case .object(var members) = sight.value else { return sight.value }
        let own = all.first { !$0.isConversation }?.value["hasAttachments"]
        members["hasAttachments"] = own ?? members["hasAttachments"]
        return .object(members)
    }

    /// A message as it was when it came, for one that was first seen after a change.
    private static func arrived(_ value: JSONTree) -> JSONTree {
        guard case .object(var members) = value, members["direction"]?.text == "inbound" else { return value }
        if members["id"]?.text?.hasPrefix("msg_local_") == true {
            // The real server's own mail is older than the day of the recording, and so are its stamps.
            for name in ["readAt", "starredAt"] where (members[name]?.text ?? "") > "2026-11-30" {
                members[name] = .null
            }
            return .object(members)
        }
        members["readAt"] = .null
        members["starredAt"] = .null
        members["folder"] = .string(members["mailboxId"] == .null ? "catchall" : "inbox")
        return .object(members)
    }

    /// The drafts there are when a file begins, with their users.
    func drafts(before file: Int) -> [(draft: JSONTree, user: String)] {
        drafts.keys.sorted().compactMap { id in
            guard let all = drafts[id], let first = all.first else { return nil }
            if let end = ends[id], end.file < file { return nil }
            guard id.hasPrefix("drf_local_") || first.sight.file <= file else { return nil }
            if first.sight.file == file, first.sight.isWritten { return nil }
            let then = all.first { $0.sight.file == file && !$0.sight.isWritten }
            let found = then ?? all.last { $0.sight.file < file } ?? first
            return (found.sight.value, found.user)
        }
    }
}
