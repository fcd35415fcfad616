internal import JSON
internal import LocalServer
internal import MailModel
internal import MailStorage
internal import Platform
internal import Testing

/// A mail that a test has sent, and where it must be afterwards.
struct TestMail {
    let draft: LocalDraftID
    let send: SendID
    let subject: String
    let text: String
}

extension Setting {
    /// Writes a mail and queues it to be sent at once.
    func queueMail(_ name: String, origin: DraftOrigin = .new) async throws -> TestMail {
        let outbox = try herald.outbox()
        let now = Environment.millisecondsSinceEpoch
        let (subject, text) = ("Mail \(name)", "The words of \(name).")
        let draft = try await outbox.createDraft(
            DraftContent(
                origin: origin, from: "info@example.test", to: "Ann <ann@client.example>", subject: subject, text: text),
            at: now
        ).id
        let send = try await outbox.queueSend(draft, notBefore: now, at: now)
        return TestMail(draft: draft, send: try #require(send).id, subject: subject, text: text)
    }

    /// How many mails with a subject the server has handed on, whatever it answered.
    func mailsHandedOn(_ subject: String) throws -> Int {
        let list = String(decoding: try ask(server.controlPort, "/outgoing", method: "POST"), as: UTF8.self)
        return list.split(separator: "\"subject\":\"\(subject)\"", omittingEmptySubsequences: false).count - 1
    }

    /// The text of a message of the server.
    func serverText(of message: MessageID) throws -> String {
        var text = ""
        var reader = JSONReader(try ask(server.port, "/api/v1/messages/\(message)"))
        try reader.object { reader, name throws(JSONError) in
            if name == "textBody" { text = try reader.string() } else { try reader.skip() }
        }
        return text
    }

    /// What must hold whatever happened: no mail twice, no text lost, and nothing told as sent without its copy.
    ///
    /// Answers how far the mail got.
    @discardableResult
    func checkMail(_ mail: TestMail, _ point: String) async throws -> SendStatus {
        #expect(try mailsHandedOn(mail.subject) <= 1, "\(point): sent twice")
        let outbox = try herald.outbox()
        let status = try #require(try await outbox.send(mail.send), "\(point): forgotten").status
        let draft = try await outbox.draft(mail.draft)
        if case .sent(let copy) = status {
            #expect(try serverText(of: copy).hasPrefix(mail.text), "\(point): another mail's copy")
            #expect(draft == nil || draft?.isDiscarded == true, "\(point): the draft stays")
        } else if let draft {
            #expect(draft.content.text == mail.text, "\(point): the text is lost")
        } else {
            // A draft that waits for nothing and that the server has needs no row here.
            let drafts = String(decoding: try ask(server.port, "/api/v1/drafts"), as: UTF8.self)
            #expect(status.name == "refused" && drafts.contains(mail.text), "\(point): the text is lost")
        }
        return status
    }
}
