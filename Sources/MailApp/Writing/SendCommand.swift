internal import DisplayText
internal import JSON
internal import MailCompose
internal import MailModel
internal import MailOutbox
internal import MailStorage
internal import Platform

/// `herald send`: one mail without a terminal, with what became of it as the exit code.
struct SendCommand {
    let options: Command.WriteOptions
    let account: Account

    func run() async throws {
        let made = try await DraftMaking(options: options, account: account).run()
        let session = try Session(account: account)
        defer { session.close() }
        let progress = SendProgress.shared
        try progress.begin()
        let (draft, queued): (LocalDraft, Send?)
        do {
            (draft, queued) = try await keep(made, session)
        } catch OutboxError.full {
            throw OutboxError.notQueued
        }
        guard let queued else {
            progress.keep()
            let failure = try await drain(session)
            tell(draft.id, nil)
            if let failure { throw failure }
            return
        }
        progress.queue(queued.id)
        let failure = try await drain(session)
        let ended = OutboxStore.present(queued, path: account.outboxPath)
        tell(draft.id, ended)
        try SendVerdict.end(ended, after: failure)
    }

    /// Writes the mail into the outbox and queues it, unless it is only to be a draft; nothing stays when it cannot be.
    private func keep(_ made: DraftMaking.Made, _ session: Session) async throws -> (LocalDraft, Send?) {
        let draft = try await session.keepDraft(made)
        do {
            try check(made, draft)
            try Task.checkCancellation()
            return (draft, options.isDraft ? nil : try await queue(draft, session))
        } catch {
            // Nothing was asked of the server, and the person has the text where it came from.
            try? await session.outbox.store().discardDraft(draft.id)
            throw error
        }
    }

    private func queue(_ draft: LocalDraft, _ session: Session) async throws -> Send {
        let (store, now) = (try session.outbox.store(), WallClock.milliseconds())
        guard let send = try await store.queueSend(draft.id, notBefore: now, at: now) else {
            throw CommandFailure("The draft is no longer there.", .badInput)
        }
        return send
    }

    /// Sends what waits; what keeps this machine from it is answered, as the mail may have left before.
    private func drain(_ session: Session) async throws -> CommandFailure? {
        if options.isOffline { return nil }
        do {
            _ = try await session.outbox.drain()
            return nil
        } catch let error as CancellationError {
            throw error
        } catch let error as SystemError {
            return Failures.cannotMake("The lock of the outbox", error)
        } catch {
            return Failures.failure(error)
        }
    }

    /// Refuses what the server would refuse; what only may be wrong is told.
    private func check(_ made: DraftMaking.Made, _ draft: LocalDraft) throws(CommandFailure) {
        if options.isDraft { return }
        let senders = NewDraft.senders(made.mailboxes).map(\.address)
        let forwarded = made.original.map { Quotation.forwarded($0, text: $0.textBody) } ?? ""
        let isForward = if case .forward = draft.content.origin { true } else { false }
        let refusals = DraftCheck.refusals(
            draft.content, files: draft.files, senders: senders, forwarded: isForward ? forwarded : "")
        if !refusals.isEmpty {
            let lines = refusals.map { TextDisplay.sanitizedLine($0.message) }
            throw CommandFailure(lines.joined(separator: "\n"), .badInput)
        }
        let own = made.mailboxes.map(\.address)
        for warning in DraftCheck.warnings(draft.content, files: draft.files, original: made.original, own: own) {
            Output.failure(TextDisplay.sanitizedLine(warning.message))
        }
    }

    private func tell(_ draft: LocalDraftID, _ send: Send?) {
        guard options.json else {
            if let send { Output.line(SendVerdict.words(send)) } else { Output.line("Kept as a draft.") }
            return
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 1)
            writer.member("draftId", draft.rawValue)
            writer.member("sendId", send?.id.rawValue)
            writer.member("status", send?.status.name ?? "draft")
            writer.member("reason", send.flatMap { SendVerdict.reason($0.status) })
            writer.member("messageId", send.flatMap { SendVerdict.sentID($0.status) })
        }
        Output.write(writer.bytes + [0x0A])
    }
}

extension OutboxStore {
    /// A send as the disk has it now; one that cannot be read may be under way.
    fileprivate static func present(_ send: Send, path: String) -> Send {
        if let present = try? OutboxStore.send(send.id, path: path) { return present }
        var present = send
        present.status = .inFlight
        return present
    }
}

extension Session {
    /// Writes a draft with its files into the outbox.
    ///
    /// - Throws: `OutboxError`, `CommandFailure` for a file that cannot be taken; no draft stays then.
    func keepDraft(_ made: DraftMaking.Made) async throws -> LocalDraft {
        let store = try outbox.store()
        let draft = try await store.createDraft(made.content, at: WallClock.milliseconds())
        do {
            for path in made.files {
                try Task.checkCancellation()
                try await attach(path, to: draft.id)
            }
        } catch {
            try await store.discardDraft(draft.id)
            throw error
        }
        return try await store.draft(draft.id) ?? draft
    }

    /// Adds a file to a draft: copied first, so that what is sent is what was attached.
    ///
    /// - Throws: `CommandFailure` for a file that cannot be taken, `OutboxError`.
    private func attach(_ path: String, to id: LocalDraftID) async throws {
        let store = try outbox.store()
        let files = try await store.draft(id)?.files ?? []
        let now = WallClock.milliseconds()
        do {
            let copy = try account.spool.add(path, to: files)
            let file = DraftFile(
                id: DraftFileID(milliseconds: now, random: OutboxStore.randomBits()), filename: copy.filename,
                contentType: copy.contentType,
                sizeBytes: copy.sizeBytes, sha256: copy.sha256)
            try await store.addFile(file, to: id, at: now)
            // Until here, no sweep takes the copy away.
            _ = consume copy
        } catch let error as DraftFileError {
            throw CommandFailure(
                TextDisplay.sanitizedLine(error.message), ExitCode(rawValue: error.exitCode) ?? .badInput)
        }
    }
}
