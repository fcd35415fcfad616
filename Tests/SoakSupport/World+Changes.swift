internal import JSON
internal import MailTestSupport

extension World {
    /// Makes one random change on the server.
    ///
    /// - Throws: when the server does not take it.
    package mutating func change() throws {
        if random.percent(40) { try endBlink() }
        switch random.below(100) {
        case 0..<30: try arrive(1 + random.below(4))
        case 30..<32: try arrive(isInPass ? 10 : 90 + random.below(200))
        case 32..<60: try touch()
        case 60..<70: try delete()
        case 70..<74: try move()
        case 74: try vanish()
        case 75: try retain()
        case 76..<80: try changeAccess()
        case 80..<82: try blink()
        case 82..<84: try changeRole()
        case 84..<86: try changeMailboxes()
        default: try changeDrafts()
        }
    }

    /// Makes one random change that rings the bell for whoever sees it.
    ///
    /// - Throws: when the server does not take it.
    mutating func loudChange() throws {
        switch random.below(4) {
        case 0: try arrive(1 + random.below(4))
        case 1: try touch()
        case 2: try delete()
        default: try changeDrafts()
        }
    }

    /// Fills the server for a first time.
    ///
    /// - Throws: when the server does not take it.
    package mutating func fill() throws {
        try arrive(20 + random.below(60))
        if random.percent(10) { try arrive(150 + random.below(200)) }
        for _ in 0..<random.below(3) { try changeDrafts() }
        if role != "owner", random.percent(70) { try changeAccess() }
    }

    private mutating func arrive(_ count: Int) throws {
        var writer = JSONWriter()
        var made: [String] = []
        var fields: [[(String, String?)]] = []
        for _ in 0..<count {
            let message = newMessage()
            made.append(message[0].1 ?? "")
            fields.append(message)
        }
        writer.array { writer in
            for message in fields {
                writer.object { writer in
                    for (name, value) in message { writer.member(name, value) }
                }
            }
        }
        try verb("/put", body: writer.bytes)
        log.append(count == 1 ? "arrive \(made[0])" : "arrive \(count) from \(made[0])")
    }

    private mutating func newMessage() -> [(String, String?)] {
        let isNobodys = random.percent(12)
        let address = isNobodys ? nil : address()
        let isOutbound = address != nil && random.percent(20)
        let old = random.percent(40) ? item() : nil
        let thread = old.flatMap { items[$0]?.thread } ?? id("thr")
        let message = id("msg")
        items[message] = Item(thread: thread, address: address)
        var folder = isNobodys ? "catchall" : isOutbound ? "sent" : "inbox"
        if random.percent(10) { folder = random.percent(50) ? "archived" : "trash" }
        let stamp = instant()
        return [
            ("id", message), ("threadId", thread), ("mailbox", address), ("folder", folder),
            ("direction", isOutbound ? "outbound" : "inbound"), ("from", "ann\(random.below(9))@client.example"),
            ("subject", "Subject \(random.below(1_000))"), ("text", "Text \(random.below(1_000)) of \(message)."),
            ("html", random.percent(20) ? "<p>Text of \(message)</p>" : nil),
            ("receivedAt", isOutbound ? nil : stamp), ("sentAt", isOutbound ? stamp : nil),
            ("readAt", random.percent(40) ? stamp : nil), ("starredAt", random.percent(10) ? stamp : nil),
        ]
    }

    private mutating func touch() throws {
        let actions = ["read", "unread", "star", "unstar", "archive", "trash", "unarchive", "restore"]
        for _ in 0..<(1 + random.below(3)) {
            guard let id = item(), let action = random.pick(actions) else { return }
            try verb("/touch?id=\(id)&action=\(action)")
            log.append("\(action) \(id)")
        }
    }

    private mutating func delete() throws {
        for _ in 0..<(1 + random.below(2)) {
            guard let id = item(where: { _ in true }) else { return }
            try verb("/delete?id=\(id)")
            items[id] = nil
            log.append("delete \(id)")
        }
    }

    private mutating func changeAccess() throws {
        let current = self
        guard role != "owner", let target = address(where: { !current.isPinned($0) }) else { return }
        let level = random.pick(["none", "none", "read", "agent", "manager"]) ?? "none"
        try setAccess(target, level == "none" ? nil : level)
        disturb { $0.address == target }
        pin(target)
    }

    private mutating func changeRole() throws {
        let roles = ["owner", "admin", "member"].filter { $0 != role }
        guard let next = random.pick(roles), !levels.keys.contains(where: isPinned) else { return }
        try setRole(next)
        disturb { _ in true }
        for address in levels.keys.sorted() { pin(address) }
    }

    private mutating func changeMailboxes() throws {
        switch random.below(4) {
        case 0:
            let current = self
            guard levels.count > 2, let target = address(where: { !current.isPinned($0) }) else { return }
            try verb("/delete-mailbox?address=\(target)")
            for (id, item) in items where item.address == target { items[id]?.isOrphan = true }
            levels[target] = nil
            log.append("delete mailbox \(target)")
        case 1:
            let name = id("box")
            try verb("/make-mailbox?address=\(name)@example.test&id=mbx_\(name)")
            levels[name + "@example.test"] = .some(nil)
            log.append("make mailbox \(name)")
        default:
            guard let target = address() else { return }
            let isActive = random.percent(50)
            try verb("/mailbox?mailbox=\(target)&active=\(isActive ? 1 : 0)")
            log.append("activate \(target) \(isActive)")
        }
    }

    private mutating func changeDrafts() throws {
        if random.percent(30), let draft = random.pick(drafts) {
            try verb("/delete-draft?id=\(draft)")
            drafts.removeAll { $0 == draft }
            log.append("delete draft \(draft)")
            return
        }
        let draft = random.percent(40) ? random.pick(drafts) ?? id("drf") : id("drf")
        let (mailbox, reply) = (random.percent(60) ? address() : nil, random.percent(30) ? item() : nil)
        let (stamp, text) = (instant(), "Draft \(random.below(1_000))")
        var writer = JSONWriter()
        let user = user
        writer.object { writer in
            writer.member("id", draft)
            writer.member("user", user)
            writer.member("mailbox", mailbox)
            writer.member("replyToMessageId", reply)
            writer.member("to", ["bo@client.example"])
            writer.member("subject", text)
            writer.member("text", text)
            writer.member("updatedAt", stamp)
        }
        try verb("/draft", body: writer.bytes)
        if !drafts.contains(draft) { drafts.append(draft) }
        log.append("draft \(draft)")
    }
}
