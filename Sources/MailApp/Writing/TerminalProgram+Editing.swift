internal import Glibc
internal import MailCompose
internal import MailModel
internal import MailUI
internal import Platform
internal import TerminalDriver

/// Writing in another program, which has the terminal meanwhile.
extension TerminalProgram {
    func edit(_ number: Int, _ id: LocalDraftID, _ content: DraftContent, context: String, _ run: AccountRun) {
        guard let command = EditorCommand.current else {
            return tell(.writing(.notEdited(number, "Neither $VISUAL nor $EDITOR names an editor.")), run)
        }
        let backend = run.backend
        effect {
            let files = await backend.writingFiles
            do {
                try await backend.writeForEditing(id, content, context: context)
                let arguments = EditorCommand.arguments(command, path: files.path(id))
                try await self.lendTerminal(to: arguments, input: .terminal, waitsForKey: false) { ending in
                    self.edited(number, id, content, ending, run)
                }
            } catch let error as SystemError {
                await self.tellAndPaint(.writing(.notEdited(number, EditingText.cannotWrite(error))), run)
            } catch {
                await self.tellAndPaint(.writing(.notEdited(number, FileFailure.sentence(error))), run)
            }
        }
    }

    /// Takes over what the editor wrote: also after its crash, but not when it ended with a status that says no.
    private func edited(
        _ number: Int, _ id: LocalDraftID, _ former: DraftContent, _ ending: ChildProcess.Ending, _ run: AccountRun
    ) {
        let backend = run.backend
        if case .exited(let status) = ending, status != 0 {
            let sentence = EditingText.saidNo(status)
            return write(run) {
                await backend.giveUpEdited(id)
                return [.notEdited(number, sentence)]
            }
        }
        write(run) {
            do {
                let text = try await backend.takeEdited(id, former: former)
                return [.edited(number, text.content, files: text.files)]
            } catch let fault as DraftTextFault {
                return [.notEdited(number, EditingText.fault(fault))]
            } catch let error as SystemError {
                return [.notEdited(number, "What the editor wrote cannot be read: \(error.message).")]
            } catch {
                // The file stays, and with it what was written.
                return [.notEdited(number, Failures.failure(error).message + " Edit again to go on where you were.")]
            }
        }
    }

    /// Takes over what editors wrote before an earlier run was cut off.
    func recoverEdited(_ run: AccountRun) {
        let backend = run.backend
        let places = ["/writing", "/open-drafts"].map { run.account.stateDirectory + $0 }
        guard places.contains(where: Files.isDirectory) else { return }
        write(run) {
            let count = max(try await backend.recoverEdited(), try await backend.unfinishedDrafts())
            return count > 0 ? [.unfinished(count)] : []
        }
    }
}

extension Backend {
    func giveUpEdited(_ id: LocalDraftID) {
        do {
            try writingFiles.giveUp(id)
        } catch {
            // The next start takes it over then: better twice than not at all.
            Log.shared.note(.error, "file of an editor not set aside", .account(account))
        }
    }

    func writeForEditing(_ id: LocalDraftID, _ content: DraftContent, context: String) throws {
        try account.makeDirectories()
        try writingFiles.write(id, content, context: context)
    }
}

/// What is told of writing in another program.
enum EditingText {
    static func cannotWrite(_ error: SystemError) -> String {
        switch error.code {
        case ENOSPC, EDQUOT: "The disk is full, so there is no file for the editor. The text is as before."
        default: "There is no file for the editor: \(error.message). The text is as before."
        }
    }

    static func saidNo(_ status: Int32) -> String {
        status == 127 || status == 126
            ? "The editor could not be started. $VISUAL and $EDITOR name it."
            : "The editor ended with status \(status), so the text is as before. Edit again to see what it wrote."
    }

    static func fault(_ fault: DraftTextFault) -> String { fault.message + " Edit again to go on where you were." }
}
