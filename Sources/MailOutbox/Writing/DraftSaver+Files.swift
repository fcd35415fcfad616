internal import MailAPI
package import MailModel
internal import MailStorage

/// The files of drafts: taken off and uploaded one after the other, since the server checks the total with each.
extension DraftSaver {
    /// Takes off or uploads the next file that was not tried in this drain; `false` when there is none.
    func saveNextFile() async throws -> Bool {
        guard report.ending == nil else { return false }
        for id in try await store.draftsDue(now: now()) {
            guard let draft = try await store.draft(id), let server = draft.server, !draft.isDiscarded else { continue }
            for file in try await store.removedFiles(of: id) where triedFiles.insert(file.id).inserted {
                try await takeOff(file, of: server.id, draft: id)
                return true
            }
            for file in try await store.uploadsDue(of: id, now: now()) where triedFiles.insert(file.id).inserted {
                try await bring(file, to: server.id, of: draft)
                return true
            }
        }
        return false
    }

    /// Takes a file off the server's draft; one that may have arrived without an answer is looked for first.
    private func takeOff(_ file: RemovedFile, of server: DraftID, draft: LocalDraftID) async throws {
        do {
            var attachment = file.attachment
            if attachment == nil {
                attachment = try await arrived(file.filename, file.sizeBytes, on: server, of: draft)?.id
            }
            if let attachment {
                guard try await !mayBeShared(server) else {
                    // The mail keeps the server's draft with its files, and what is written here becomes a new one.
                    try await store.keepServerDraft(server)
                    return try await store.renewDraft(draft)
                }
                try await api.deleteAttachment(attachment, of: server)
            }
            report.saved += 1
        } catch let failure as WriteFailure {
            let known = DraftMachine.failure(failure, attempts: 1)
            if known.endsDrain { report.end(DrainEnding(known.code, error: failure.error)) }
            // What is refused for good is off already, or out of reach.
            if case .retry = known.outcome { return }
            if known.outcome == .block(.credentialRefused) { return }
        }
        try await store.forgetFile(file.id)
    }

    /// The file of the server's draft that has a name and a length and that no row knows; `nil` for none.
    private func arrived(
        _ filename: String, _ sizeBytes: Int, on server: DraftID, of draft: LocalDraftID
    ) async throws -> DraftAttachment? {
        let known = try await store.attachments(of: draft)
        let name = DraftSpool.asStored(filename)
        return try await api.draft(server).attachments.first {
            $0.filename == name && $0.sizeBytes == sizeBytes && !known.contains($0.id)
        }
    }

    /// Uploads a file, after a look at what the server has when it was tried before.
    private func bring(_ file: DraftFile, to server: DraftID, of draft: LocalDraft) async throws {
        do {
            if case .retrying = file.state {
                if let found = try await arrived(file.filename, file.sizeBytes, on: server, of: draft.id) {
                    if file.lastFailure != FailureCode.serverFailed.rawValue {
                        return try await finish(file, of: draft.id, as: found)
                    }
                    // The server notes a file before it has the bytes; one that it failed at may have none.
                    try await deleteIfThere(found.id, of: server)
                }
            }
            guard let path = spool.path(of: file) else { return try await refuse(file, of: draft.id, .copyGone) }
            guard try await store.claimUpload(file.id) else { return }
            tell(.upload(file.id, draft.id, .started(total: file.sizeBytes)))
            try await finish(file, of: draft.id, as: try await send(file, path, to: server, of: draft.id))
        } catch let failure as WriteFailure {
            try await failed(file, of: draft.id, failure)
        } catch is CancellationError {
            // The person took it off, or the program ends; what arrived of it is looked for.
            try await store.failUpload(file.id, failure: FailureCode.interrupted.rawValue, isRefused: false)
            tell(.upload(file.id, draft.id, .failed(code: FailureCode.interrupted.rawValue)))
        }
    }

    private func deleteIfThere(_ attachment: AttachmentID, of server: DraftID) async throws {
        do {
            try await api.deleteAttachment(attachment, of: server)
        } catch let failure as WriteFailure where failure.code == "ATTACHMENT_NOT_FOUND" {
            return
        }
    }

    private func send(
        _ file: DraftFile, _ path: String, to server: DraftID, of draft: LocalDraftID
    ) async throws -> DraftAttachment {
        let (api, tell) = (api, tell)
        let task = Task {
            try await api.upload(
                path: path, filename: file.filename, contentType: file.contentType, sizeBytes: file.sizeBytes,
                to: server
            ) { tell(.upload(file.id, draft, .progressed(sent: $0, total: file.sizeBytes))) }
        }
        upload = (file.id, task)
        defer { upload = nil }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func finish(_ file: DraftFile, of draft: LocalDraftID, as attachment: DraftAttachment) async throws {
        try await store.finishUpload(file.id, as: attachment.id, at: now())
        report.saved += 1
        tell(.upload(file.id, draft, .completed(total: file.sizeBytes)))
    }

    private func refuse(_ file: DraftFile, of draft: LocalDraftID, _ obstacle: DraftObstacle) async throws {
        try await store.failUpload(file.id, failure: obstacle.rawValue, isRefused: true)
        tell(.upload(file.id, draft, .failed(code: obstacle.rawValue)))
    }

    private func failed(_ file: DraftFile, of draft: LocalDraftID, _ failure: WriteFailure) async throws {
        if failure.isOfTheFile { return try await refuse(file, of: draft, .copyGone) }
        if failure.status == 413 { return try await refuse(file, of: draft, .tooLarge) }
        let known = DraftMachine.failure(failure, attempts: 1)
        let wait = failure.retryAfterMilliseconds ?? DraftMachine.wait(attempts: 1)
        let notBefore: Int64? = known.code == .rateLimited ? now() + wait : nil
        if known.endsDrain { report.end(DrainEnding(known.code, error: failure.error, notBefore: notBefore)) }
        switch known.outcome {
        case .gone:
            try await renew(draft, file.id)
        case .block(.refused), .block(.conflictUnresolved), .conflict:
            try await store.failUpload(file.id, failure: known.code.rawValue, isRefused: true)
        case .block(.credentialRefused), .retry:
            try await store.failUpload(file.id, failure: known.code.rawValue, isRefused: false, notBefore: notBefore)
        }
        tell(.upload(file.id, draft, .failed(code: known.code.rawValue)))
    }

    /// Ends the upload of a file, when it is under way.
    package func cancelUpload(_ file: DraftFileID) {
        if upload?.file == file { upload?.task.cancel() }
    }
}
