internal import MailCompose
internal import MailModel
internal import MailOutbox
internal import MailStorage
internal import MailUI
internal import Platform

/// Writing mail beside the loop, one thing after another.
extension TerminalProgram {
    func performWriting(_ effect: WritingEffect, _ run: AccountRun) {
        let backend = run.backend
        switch effect {
        case .loadOriginal(let number, let id): loadOriginal(number, id, run)
        case .create(let number, let content, let mode):
            saveInOrder(number, run) { try await backend.createDraft(content, mode) }
        case .save(let number, let id, let content):
            saveInOrder(number, run) { try await backend.saveDraft(id, content) }
        case .open(let number, let id):
            open(number, run) { try await backend.draft(id) }
        case .take(let number, let draft):
            open(number, run) { try await backend.takeDraft(draft) }
        case .discard(let id):
            write(run) {
                try await backend.discardDraft(id)
                return []
            }
        case .discardElsewhere(let draft):
            write(run) {
                try await backend.discardDraft(try await backend.takeDraft(draft).id)
                return []
            }
        case .loadDrafts: loadDrafts(run)
        case .loadAddresses: loadAddresses(run)
        case .askAddresses(let typed): askAddresses(typed, run)
        case .edit(let number, let id, let content, let context): edit(number, id, content, context: context, run)
        case .attach, .detach, .setMode, .resolve, .closed: performDraftWork(effect, run)
        case .queueSend, .takeBack, .sendNow, .sendAgain, .keepAsDraft, .declareSent: performSending(effect, run)
        case .saveAs(let path, let content): saveText(content, as: path)
        }
    }

    /// Opens a draft that the command line names.
    func openAtStart(_ id: LocalDraftID) {
        let leftOut = Environment.value(ComposeCommand.leftOutVariable).flatMap(MailtoURL.LeftOut.init)
        for effect in state.openAtStart(id, telling: leftOut?.sentence) { perform(effect) }
    }

    /// Does something with the outbox after all that was asked for before, and tells what comes of it.
    func write(_ run: AccountRun, _ work: @escaping @Sendable () async throws -> [WritingEvent]) {
        let before = run.writing.last
        run.writing.last = self.effect {
            await before?.value
            do {
                for event in try await work() { await self.tellAndPaint(.writing(event), run) }
            } catch {
                await self.tellAndPaint(.notice(Failures.failure(error).message), run)
            }
            await self.drainSoon(run)
        }
    }

    /// Saves a draft; a failure is told as one of saving, since the text is then on the screen only.
    private func saveInOrder(
        _ number: Int, _ run: AccountRun, _ save: @escaping @Sendable () async throws -> LocalDraft
    ) {
        write(run) {
            do {
                let draft = try await save()
                _ = await run.backend.beginWriting(draft.id)
                return [.saved(number, draft)]
            } catch {
                return [.notSaved(number, Failures.failure(error).message)]
            }
        }
    }

    private func open(
        _ number: Int, _ run: AccountRun, _ take: @escaping @Sendable () async throws -> LocalDraft?
    ) {
        let reader = run.reader
        write(run) {
            do {
                guard let draft = try await take() else {
                    return [.notOpened(number, "This draft is no longer there.")]
                }
                guard await run.backend.beginWriting(draft.id) else {
                    return [.notOpened(number, "This draft is being written in another Herald.")]
                }
                let original = draft.content.origin.original
                let message = original == nil ? nil : try await reader?.message(original ?? MessageID(""))
                return [.opened(number, draft, message?.detail)]
            } catch {
                return [.notOpened(number, Failures.failure(error).message)]
            }
        }
    }

    private func loadOriginal(_ number: Int, _ id: MessageID, _ run: AccountRun) {
        let (backend, reader, isOffline) = (run.backend, run.reader, isOffline)
        effect {
            do {
                let message = try await backend.original(id, reader, isOffline: isOffline)
                await self.tellAndPaint(.writing(.originalLoaded(number, message)), run)
            } catch {
                await self.tellAndPaint(.notice(Failures.failure(error).message), run)
            }
        }
    }

    /// The most sends that are listed.
    private static let sendsMax = 100

    private func loadDrafts(_ run: AccountRun) {
        let backend = run.backend
        let before = run.writing.last
        effect {
            await before?.value
            // An outbox that cannot be read is told of when something is written.
            guard let (drafts, sends) = try? await backend.drafts(sendsMax: TerminalProgram.sendsMax) else { return }
            await self.tellAndPaint(.writing(.draftsLoaded(drafts, sends)), run)
        }
    }

    /// Saves what was typed since the last save, for a program that ends.
    func saveLast(_ writing: (id: LocalDraftID?, content: DraftContent, mode: ConflictMode), _ run: AccountRun) async {
        await run.writing.last?.value
        do {
            if let id = writing.id {
                _ = try await run.backend.saveDraft(id, writing.content)
            } else {
                _ = try await run.backend.createDraft(writing.content, writing.mode)
            }
        } catch {
            Log.shared.note(.error, "draft not saved at the end", .account(run.account))
        }
    }

    /// Waits for what was asked for, and sends what the person wanted to be sent before the end.
    func sendLast(_ run: AccountRun) async {
        await run.writing.last?.value
        guard run.writing.sendsAtEnd, !isOffline else { return }
        let backend = run.backend
        // What does not get through in this time goes with the next run.
        let drain = Task { _ = try? await backend.drain() }
        let limit = Task {
            try? await Task.sleep(for: .seconds(20))
            drain.cancel()
        }
        await drain.value
        limit.cancel()
    }

    /// Tells how the upload of a file goes on.
    func uploadTold(_ file: DraftFileID, _ event: UploadEvent, _ run: AccountRun) {
        let now = WallClock.milliseconds()
        switch event {
        case .started(let total):
            run.writing.uploads[file] = now
            tellAndPaint(.writing(.uploading(file, UploadProgress(sent: 0, total: total, since: now, at: now))), run)
        case .progressed(let sent, let total):
            let since = run.writing.uploads[file] ?? now
            tellAndPaint(
                .writing(.uploading(file, UploadProgress(sent: sent, total: total, since: since, at: now))), run)
        case .completed, .failed:
            run.writing.uploads[file] = nil
            tellAndPaint(.writing(.uploading(file, nil)), run)
        }
    }

    private func loadAddresses(_ run: AccountRun) {
        guard let reader = run.reader else { return }
        effect {
            guard let known = try? await reader.correspondents() else { return }
            let addresses = known.map { KnownAddress(address: $0) }
            await self.tellAndPaint(.writing(.addressesLoaded(addresses)), run)
        }
    }

    private func askAddresses(_ typed: String, _ run: AccountRun) {
        let command = run.account.settings.addressCommand
        guard !command.isEmpty else { return }
        run.writing.asking?.cancel()
        run.writing.asking = effect {
            let found = await AddressCommand.ask(command, for: typed)
            if Task.isCancelled { return }
            await self.tellAndPaint(.writing(.addressesFound(typed, found)), run)
        }
    }

    private func saveText(_ content: DraftContent, as typed: String) {
        effect {
            do {
                let place = try SavePath(typed: typed, ownName: "draft.txt")
                try place.check(replaces: false)
                do throws(SystemError) {
                    try Files.replace(place.path, with: Array(DraftText(content: content).file().utf8))
                } catch {
                    throw FileFailure.writing(error, in: place.directory)
                }
                await self.applyAndPaint(.writing(.savedAs("The text is in \(place.path).")))
            } catch {
                await self.applyAndPaint(.notice(FileFailure.sentence(error)))
            }
        }
    }
}

/// What an account's writing is about.
struct WritingWork {
    /// The last thing asked for; each waits for the one before it.
    var last: Task<Void, Never>?
    /// Whether the program sends before it ends.
    var sendsAtEnd = false
    /// When the uploads under way began, in milliseconds since 1970.
    var uploads: [DraftFileID: Int64] = [:]
    /// The question to the person's program for addresses.
    var asking: Task<Void, Never>?
}
