internal import DisplayText
internal import JSON
internal import MailModel
internal import MailOutbox
internal import MailStorage

/// What `herald outbox` does with mail.
extension OutboxCommand {
    /// Mail as `list` and `journal` print it: a subject, and how far it got.
    struct MailLine {
        let send: Send
        let subject: String

        var text: String {
            let state = SendText.state(send, now: WallClock.milliseconds())
            return "\(send.id.rawValue)  Send  \(state)" + (subject.isEmpty ? "" : "  “\(subject)”")
        }
    }

    /// The mail that is not done, with the subjects of its drafts.
    static func mail(in store: OutboxStore) async throws -> [MailLine] {
        var lines: [MailLine] = []
        for send in try await store.openSends() {
            let subject = try await store.draft(send.draft)?.content.subject ?? send.content?.subject ?? ""
            lines.append(MailLine(send: send, subject: TextDisplay.sanitizedLine(subject)))
        }
        return lines
    }

    func show(_ send: Send, in store: OutboxStore) async throws {
        if options.json {
            var writer = JSONWriter()
            SendJSON.send(send, version: 1, &writer)
            return Output.write(writer.bytes + [0x0A])
        }
        Output.line("mail       \(send.id.rawValue)")
        Output.line("draft      \(send.draft.rawValue)")
        if let content = try await store.draft(send.draft)?.content {
            Output.line("to         \(TextDisplay.sanitizedLine(content.to))")
            Output.line("subject    \(TextDisplay.sanitizedLine(content.subject))")
        }
        Output.line("queued     \(send.createdAt.text)")
        Output.line("state      \(SendText.state(send, now: WallClock.milliseconds()))")
        if case .sent(let copy) = send.status, !copy.rawValue.isEmpty {
            Output.line("message    \(TextDisplay.sanitizedLine(copy.rawValue))")
        }
        if let next = send.nextAttemptAt {
            Output.line("not before \(Timestamp(millisecondsSinceEpoch: next).text)")
        }
        if let advice = SendText.advice(send) { Output.line("to do      \(advice)") }
    }

    /// Does what the person says of mail, and sends what is to be sent.
    func settle(_ word: Command.OutboxOptions.SendWord, _ ids: [SendID]) async throws {
        let session = try Session(account: account)
        defer { session.close() }
        let store = try session.outbox.store()
        for id in ids where try await store.send(id) == nil { throw unknown(OperationID(id.rawValue)) }
        for id in ids {
            let isDone =
                switch word {
                case .sendAgain: try await store.sendAgain(id)
                case .keep: try await store.keepAsDraft(id)
                case .sent: try await store.declareSent(id, at: WallClock.milliseconds())
                }
            guard isDone else { throw OutboxCommand.tooLate(word, id, try await store.send(id)) }
        }
        guard word == .sendAgain else {
            if !options.json { Output.line(word == .keep ? "The text is a draft." : "Noted as sent.") }
            return
        }
        let report = try await session.outbox.drain()
        if !options.json { Output.line("\(report.sent) sent, \(report.refused) refused.") }
        if let failure = try await session.outbox.remainder() { throw failure }
    }

    private static func tooLate(
        _ word: Command.OutboxOptions.SendWord, _ id: SendID, _ send: Send?
    ) -> CommandFailure {
        switch send?.status {
        case .inFlight?: CommandFailure("This mail is being sent now. Try again later.", .tryLater)
        case .sent?: CommandFailure("This mail was sent.", .badInput)
        case .refused?: CommandFailure("This mail was refused, and its text is a draft.", .badInput)
        default:
            CommandFailure(
                word == .sendAgain
                    ? "This mail waits for the server, not for you." : "Nobody doubts that this mail was not sent yet.",
                .badInput)
        }
    }
}
