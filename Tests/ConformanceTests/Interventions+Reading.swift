@testable internal import LocalServer

extension Intervention {
    /// Those of the files about reading.
    static let readSide: [Intervention] = people + mailboxes + objects + journal

    private static let nobody = "usr_local_nogrant"

    private static let people = [
        Intervention("02", 45) { try $0.store.run("INSERT INTO suspensions VALUES(?, 'banned')", nobody) },
        Intervention("02", 46) { try $0.store.run("UPDATE suspensions SET reason = 'password'") },
        Intervention("02", 47) { try $0.store.run("DELETE FROM suspensions") },
        Intervention("02", 50) { try $0.store.run("DELETE FROM tokens WHERE userId = ?", nobody) },
    ]

    private static let mailboxes = [
        Intervention("03", 6) { try $0.store.run("UPDATE mailboxes SET isActive = 0 WHERE id = 'mbx_local_billing'") },
        Intervention("06", 22) { try $0.store.run("DELETE FROM mailboxes WHERE id NOT LIKE 'mbx_local_%'") },
    ]

    private static let objects = [
        Intervention("07", 26) { context in
            try context.store.run(
                """
                UPDATE bodies SET htmlSource = NULL WHERE messageId = (
                SELECT id FROM messages WHERE subject = ? AND htmlAvailable ORDER BY createdAt LIMIT 1)
                """, "HTML only, nothing remote")
        },
        Intervention("08", 20) {
            try $0.store.run("UPDATE attachments SET content = NULL WHERE filename = 'draw.svg'")
        },
    ]

    private static let journal = [
        Intervention("12", 18) {
            try $0.store.run("UPDATE messages SET mailboxId = 'mbx_local_billing' WHERE subject = 'Change one'")
        },
        Intervention("12", 23) { context in
            let target = "Info action target"
            try context.store.run(
                "UPDATE messages SET trashedAt = '2026-01-01T00:00:00.000Z' WHERE subject = ?", target)
            for id in ["msg_local_bulk_0100", "msg_local_bulk_0040", "msg_local_newsletter"] {
                try context.store.deleteMessage(id)
            }
            try context.store.run("DELETE FROM messages WHERE subject = ?", target)
        },
        Intervention("12", 28) { try pass("mbx_local_support", before: 28, &$0) },
        Intervention("12", 31) { try pass(nil, before: 31, &$0) },
        Intervention("12", 33) { context in
            try context.seed.makeMailbox("mbx_made")
            var message = NewMessage()
            message.mailbox = "mbx_made"
            message.thread = Store.id("thr")
            message.createdAt = context.store.now()
            try context.store.insert(message)
        },
        Intervention("12", 34) { try $0.store.run("DELETE FROM mailboxes WHERE id = 'mbx_made'") },
        Intervention("12", 53) { try $0.control("/order?as=text") },
        Intervention("12", 54) { try $0.control("/order?as=number") },
        Intervention("24", 0) { context in
            try context.control("/order?as=text")
            try context.store.run("DELETE FROM messageJournal WHERE sequence > 990")
            try context.store.run(
                "INSERT INTO messageJournal VALUES(990, 'none', NULL, 0, 0) ON CONFLICT DO NOTHING")
            for _ in 0..<5 {
                try context.store.run("UPDATE messages SET readAt = readAt WHERE id = 'msg_local_invoice'")
            }
        },
    ]

    /// A message that comes and goes, under the id that its recorded tombstone has.
    private static func pass(_ mailbox: String?, before index: Int, _ context: inout ReplayContext) throws {
        let entries = Recordings.shared?.exchanges("12")[index].body["changes"]?.items ?? []
        guard let id = entries.first(where: { $0["type"]?.text == "delete" })?["messageId"]?.text else { return }
        var message = NewMessage()
        message.id = id
        message.mailbox = mailbox
        message.thread = Store.id("thr")
        message.createdAt = context.store.now()
        try context.store.insert(message)
        try context.store.deleteMessage(id)
    }
}
