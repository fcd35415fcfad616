internal import MailModel
internal import MailText

/// What is known of the pictures of the open conversation.
struct PictureShelf: Sendable, Hashable {
    /// How far a picture is.
    enum State: Sendable, Hashable {
        case asked
        case drawn(CellPicture)
        /// It cannot be shown; the sentence says why.
        case failed(String)
    }

    private struct PixelSize: Sendable, Hashable {
        var width: Int
        var height: Int
    }

    /// What was asked for and what came.
    private(set) var states: [PictureRequest: State] = [:]
    /// Sizes that pictures turned out to have, so that the next layout knows them.
    private var sizes: [PictureSource: PixelSize] = [:]

    /// The room that requests were made for; one that was made stays while the room does, so that nothing jumps.
    private var room: Room?
    private var settled: [PictureSource: PictureRequest] = [:]

    private struct Room: Sendable, Hashable {
        var columns: Int
        var rows: Int
    }

    /// The pixels that a cell stands for.
    private static let cell = (width: 8, height: 16)
    /// The rows kept for a picture of unknown size.
    private static let unknownRows = 8
    private static let widest = 120
    /// More than this many are not drawn at a time.
    private static let mostAsked = 6
    private static let mostKept = 200

    subscript(request: PictureRequest) -> State? { states[request] }

    /// Whether one more picture may be asked for.
    var hasRoom: Bool { states.values.count { $0 == .asked } < PictureShelf.mostAsked }

    /// Notes that a picture was asked for; `columns` and `rows` are the most there is room for.
    mutating func ask(for request: PictureRequest, columns: Int, rows: Int) {
        let now = Room(columns: columns, rows: rows)
        if now != room { (room, settled) = (now, [:]) }
        // Pictures of many widths and messages; those in sight are asked for again.
        if states.count >= PictureShelf.mostKept { states = states.filter { $0.value == .asked } }
        settled[request.source] = request
        states[request] = states[request] ?? .asked
    }

    /// Takes what came of a request.
    mutating func take(_ state: State, for request: PictureRequest) {
        states[request] = state
        guard case .drawn(let picture) = state else { return }
        sizes[request.source] = PixelSize(width: picture.width, height: picture.height)
    }

    /// Forgets what is not drawn, so that it is asked for again.
    mutating func forgetUndrawn() {
        settled = [:]
        states = states.filter { if case .drawn = $0.value { true } else { false } }
    }

    /// Forgets pictures that are drawn, so that they are drawn anew.
    mutating func forget(where isGone: (CellPicture) -> Bool) {
        states = states.filter { if case .drawn(let picture) = $0.value { !isGone(picture) } else { true } }
    }

    /// The rows that a request takes: what came of it, or what is kept for it.
    func rows(of request: PictureRequest) -> Int {
        switch states[request] {
        case .drawn(let picture): picture.rows
        case .failed: 1
        case .asked, nil: request.rows
        }
    }

    /// The room for a picture, from the size it has, else the one its sender asks for.
    func request(
        _ source: PictureSource, width: Int? = nil, height: Int? = nil, columns: Int, rows: Int
    ) -> PictureRequest {
        if room == Room(columns: columns, rows: rows), let known = settled[source] { return known }
        let most = (columns: max(1, min(columns, PictureShelf.widest)), rows: max(1, rows))
        let known = sizes[source]
        guard let pixels = known ?? PictureShelf.size(width, height) else {
            return PictureRequest(source: source, columns: most.columns, rows: min(most.rows, PictureShelf.unknownRows))
        }
        var scale = min(
            1, Double(most.columns * PictureShelf.cell.width) / Double(pixels.width),
            Double(most.rows * PictureShelf.cell.height) / Double(pixels.height))
        // A sender may ask for less than the picture has.
        if let width, known != nil { scale = min(scale, Double(width) / Double(pixels.width)) }
        func cells(_ pixels: Int, _ cell: Int, _ most: Int) -> Int {
            max(1, min(most, Int(Double(pixels) * scale / Double(cell) + 0.5)))
        }
        return PictureRequest(
            source: source, columns: cells(pixels.width, PictureShelf.cell.width, most.columns),
            rows: cells(pixels.height, PictureShelf.cell.height, most.rows))
    }

    private static func size(_ width: Int?, _ height: Int?) -> PixelSize? {
        guard let width, let height else { return nil }
        return PixelSize(width: width, height: height)
    }
}

/// What became of the wish to see a message's pictures of other servers.
enum RemoteImages: Sendable, Hashable {
    case loading
    /// The text with the addresses of its pictures.
    case loaded(MessageHTML)
    /// The sentence says why not.
    case failed(String)
}

extension ReaderState {
    /// The HTML to show of a message: with the addresses of pictures once the person asked for them.
    func html(of message: ConversationMessage) -> MessageHTML? {
        if case .loaded(let html) = remote[message.summary.id] { return html }
        return message.html
    }

    /// Whether pictures of other servers may be fetched for a message.
    ///
    /// The server also trusts everything a person sent, which may be somebody else's text that was passed on.
    func allowsRemote(_ message: ConversationMessage) -> Bool {
        if case .loaded = remote[message.summary.id] { return true }
        return message.summary.direction == .inbound && message.html?.remoteMediaTrusted == true
    }

    /// How many pictures of other servers the message has that are not loaded.
    func blockedImages(of message: ConversationMessage, in body: RenderedBody) -> Int {
        guard !allowsRemote(message), let html = message.html else { return 0 }
        return html.blockedImages + body.remoteImages
    }

    /// Forgets how a message was laid out.
    mutating func forgetLayout(of id: MessageID) {
        bodies = bodies.filter { $0.key.message != id }
        revisions[id, default: 0] += 1
    }
}

extension RenderedBody {
    /// How many pictures have addresses on other servers.
    var remoteImages: Int {
        images.count { if case .remote = $0.source { true } else { false } }
    }
}
