internal import DisplayText
internal import MailModel
internal import MailText
internal import TerminalUI

/// A row of a picture in the reader.
struct PictureRow: Sendable, Hashable {
    var request: PictureRequest
    var row: Int
}

/// The rows of pictures among the lines of a message.
extension ReaderBuilder {
    private static let attachedMost = 10
    private static let attachedBytesMost = 10_000_000
    private static let attachedTypes: Set<String> = [
        "image/png", "image/jpeg", "image/jpg", "image/gif", "image/webp", "image/avif",
    ]

    /// Keeps rows behind a line for the pictures that it names.
    func addPictures(
        of line: TextLine, _ body: RenderedBody, _ message: ConversationMessage, _ state: ReaderState,
        to content: inout ReaderContent
    ) {
        guard showsPictures else { return }
        var named: Set<Int> = []
        for run in line.runs {
            guard let number = run.role.image, body.images.indices.contains(number - 1), named.insert(number).inserted
            else { continue }
            let image = body.images[number - 1]
            guard let source = source(of: image, message, state), isNew(source, in: content, message) else { continue }
            add(
                state.pictures.request(
                    source, width: image.width, height: image.height, columns: columns, rows: pictureRows),
                state, message.summary.id, to: &content)
        }
    }

    /// Keeps rows for a file that is a picture, unless the text shows it.
    func addPicture(
        of file: Attachment, at index: Int, _ body: RenderedBody?, _ message: ConversationMessage,
        _ state: ReaderState, to content: inout ReaderContent
    ) {
        let type = file.contentType.prefix { $0 != ";" }.lowercased()
        guard showsPictures, index < ReaderBuilder.attachedMost, file.sizeBytes <= ReaderBuilder.attachedBytesMost,
            ReaderBuilder.attachedTypes.contains(type),
            body?.images.contains(where: { $0.source == .inline(file.id) }) != true
        else { return }
        let request = state.pictures.request(.attachment(file.id), columns: columns, rows: pictureRows)
        add(request, state, message.summary.id, to: &content)
    }

    /// The sentence about pictures of other servers; `nil` when there is nothing to say.
    func remoteImagesText(_ message: ConversationMessage, _ body: RenderedBody?, _ state: ReaderState) -> String? {
        switch state.remote[message.summary.id] {
        case .loading: return "loading those of other servers…"
        case .failed(let sentence): return TextDisplay.sanitizedLine(sentence)
        case .loaded:
            let count = body?.remoteImages ?? 0
            let hint = showsPictures ? nil : keyNames[.togglePictures].map { "; \($0) shows pictures" }
            return count == 0 ? "there are none that can be loaded" : "\(count) of other servers, loaded\(hint ?? "")"
        case nil:
            let count = body.map { state.blockedImages(of: message, in: $0) } ?? 0
            guard count > 0 else { return nil }
            let once = keyNames[.loadImages].map { "; \($0) loads them once" } ?? ""
            let always = keyNames[.trustSender].map { ", \($0) always from this sender" } ?? ""
            return "\(count) of other servers, not loaded\(once)\(always)"
        }
    }

    /// Whether the picture's rows are not among the message's lines yet: one that is named twice is drawn once.
    private func isNew(_ source: PictureSource, in content: ReaderContent, _ message: ConversationMessage) -> Bool {
        let start = content.starts[message.summary.id] ?? 0
        return !content.lines[start...].contains { $0.picture?.request.source == source }
    }

    private func source(
        of image: ImageTarget, _ message: ConversationMessage, _ state: ReaderState
    ) -> PictureSource? {
        switch image.source {
        case .inline(let id):
            message.detail?.attachments.contains { $0.id == id } == true ? .inline(message.summary.id, id) : nil
        case .remote(let address): state.allowsRemote(message) ? .remote(address) : nil
        }
    }

    private func add(
        _ request: PictureRequest, _ state: ReaderState, _ id: MessageID, to content: inout ReaderContent
    ) {
        for row in 0..<state.pictures.rows(of: request) {
            var line = ReaderLine(pieces: [], message: id)
            line.picture = PictureRow(request: request, row: row)
            content.lines.append(line)
        }
    }
}

extension AppState {
    /// Asks for the pictures that are in sight or near, a few at a time.
    mutating func askForPictures() -> [Effect] {
        guard showsPictures, var pane = reader else { return [] }
        let rows = layout.readerRows
        let lines = pane.content.lines.dropFirst(max(0, pane.top - rows)).prefix(rows * 3)
        var effects: [Effect] = []
        for line in lines {
            guard let request = line.picture?.request, pane.pictures[request] == nil, pane.pictures.hasRoom else {
                continue
            }
            pane.pictures.ask(for: request, columns: layout.readerColumns, rows: layout.pictureRows)
            effects.append(.drawPicture(request))
        }
        if !effects.isEmpty { reader = pane }
        return effects
    }

    /// Takes a picture; rows that it does not need go, and the first line shown stays the same.
    mutating func take(_ state: PictureShelf.State, for request: PictureRequest) {
        guard var pane = reader, pane.pictures[request] == .asked else { return }
        pane.pictures.take(state, for: request)
        let kept = pane.pictures.rows(of: request)
        func isGone(_ line: ReaderLine) -> Bool {
            line.picture.map { $0.request == request && $0.row >= kept } ?? false
        }
        for id in Set(pane.content.lines.filter { $0.picture?.request == request }.compactMap(\.message)) {
            pane.revisions[id, default: 0] += 1
        }
        let gone = pane.content.lines.indices.filter { isGone(pane.content.lines[$0]) }
        pane.content.lines.removeAll(where: isGone)
        pane.content.starts = pane.content.starts.mapValues { start in start - gone.count { $0 < start } }
        pane.top -= gone.count { $0 < pane.top }
        reader = pane
    }

    /// Shows or hides pictures.
    mutating func togglePictures() {
        if !showsPictures, let sentence = picturesUnavailable {
            notice = sentence
            return
        }
        setPictures(shown: !showsPictures)
        notice = showsPictures ? "Pictures are shown." : "Pictures are hidden."
    }

    /// Shows pictures, or hides them.
    package mutating func setPictures(shown: Bool) {
        showsPictures = shown
        reader?.pictures.forgetUndrawn()
    }

    /// Asks for the addresses of the pictures of other servers, for the message acted on and this once.
    mutating func loadRemoteImages() -> [Effect] {
        guard let id = messageActedOn else { return [] }
        reader?.remote[id] = .loading
        reader?.forgetLayout(of: id)
        return [.loadRemoteImages(id)]
    }

    /// Asks to load the sender's images of other servers from now on, when the key is pressed twice.
    mutating func trustSender(wasArmed: MessageID?) -> [Effect] {
        guard let id = messageActedOn, let message = reader?.messages.first(where: { $0.summary.id == id }) else {
            return []
        }
        if wasArmed == id { return [.trustSender(id)] + loadRemoteImages() }
        armedTrust = id
        let sender = TextDisplay.sanitizedLine(message.summary.fromAddress)
        let key = keyMap.keys(of: .trustSender, in: .reader).first?.text ?? "Once more"
        notice = "\(key) again: images of \(sender) always load, in every client and for good."
        return []
    }

    /// Takes the text with the addresses of pictures, or why there is none.
    mutating func take(_ images: RemoteImages, for id: MessageID) {
        guard reader?.remote[id] == .loading else { return }
        reader?.remote[id] = images
        reader?.forgetLayout(of: id)
    }

    /// Why the pictures of other servers cannot be loaded now; `nil` when they can.
    var remoteImagesReason: String? {
        guard let pane = reader, let id = messageActedOn,
            let message = pane.messages.first(where: { $0.summary.id == id })
        else { return "Unfold a message first." }
        switch pane.remote[id] {
        case .loading, .loaded: return "The pictures of this message were asked for already."
        case .failed, nil: break
        }
        guard let body = pane.laidOut(id, columns: layout.readerColumns),
            pane.blockedImages(of: message, in: body) > 0
        else { return "This message has no pictures of other servers to load." }
        return sync.isOffline ? "Pictures cannot be loaded while offline." : nil
    }

    /// Draws a row of a picture.
    func draw(_ picture: PictureRow, in grid: inout Grid, row: Int, column: Int, columnsMax: Int) {
        switch reader?.pictures[picture.request] {
        case .drawn(let drawn):
            guard picture.row < drawn.rows else { return }
            if let image = drawn.image {
                grid.showPicture(
                    image, of: Size(columns: drawn.columns, rows: drawn.rows), pictureRow: picture.row, row: row,
                    column: column, columnsMax: columnsMax)
                return
            }
            for at in 0..<min(drawn.columns, columnsMax, grid.size.columns - column) {
                grid[row, column + at] = drawn.cells[picture.row * drawn.columns + at]
            }
        case .failed(let sentence):
            let text = TextDisplay.sanitizedLine(sentence)
            grid.write(text, row: row, column: column, style: Style(dim: true), columnsMax: columnsMax)
        case .asked, nil:
            guard picture.row == 0 else { return }
            grid.write("…", row: row, column: column, style: Style(dim: true), columnsMax: columnsMax)
        }
    }
}

extension AppState {
    /// The keys that sentences about pictures name.
    var pictureKeyNames: [ActionID: String] {
        [.togglePictures, .loadImages, .trustSender].reduce(into: [:]) { names, id in
            names[id] = keyMap.keys(of: id, in: .reader).first?.text
        }
    }
}
