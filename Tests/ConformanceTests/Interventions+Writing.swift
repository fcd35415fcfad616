@testable internal import LocalServer
internal import MailTestSupport

extension Intervention {
    /// Those of the files about writing.
    static let writeSide: [Intervention] = drafts + draftChanges + sends + forwards

    private static let owner = "usr_local_owner"

    private static let drafts = [
        // The drafts named D0 to D6 were made in the middle, in place of all before them.
        Intervention("13", 0) { try $0.removeDrafts("D_") },
        Intervention("13", 61) { context in
            try context.removeDrafts("%")
            try context.insertDrafts(named: "D")
        },
        Intervention("13", 76) { context in
            try context.store.run("DELETE FROM grants WHERE userId = 'usr_local_member'")
        },
    ]

    private static let draftChanges = [
        Intervention("14", 0) { try $0.removeDrafts("B%") },
        // The row of another user's draft.
        Intervention("14", 1) { context in
            try context.store.run(
                "INSERT INTO draftJournal(draftId, userId, isDelete) VALUES('none', 'usr_local_member', 0)")
        },
        Intervention("14", 19) { context in
            try context.control("/order?as=text")
            try context.insertDrafts(named: "B")
        },
    ]

    private static let sends = [
        Intervention("16", 0) { try $0.insertTwin() },
        Intervention("16", 49) { try $0.control("/mailbox?mailbox=sales@example.test&active=0") },
        Intervention("16", 50) { try $0.control("/domain?address=ops@ops.example.test&send=0") },
        Intervention("16", 51) { try $0.control("/address?address=billing@example.test&send=0") },
        Intervention("16", 53) { try $0.control("/sender?fail=1") },
        Intervention("16", 57) { try $0.control("/sender?fail=1") },
        Intervention("17", 0) { context in
            try context.removeSentDrafts()
            try context.insertTwin()
            try context.completeNews()
        },
        Intervention("17", 38) { try $0.control("/sender?fail=1") },
        // The first of 61 requests were not recorded.
        Intervention("19", 0) { context in
            try context.control("/clock?stopped=1")
            for _ in 0..<58 { try context.ask("POST", "/api/v1/send", "{}") }
        },
    ]

    private static let forwards = [
        Intervention("18", 0) { context in
            try context.removeSentDrafts()
            try context.insertTwin()
            try context.store.run(
                """
                UPDATE drafts SET forwardOf = (SELECT id FROM messages WHERE id LIKE 'msg_ed11b286%')
                WHERE id LIKE 'drf_cf8cc518%'
                """)
        },
        Intervention("18", 21) { try $0.attachNamedFiles(before: 21) },
        Intervention("18", 23) { try $0.attachNamedFiles(before: 23) },
        Intervention("18", 30) { try $0.removeDrafts("%") },
        Intervention("18", 32) { try $0.control("/sender?fail=1") },
        Intervention("18", 33) { try $0.control("/sender?fail=1") },
    ]
}

extension ReplayContext {
    /// Sends a request of the owner's that was not recorded.
    func ask(_ method: String, _ target: String, _ body: String) throws {
        let headers = [("authorization", "Bearer hqb_access_owner"), ("content-type", "application/json")]
        _ = try WireClient(port: port).send(method, target, headers: headers, body: Array(body.utf8))
    }

    /// Removes the owner's drafts whose subject fits a pattern.
    func removeDrafts(_ pattern: String) throws {
        try store.run("DELETE FROM drafts WHERE userId = 'usr_local_owner' AND subject LIKE ?", pattern)
    }

    /// Puts in the drafts whose subject is a letter and a number, in the order of the numbers.
    mutating func insertDrafts(named letter: String) throws {
        func number(_ draft: JSONTree) -> Int? {
            guard let subject = draft["subject"]?.text, subject.hasPrefix(letter) else { return nil }
            return Int(subject.dropFirst())
        }
        let found = seed.world.drafts(before: place).map(\.draft).filter { number($0) != nil }
        for draft in found.sorted(by: { (number($0) ?? 0) < (number($1) ?? 0) }) {
            try seed.insert(draft, of: "owner")
        }
    }

    /// Removes the drafts that a recorded send of an earlier file consumed.
    func removeSentDrafts() throws {
        for file in (Recordings.shared?.files ?? []).prefix(place) {
            for exchange in file.exchanges where exchange.status == 201 {
                try store.run("DELETE FROM drafts WHERE id = ?", exchange.requestBody["draftId"]?.text)
            }
        }
    }

    /// Loses the drawing of the message with files, as happened in an earlier file, and puts in a second one.
    func insertTwin() throws {
        let (id, thread) = ("msg_ed11b286-241c-4f0c-95e1-71072c5a69b5", "thr_0f50eddc-1df4-4521-99bf-7962b3b9aca0")
        let rest = """
            mailboxId, isUnassigned, direction, folder, fromAddress, toJSON, subject, snippet, receivedAt, sentAt,
            readAt, starredAt, hasAttachments, createdAt, activityAt, ccJSON, bccJSON, deliveredTo, htmlAvailable, inReplyTo,
            referencesJSON
            """
        let original = "LIKE 'msg_29a76969%'"
        try store.run(
            """
            INSERT INTO messages(id, threadId, messageIdHeader, \(rest))
            SELECT ?, ?, '<att-2@customer.test>', \(rest) FROM messages WHERE id \(original)
            """, id, thread)
        try store.run(
            "INSERT INTO bodies SELECT ?, textBody, htmlSource, NULL, NULL FROM bodies WHERE messageId \(original)", id)
        try store.run(
            """
            INSERT INTO attachments(id, messageId, filename, contentType, sizeBytes, contentId, createdAt, content)
            SELECT 'att_twin_' || filename, ?, filename, contentType, sizeBytes, contentId, createdAt, content
            FROM attachments WHERE messageId \(original)
            """, id)
        try store.run("UPDATE attachments SET content = NULL WHERE filename = 'draw.svg' AND messageId \(original)")
    }

    /// Gives the mail with remote images what no recorded answer shows of it.
    func completeNews() throws {
        let id = "LIKE 'msg_f73b6b38%'"
        try store.run("UPDATE messages SET messageIdHeader = '<remote-1@updates.test>' WHERE id \(id)")
        // Shown with the scheme of the server's own address, quoted not at all.
        try store.run(
            """
            UPDATE bodies SET htmlSource = replace(htmlSource, 'http://t.test/b.png', '//t.test/b.png')
            WHERE messageId \(id)
            """
        )
        try store.run("UPDATE bodies SET textBody = '' WHERE messageId \(id)")
    }

    /// Gives a draft the files that a recorded request names and whose uploads were not recorded.
    func attachNamedFiles(before index: Int) throws {
        var draft = StoredDraft()
        draft.id = Store.id("drf")
        draft.updatedAt = "2026-01-01T00:00:00.000Z"
        try store.save(draft, user: "usr_local_owner")
        let exchanges = Recordings.shared?.exchanges("18") ?? []
        for id in exchanges[index].requestBody["attachmentIds"]?.texts ?? [] {
            let file = FormFile(filename: "f.txt", contentType: "text/plain", content: [0x78])
            let made = try store.attach(file, toDraft: draft.id)
            try store.run("UPDATE draftAttachments SET id = ? WHERE id = ?", id, made)
        }
    }
}
