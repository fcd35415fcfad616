internal import SQLite

/// The verbs for tests that set what an administrator, the time or the mail sender would.
enum SettingVerbs {
    /// The answer to a verb; `nil` when it is none of these.
    ///
    /// - Throws: `Refusal` or `SQLiteError`.
    static func perform(_ request: ServerRequest, _ store: Store) throws -> JSONText? {
        switch request.path {
        case "/clock": return try clock(request, store)
        case "/retention": return try retention(request, store)
        case "/purge": return ControlRouter.ok(try store.purge())
        case "/mailbox": return try mailbox(request, store)
        case "/address": return try address(request, store)
        case "/domain": return try domain(request, store)
        case "/lose": return try lose(request, store)
        case "/sender": return try sender(request, store)
        case "/outgoing": return store.mailSender.list()
        default: return nil
        }
    }

    /// Sets, moves, stops or resets the clock; answers its time.
    private static func clock(_ request: ServerRequest, _ store: Store) throws(Refusal) -> JSONText {
        if request.parameter("reset") != nil { store.clock.reset() }
        // First, so that no time passes between setting the clock and stopping it.
        if let text = request.parameter("stopped") { store.clock.stop(text == "1") }
        if let text = request.parameter("at") {
            guard let instant = TimeText.milliseconds(text) else { throw .validation("at is no instant.") }
            store.clock.set(instant)
        }
        if let text = request.parameter("advance") {
            guard let milliseconds = Int64(text), abs(milliseconds) < 1 << 48 else {
                throw .validation("advance is no number of milliseconds.")
            }
            store.clock.advance(milliseconds)
        }
        var text = JSONText()
        text.member("{\"ok\":true,\"now\":", store.now())
        text.raw("}")
        return text
    }

    private static func retention(_ request: ServerRequest, _ store: Store) throws -> JSONText {
        let mailbox = try existingMailbox(request, store)
        var policy = RetentionPolicy()
        if let text = request.parameter("trashDays") {
            if text == "none" {
                try store.setRetention(nil, mailbox: mailbox)
                return ControlRouter.ok([])
            }
            policy.trashDays = try days(text)
        }
        if let text = request.parameter("ageDays") { policy.ageDays = try days(text) }
        try store.setRetention(policy, mailbox: mailbox)
        return ControlRouter.ok([])
    }

    private static func days(_ text: String) throws(Refusal) -> Int {
        guard let days = Int(text), (0...1_000_000).contains(days) else { throw .validation("Not a number of days.") }
        return days
    }

    private static func existingMailbox(_ request: ServerRequest, _ store: Store) throws -> String {
        let address = try ControlRouter.required(request, "mailbox").lowercased()
        guard let mailbox = try store.text("SELECT mailboxId FROM addresses WHERE address = ?", address) else {
            throw Refusal.validation("Unknown mailbox.")
        }
        return mailbox
    }

    private static func mailbox(_ request: ServerRequest, _ store: Store) throws -> JSONText {
        let mailbox = try existingMailbox(request, store)
        try store.run(
            "UPDATE mailboxes SET isActive = CAST(? AS INTEGER) WHERE id = ?", flag(request, "active"), mailbox)
        return ControlRouter.ok([])
    }

    private static func address(_ request: ServerRequest, _ store: Store) throws -> JSONText {
        let address = try ControlRouter.required(request, "address").lowercased()
        if request.parameter("send") != nil {
            try store.run(
                "UPDATE addresses SET sendEnabled = CAST(? AS INTEGER) WHERE address = ?", flag(request, "send"),
                address)
        }
        if request.parameter("receive") != nil {
            try store.run(
                "UPDATE addresses SET receiveEnabled = CAST(? AS INTEGER) WHERE address = ?",
                flag(request, "receive"), address)
        }
        return ControlRouter.ok([])
    }

    /// Opens or closes the domain of an address for sending.
    private static func domain(_ request: ServerRequest, _ store: Store) throws -> JSONText {
        let address = try ControlRouter.required(request, "address").lowercased()
        guard let domain = try store.text("SELECT domainId FROM addresses WHERE address = ?", address) else {
            throw Refusal.validation("Unknown address.")
        }
        let isOpen = try flag(request, "send") == "1"
        try store.run(
            isOpen ? "DELETE FROM closedDomains WHERE id = ?" : "INSERT OR IGNORE INTO closedDomains VALUES(?)", domain)
        return ControlRouter.ok([])
    }

    private static func flag(_ request: ServerRequest, _ name: String) throws(Refusal) -> String {
        try ControlRouter.required(request, name) == "1" ? "1" : "0"
    }

    /// Loses the stored content of an attachment, of a draft's or a message's.
    private static func lose(_ request: ServerRequest, _ store: Store) throws -> JSONText {
        let id = try ControlRouter.required(request, "id")
        for table in ["attachments", "draftAttachments"] {
            try store.run("DELETE FROM objects WHERE key IN (SELECT objectKey FROM \(table) WHERE id = ?)", id)
        }
        try store.run("UPDATE attachments SET content = NULL WHERE id = ?", id)
        return ControlRouter.ok([])
    }

    /// Makes the mail sender fail for the next sends, before or after it took the mail.
    private static func sender(_ request: ServerRequest, _ store: Store) throws(Refusal) -> JSONText {
        let times = try ControlRouter.required(request, "fail")
        guard let count = Int(times), count >= 0 else { throw .validation("fail is no number.") }
        store.mailSender.failNext(
            count, isAfterwards: request.parameter("when") == "after",
            message: request.parameter("message") ?? "sending failed")
        return ControlRouter.ok([])
    }
}
