@testable internal import LocalServer

/// What stands for what: the recorded server's own ids and times, and the local server's.
///
/// A pair is bound on first sight and must agree from then on.
struct Bindings: Sendable {
    /// The local server's origin.
    let origin: String
    /// Ids that both servers share, since they were seeded; they stand for themselves.
    var seeded: Set<String>
    /// Times that were seeded; a server makes no such time again.
    var seededTimes: Set<String>
    /// The earliest time that the local server can make.
    let start: String
    private var ids: [String: String] = [:]
    private var takenIDs: Set<String> = []
    /// Times by the recorded id they belong to and the recorded time.
    private var times: [String: String] = [:]

    init(origin: String, seeded: Set<String>, times: Set<String>, start: String) {
        self.origin = origin
        self.seeded = seeded
        self.start = start
        seededTimes = times
    }

    /// Whether a local id or time may stand for the recorded one; binds it when it is new.
    mutating func agree(_ recorded: String, _ local: String, of entity: String) -> Bool {
        if Shape.isID(recorded) || Shape.isMessageID(recorded) { return agreeIDs(recorded, local) }
        if Shape.isTime(recorded) { return agreeTimes(recorded, local, of: entity) }
        if recorded == local { return true }
        return localized(recorded) == local
    }

    /// Whether a value made at random may stand for the recorded one: from then on it does, in later requests too.
    ///
    /// With `again`, a recorded value may come to stand for another one.
    mutating func agreeSecrets(_ recorded: String, _ local: String, again: Bool = false) -> Bool {
        if let known = ids[recorded], !again { return known == local }
        guard !local.isEmpty, again || local.utf8.count == recorded.utf8.count else { return false }
        ids[recorded] = local
        return true
    }

    private mutating func agreeIDs(_ recorded: String, _ local: String) -> Bool {
        if let known = ids[recorded] { return known == local }
        if recorded == local { return true }
        guard !seeded.contains(recorded), !seeded.contains(local), !takenIDs.contains(local),
            Shape.kind(recorded) == Shape.kind(local), local.utf8.count == recorded.utf8.count
        else { return false }
        ids[recorded] = local
        takenIDs.insert(local)
        return true
    }

    private mutating func agreeTimes(_ recorded: String, _ local: String, of entity: String) -> Bool {
        if recorded == local { return true }
        if seededTimes.contains(recorded) { return false }
        let key = entity + " " + recorded
        if let known = times[key] { return known == local }
        guard Shape.isTime(local), local >= start else { return false }
        times[key] = local
        return true
    }

    /// Whether two cursors have one shape and values that stand for one another.
    mutating func agreeCursors(_ recorded: String, _ local: String) -> Bool {
        guard let old = Bindings.parts(recorded), let new = Bindings.parts(local), old.count == new.count else {
            return recorded == local
        }
        let entity = old.last?.text ?? ""
        for (one, other) in zip(old, new) {
            if let text = one.text, let mine = other.text {
                guard agree(text, mine, of: entity) else { return false }
            } else if one != other {
                return false
            }
        }
        return true
    }

    /// Recorded text with the local origin and local ids in it.
    func localized(_ text: String) -> String {
        var text = Shape.replacing(Recordings.origin, with: origin, in: text)
        text = Shape.replacing(
            FormFields.escaped(Recordings.origin), with: FormFields.escaped(origin), in: text)
        text = Shape.replacing(
            "http://localhost:8798", with: Shape.replacing("127.0.0.1", with: "localhost", in: origin),
            in: text)
        for (recorded, local) in ids where text.contains(recorded) {
            text = Shape.replacing(recorded, with: local, in: text)
        }
        return text
    }

    /// A recorded cursor as the local server would have given it.
    func localizedCursor(_ cursor: String) -> String {
        guard let parts = Bindings.parts(cursor) else { return cursor }
        let entity = parts.last?.text ?? ""
        var isChanged = false
        let mine = parts.map { part -> JSONTree in
            guard let text = part.text, let local = ids[text] ?? times[entity + " " + text] else { return part }
            isChanged = true
            return .string(local)
        }
        return isChanged ? Cursor.encode(Array(JSONTree.array(mine).json.utf8)) : cursor
    }

    /// The elements of a cursor; `nil` when it is none.
    static func parts(_ cursor: String) -> [JSONTree]? {
        guard let bytes = Cursor.decode(cursor), case .array(let parts)? = JSONTree(bytes) else { return nil }
        return parts
    }
}

/// The shapes of the server's own values.
enum Shape {
    private static let prefixes = ["msg_", "thr_", "mbx_", "addr_", "dom_", "att_", "drf_"]

    /// Whether a text is an id of the server.
    static func isID(_ text: String) -> Bool {
        prefixes.contains { text.hasPrefix($0) } && !text.contains(" ") && text.utf8.count <= 60
    }

    /// Whether a text is a Message-ID as the server's mail sender makes it.
    static func isMessageID(_ text: String) -> Bool {
        guard text.hasPrefix("<"), text.hasSuffix(">"), let at = text.firstIndex(of: "@") else { return false }
        return isUUID(String(text[text.index(after: text.startIndex)..<at]))
    }

    /// What an id is of: the text before its random part, and after it; `nil` for what is no id.
    static func kind(_ text: String) -> String? {
        if isMessageID(text) { return String(text.drop { $0 != "@" }) }
        return isID(text) ? String(text.prefix(4)) : nil
    }

    /// Whether a text is an instant of the contract's form.
    static func isTime(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 24 && bytes[10] == 0x54 && bytes[19] == 0x2E && bytes[23] == 0x5A
    }

    /// Whether a text is a UUID in lower case.
    static func isUUID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || $0 == 0x2D }
    }

    /// A text with every occurrence of another replaced.
    static func replacing(_ needle: String, with text: String, in whole: String) -> String {
        String(decoding: ByteSearch.replacing(needle, with: text, in: Array(whole.utf8)), as: UTF8.self)
    }
}
