internal import MailModel
internal import MailOutbox
internal import MailStorage
internal import MailUI
internal import Platform

/// Files of drafts, and sends.
extension TerminalProgram {
    func performDraftWork(_ effect: WritingEffect, _ run: AccountRun) {
        let backend = run.backend
        switch effect {
        case .attach(let number, let id, let path):
            write(run) {
                do {
                    let (draft, sentence) = try await backend.attach(path, to: id)
                    guard let draft else { return [.notAttached(number, sentence)] }
                    return [.filesChanged(number, draft, sentence)]
                } catch {
                    return [.notAttached(number, "Nothing was attached. " + Failures.failure(error).message)]
                }
            }
        case .detach(let number, let id, let file):
            write(run) {
                let draft = try await backend.detach(file, from: id)
                return draft.map { [.filesChanged(number, $0, "Taken off.")] } ?? []
            }
        case .setMode(_, let id, let mode):
            write(run) {
                try await backend.setMode(mode, of: id)
                return []
            }
        case .resolve(let number, let id, let choice):
            write(run) { try await backend.resolve(id, choice).map { [.resolved(number, $0)] } ?? [] }
        case .closed(let id):
            write(run) {
                await backend.endWriting(id)
                return []
            }
        default: break
        }
    }

    func performSending(_ effect: WritingEffect, _ run: AccountRun) {
        let (backend, reader) = (run.backend, run.reader)
        switch effect {
        case .queueSend(let number, let id, let thread):
            write(run) {
                do {
                    let newest = thread == nil ? nil : try await reader?.conversation(thread ?? ThreadID(""))
                    let seen = newest?.last { $0.summary.direction == .outbound }?.summary.id
                    guard let send = try await backend.queueSend(id, seen: seen) else {
                        return [.notQueued(number, "Not sent: the draft is no longer there.")]
                    }
                    return [.sendQueued(number, send)]
                } catch {
                    return [.notQueued(number, "Not sent. " + Failures.failure(error).message)]
                }
            }
        case .takeBack(let number, let id):
            write(run) {
                guard let draft = try await backend.takeBack(id) else {
                    return [.notTakenBack(id, "It is too late to take it back; it is being sent, or was sent.")]
                }
                let original = draft.content.origin.original
                let message = original == nil ? nil : try await reader?.message(original ?? MessageID(""))
                return [.takenBack(number, id, draft, message?.detail)]
            }
        case .sendNow(let id):
            run.writing.sendsAtEnd = true
            write(run) {
                _ = try await backend.sendNow(id)
                return []
            }
        case .sendAgain(let id):
            settle(run) {
                if try await backend.sendAgain(id) { return true }
                return try await backend.sendNow(id)
            }
        case .keepAsDraft(let id): settle(run) { try await backend.keepAsDraft(id) }
        case .declareSent(let id): settle(run) { try await backend.declareSent(id) }
        default: break
        }
    }

    /// Does what the person says to a send, and shows what became of it.
    private func settle(_ run: AccountRun, _ work: @escaping @Sendable () async throws -> Bool) {
        write(run) {
            let isDone = try await work()
            await self.performWriting(.loadDrafts, run)
            if !isDone { await self.tellAndPaint(.notice("It is being sent, or is done already."), run) }
            return []
        }
    }
}

extension Backend {
    /// Takes a send back; answers its draft, or `nil` when it is too late.
    func takeBack(_ id: SendID) async throws -> LocalDraft? {
        let store = try current().outbox.store()
        guard let send = try await store.send(id), try await cancelSend(id) else { return nil }
        return try await store.draft(send.draft)
    }
}
