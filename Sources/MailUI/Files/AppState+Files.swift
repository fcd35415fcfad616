internal import DisplayText
internal import MailModel
internal import MailText
internal import TerminalUI

/// Saving, opening and piping.
extension AppState {
    /// The actions of the reader that have to do with files; `nil` for all others.
    mutating func performFiles(_ id: ActionID) -> [Effect]? {
        guard let message = currentMessage else { return nil }
        switch id {
        case .attachments:
            files.menu = AttachmentMenu(message: message.summary.id)
        case .saveMessage:
            let path = suggestedPath(AppState.fileName(of: message))
            files.prompt = FilePrompt(.save(.message(message.summary.id)), path)
        case .pipe:
            files.prompt = FilePrompt(.pipe(message.summary.id), "")
        default:
            return nil
        }
        return []
    }

    mutating func performInAttachments(_ id: ActionID) -> [Effect] {
        guard var menu = files.menu else { return [] }
        let list = menuFiles
        if let count, [.openAttachment, .saveAttachment].contains(id) {
            guard list.indices.contains(count - 1) else {
                notice = "There is no attachment \(count)."
                return [.bell]
            }
            menu.selected = count - 1
            files.menu = menu
        }
        guard list.indices.contains(menu.selected) else {
            files.menu = nil
            return []
        }
        let file = list[menu.selected]
        switch id {
        case .openAttachment: return [.openAttachment(menu.message, file)]
        case .saveAttachment:
            let path = suggestedPath(SafeFileName.of(file.filename))
            files.prompt = FilePrompt(.save(.attachment(menu.message, file)), path)
        case .saveAll:
            files.prompt = FilePrompt(.save(.attachments(menu.message, list)), files.directory)
        default:
            let last = list.count - 1
            guard let moved = Scroll.moved(menu.selected, by: id, page: max(1, last), last: last, count: count)
            else {
                files.menu = nil
                return []
            }
            files.menu?.selected = moved
        }
        return []
    }

    /// Takes a key while a path or command is typed.
    mutating func handleFilePrompt(_ input: InputEvent) -> [Effect] {
        guard var line = files.prompt else { return [] }
        notice = nil
        if let request = line.question { return answer(input, request, line) }
        switch input {
        case .key(.escape, _), .key(.character("c"), .control), .key(.character("g"), .control):
            files.prompt = nil
            return []
        case .key(.enter, _): return finish(line)
        case .key(.tab, _):
            guard case .save = line.purpose else { return [] }
            return [.completePath(line.editor.text)]
        default: break
        }
        if let command = recalled(by: input, for: line) {
            line.editor.replace(with: command)
            files.prompt = line
            return []
        }
        let outcome = line.editor.take(input)
        if outcome == .edited { line.candidates = [] }
        files.prompt = line
        return []
    }

    /// The command that a key brings back: the last one by going up, none by going down; `nil` for all other keys.
    private func recalled(by input: InputEvent, for line: FilePrompt) -> String? {
        guard case .pipe = line.purpose, !files.lastCommand.isEmpty else { return nil }
        switch input {
        case .key(.up, _), .key(.character("p"), .control): return files.lastCommand
        case .key(.down, _), .key(.character("n"), .control): return ""
        default: return nil
        }
    }

    /// Takes the answer to whether a file may be replaced; all but `y` means that it may not.
    private mutating func answer(_ input: InputEvent, _ request: FileRequest, _ line: FilePrompt) -> [Effect] {
        switch input {
        case .key(.character("y"), []), .key(.character("Y"), _):
            files.prompt = nil
            var replacing = request
            replacing.replaces = true
            return [.save(replacing)]
        case .key:
            files.prompt?.question = nil
            notice = "Nothing was replaced. Choose another name."
            return []
        default: return []
        }
    }

    private mutating func finish(_ line: FilePrompt) -> [Effect] {
        let text = line.editor.text
        guard text.contains(where: { !$0.isWhitespace }) else {
            files.prompt = nil
            return []
        }
        files.prompt = nil
        switch line.purpose {
        case .save(let subject):
            if let reason = busyReason {
                notice = reason
                return [.bell]
            }
            return [.save(FileRequest(subject, path: text))]
        case .pipe(let message):
            files.lastCommand = text
            return [.pipe(message, command: text)]
        }
    }

    /// Why no other file can be saved or opened now.
    var busyReason: String? {
        files.progress == nil ? nil : "Another file is being fetched. Esc ends that."
    }

    /// Takes what became of work on files.
    mutating func takeFileEvent(_ event: AppEvent) {
        switch event {
        case .filesProgressed(let progress):
            files.progress = progress
        case .filesSaved(let directory, let sentence):
            files.progress = nil
            if let directory { files.directory = directory }
            notice = sentence
        case .fileExists(let request):
            files.progress = nil
            guard files.prompt == nil else {
                notice = "A file of this name is there already. Nothing was saved."
                return
            }
            files.prompt = FilePrompt(.save(request.subject), request.path)
            files.prompt?.question = request
        case .fileFailed(let request, let sentence):
            files.progress = nil
            if files.prompt == nil { files.prompt = FilePrompt(.save(request.subject), request.path) }
            notice = sentence
        case .pathCompleted(let typed, let text, let candidates):
            if writing.composer?.prompt?.editor.text == typed {
                return takeCompletion(typed, text: text, candidates: candidates)
            }
            guard files.prompt?.editor.text == typed else { return }
            if text != typed { files.prompt?.editor.replace(with: text) }
            files.prompt?.candidates = candidates
            if candidates.isEmpty, text == typed { notice = "No file or directory begins so." }
        default: break
        }
    }
}
