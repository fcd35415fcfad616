internal import MailModel
internal import MailStorage
internal import MailText
internal import MailUI
internal import Platform
internal import TerminalDriver

/// What the terminal program keeps for work on files.
struct FileWork {
    /// Saves files of the account shown.
    var saver: FileSaver
    /// The private directory of opened files, once one was opened.
    var opened: OpenedFiles?
    /// The work under way.
    var task: Task<Void, Never>?

    init(saver: FileSaver) { self.saver = saver }

    /// What saves files of an account and tells how far it is.
    static func saver(_ backend: Backend) -> FileSaver {
        FileSaver(source: { try await backend.attachments() }) { progress in
            Task(executorPreference: UILoop.shared) { await Running.program?.filesProgressed(progress) }
        }
    }
}

/// Saving and opening.
extension TerminalProgram {
    func save(_ request: FileRequest) {
        let run = current
        startFileWork { program in
            do {
                let (directory, sentence) = try await program.save(request, run)
                program.applyAndPaint(.filesSaved(directory: directory, sentence))
            } catch FileFailure.exists {
                program.applyAndPaint(.fileExists(request))
            } catch is CancellationError {
                program.applyAndPaint(.filesSaved(directory: nil, FileFailure.sentence(CancellationError())))
            } catch {
                program.applyAndPaint(.fileFailed(request, FileFailure.sentence(error)))
            }
        }
    }

    /// Does the work; answers the directory and what to tell.
    private func save(_ request: FileRequest, _ run: AccountRun) async throws -> (String, String) {
        let saver = run.saver
        switch request.subject {
        case .message(let id):
            let message = try await wholeMessage(id, run)
            let place = try SavePath(
                typed: request.path, ownName: SafeFileName.of(message.summary.subject + ".txt", fallback: "message.txt")
            )
            let ending = SafeFileName.split(place.name).ending.lowercased()
            let isHTML = ending == ".html" || ending == ".htm"
            let bytes = isHTML ? MessageFile.html(message) : MessageFile.text(message)
            guard let bytes else {
                throw FileFailure.refused("This message has no HTML. A name ending in .txt saves its text.")
            }
            try await saver.save(bytes, to: place, replaces: request.replaces)
            return (shown(place.directory), "Saved as \(shown(place.path)).")
        case .attachment(_, let attachment):
            try checkOnline()
            let place = try SavePath(typed: request.path, ownName: SafeFileName.of(attachment.filename))
            try await saver.save(attachment, to: place, replaces: request.replaces)
            return (shown(place.directory), "Saved as \(shown(place.path)).")
        case .attachments(_, let attachments):
            try checkOnline()
            // The name is a stand-in: each file has its own.
            let directory = try SavePath(typed: request.path + "/", ownName: "files").directory
            let report = try await saver.save(attachments, into: directory)
            let count = "\(report.saved) of \(attachments.count)"
            guard let failure = report.failure else {
                return (
                    shown(directory),
                    "Saved \(report.saved == 1 ? "one file" : "\(report.saved) files") into \(shown(directory))."
                )
            }
            return (shown(directory), "Saved \(count) files. \(failure)")
        }
    }

    func openAttachment(_ attachment: Attachment) {
        let saver = files.saver
        startFileWork { program in
            do {
                let (directory, path) = try await program.fetchForOpening(attachment, with: saver)
                guard !FileDanger.isDangerous(try Files.readRegular(path, bytesMax: 4_096)) else {
                    Files.removeTree(directory)
                    throw FileFailure.refused(FileWork.dangerSentence)
                }
                program.applyAndPaint(.filesProgressed(nil))
                try await program.show(path, type: attachment.contentType)
            } catch {
                program.applyAndPaint(.filesSaved(directory: nil, FileFailure.sentence(error)))
            }
        }
    }

    private func fetchForOpening(_ attachment: Attachment, with saver: FileSaver) async throws -> (String, String) {
        guard !FileDanger.isDangerous(name: attachment.filename, type: attachment.contentType) else {
            throw FileFailure.refused(FileWork.dangerSentence)
        }
        try checkOnline()
        let opened = try files.opened ?? OpenedFiles(below: OpenedFiles.base(account.places))
        files.opened = opened
        let directory = try opened.makePlace()
        do {
            let name = try await saver.fetch(
                attachment, into: directory, name: SafeFileName.forCommand(attachment.filename))
            return (directory, directory + "/" + name)
        } catch {
            Files.removeTree(directory)
            throw error
        }
    }

    /// Shows a file of the private directory.
    private func show(_ path: String, type: String) async throws {
        switch await FileOpener.current(account.places).plan(path: path, type: type) {
        case nil:
            throw FileFailure.refused("No program here shows files of the type \(FileDanger.bare(type)). S saves it.")
        case .window(let arguments, let input):
            let child = try ChildProcess(arguments, input: input.map { .file($0) } ?? .nothing)
            watchOpener(child, name: arguments.first ?? "")
            applyAndPaint(.notice("Opened in another window; the copy goes when Herald ends. S saves the file."))
        case .terminal(let arguments, let input):
            try lendTerminal(to: arguments, input: input.map { .file($0) } ?? .terminal, waitsForKey: false)
        }
    }

    /// Tells when a program that was to show a file failed; nobody waits for it.
    private func watchOpener(_ child: ChildProcess, name: String) {
        Task(executorPreference: UILoop.shared) {
            let ending = await child.ended()
            guard !ending.isSuccess else { return }
            let program = name == "xdg-open" ? name : "The program for this type"
            await self.applyAndPaint(.notice("\(program) \(ending.words). S saves the file."))
        }
    }

    func completePath(_ typed: String) {
        effect {
            let (text, candidates) = PathCompletion.complete(typed)
            await self.applyAndPaint(.pathCompleted(typed, text: text, candidates: candidates))
        }
    }

    func cancelFiles() { files.task?.cancel() }

    func filesProgressed(_ progress: FileProgress) {
        guard files.task != nil else { return }
        applyAndPaint(.filesProgressed(progress))
    }

    /// Removes opened files that a program left behind which is no longer there.
    func sweepOpenedFiles() {
        let base = OpenedFiles.base(account.places)
        let backend = backend
        effect { await backend.sweepOpenedFiles(base) }
    }

    /// Ends the work on files and waits for it; opened ones go.
    func endFiles() async {
        files.task?.cancel()
        await files.task?.value
        files.opened?.remove()
    }

    private func startFileWork(_ work: @escaping @UIActor (TerminalProgram) async -> Void) {
        guard files.task == nil else {
            return applyAndPaint(.notice("Another file is being saved. Try again when that is done."))
        }
        files.task = effect {
            await work(self)
            await self.fileWorkEnded()
        }
    }

    /// Takes back progress that was told just before the end and arrived after it.
    private func fileWorkEnded() {
        files.task = nil
        applyAndPaint(.filesProgressed(nil))
    }

    private func checkOnline() throws(FileFailure) {
        guard isOffline else { return }
        throw .refused("Attachments are not kept here, and cannot be fetched while offline.")
    }

    /// A path as the person would type it.
    private func shown(_ path: String) -> String {
        guard let home = Environment.value("HOME"), path == home || path.hasPrefix(home + "/") else { return path }
        return "~" + path.dropFirst(home.count)
    }

    /// A message with its text and HTML, fetched when they are not here.
    func wholeMessage(_ id: MessageID, _ run: AccountRun) async throws -> ConversationMessage {
        guard let reader = run.reader, let known = try await reader.message(id) else {
            throw FileFailure.refused("This message is no longer there.")
        }
        if known.isWhole { return known }
        guard !isOffline else { throw FileFailure.refused("This text was not fetched before going offline.") }
        try await run.backend.fetchBodies([id])
        guard let fetched = try await reader.message(id), fetched.detail != nil else {
            throw FileFailure.refused("The server no longer has this message.")
        }
        return fetched
    }
}

extension FileWork {
    static let dangerSentence = "This is a program or leads to one. It is not opened; S saves it."
}

extension ConversationMessage {
    /// Whether nothing of its body is missing.
    fileprivate var isWhole: Bool {
        guard let detail else { return false }
        return !detail.htmlAvailable || html != nil
    }
}
