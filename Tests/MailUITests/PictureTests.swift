import MailModel
import MailUI
import TerminalUI
import Testing

/// Pictures in the reader.
struct PictureTests {
    private static let inline = "<img src=\"http://o.example/api/v1/messages/m-a/inline/a1\" alt=\"lake\">"

    private static func reading(
        _ html: String, isTrusted: Bool = false, direction: Direction = .inbound, hasRemote: Bool = false,
        shows: Bool = true, columns: Int = 80, rows: Int = 24
    ) -> (AppState, [Effect]) {
        var message = Fixture.message("a", text: "")
        message.summary.direction = direction
        message.detail?.htmlAvailable = true
        message.detail?.attachments = [
            Attachment(
                id: AttachmentID("a1"), filename: "lake.png", contentType: "image/png", sizeBytes: 9_000,
                contentID: "<x>"),
            Attachment(
                id: AttachmentID("a2"), filename: "b.JPG", contentType: "Image/JPEG; x=y", sizeBytes: 9_000,
                contentID: nil),
            Attachment(
                id: AttachmentID("a3"), filename: "c.pdf", contentType: "application/pdf", sizeBytes: 9, contentID: nil),
            Attachment(
                id: AttachmentID("a4"), filename: "d.png", contentType: "image/png", sizeBytes: 99_000_000,
                contentID: nil),
        ]
        message.html = MessageHTML(
            html: html, quotedHTML: nil, afterQuotedHTML: nil, hasRemoteImages: hasRemote, remoteMediaTrusted: isTrusted
        )
        var state = Fixture.state(columns: columns, rows: rows, [Fixture.row("a")])
        state.showsPictures = shows
        var effects = state.update(.input(.plain(.enter)))
        effects += state.update(.conversationLoaded(ThreadID("a"), [message]))
        return (state, effects)
    }

    private static func requests(_ effects: [Effect]) -> [PictureRequest] {
        effects.compactMap { if case .drawPicture(let request) = $0 { request } else { nil } }
    }

    private static func drawn(_ request: PictureRequest, columns: Int = 6, rows: Int = 2) -> AppEvent {
        let cell = Cell(text: "▀", style: Style(foreground: Color(200), background: Color(17)))
        return .pictureDrawn(
            request,
            CellPicture(
                width: columns * 8, height: rows * 16, columns: columns, rows: rows,
                cells: Array(repeating: cell, count: columns * rows)))
    }

    /// Fails when a picture is not asked for where it is in sight, or drawn into other cells than its own.
    @Test func `a picture in sight is asked for and drawn under its words`() {
        var (state, effects) = Self.reading("<p>Look: \(Self.inline)</p><p>After.</p>", rows: 40)
        let requests = Self.requests(effects)
        #expect(
            requests.map(\.source) == [.inline(MessageID("m-a"), AttachmentID("a1")), .attachment(AttachmentID("a2"))])
        let before = state.screen.split(separator: "\n", omittingEmptySubsequences: false)
        let words = before.firstIndex { $0.contains("[image: lake]") } ?? 0
        #expect(before[words + 1 + requests[0].rows + 1].contains("After."))
        #expect(Self.requests(state.update(Self.drawn(requests[0]))) == [])
        let after = state.screen.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(after[words + 1].contains("▀▀▀▀▀▀") && after[words + 2].contains("▀▀▀▀▀▀"))
        #expect(!after[words + 3].contains("▀"))
        #expect(after[words + 4].contains("After."))
    }

    /// Fails when a picture that gets ready moves the text being read, or scrolling waits for it.
    @Test func `a picture above does not move what is read`() {
        let text = (1...60).map { "<p>Line \($0)</p>" }.joined()
        var (state, effects) = Self.reading("<p>\(Self.inline)</p>" + text)
        let request = Self.requests(effects)[0]
        _ = state.press("  ")
        if !state.draw().rowText(0).contains("Line") { _ = state.press("j") }
        let before = state.draw().rowText(0)
        #expect(before.contains("Line"))
        _ = state.update(Self.drawn(request))
        #expect(state.draw().rowText(0) == before)
        _ = state.update(.resized(Size(columns: 60, rows: 20)))
        _ = state.update(.resized(Size(columns: 80, rows: 24)))
        #expect(state.draw().rowText(0) == before)
    }

    /// Fails when a place within a picture's rows loses the text behind it.
    @Test func `a picture that is scrolled half out shrinks without hiding text`() {
        let text = (1...60).map { "<p>Line \($0)</p>" }.joined()
        var (state, effects) = Self.reading("<p>\(Self.inline)</p>" + text)
        for _ in 0..<8 { _ = state.press("j") }
        _ = state.update(.pictureFailed(Self.requests(effects)[0], "(No.)"))
        #expect(state.screen.contains("Line 1 ") || state.screen.contains("(No.)"))
        #expect(state.screen.contains("Line 2"))
    }

    @Test func `a picture that cannot be drawn leaves a sentence`() {
        var (state, effects) = Self.reading("<p>\(Self.inline)</p>")
        _ = state.update(.pictureFailed(Self.requests(effects)[0], "(This picture is damaged.)"))
        #expect(state.screen.contains("(This picture is damaged.)"))
    }

    @Test func `pictures are hidden and shown by a key, and not drawn when the settings say so`() {
        var (state, effects) = Self.reading("<p>\(Self.inline)</p>", shows: false)
        #expect(Self.requests(effects) == [])
        #expect(!Self.requests(state.press("i")).isEmpty)
        #expect(state.screen.contains("…"))
        _ = state.press("i")
        #expect(Self.requests(state.press("j")) == [])
    }

    @Test func `without the libraries the key says why`() {
        var (state, _) = Self.reading("<p>\(Self.inline)</p>")
        _ = state.update(.picturesUnavailable("Pictures need a library."))
        #expect(Self.requests(state.press("j")) == [])
        _ = state.press("i")
        #expect(state.screen.contains("Pictures need a library."))
    }

    /// Fails when a picture of another message, or one that the message does not have, is asked for.
    @Test func `only the message's own files are asked for`() {
        let foreign = "<img src=\"http://o.example/api/v1/messages/m-b/inline/zz\" alt=\"x\">"
        let (_, effects) = Self.reading("<p>\(foreign)</p>", rows: 60)
        let sources = Self.requests(effects).map(\.source)
        #expect(sources == [.attachment(AttachmentID("a1")), .attachment(AttachmentID("a2"))])
    }

    @Test func `many pictures are asked for a few at a time`() {
        let html = (0..<40).map { "<p><img width=\"30\" height=\"30\" src=\"https://a.example/\($0)\"></p>" }.joined()
        var (state, effects) = Self.reading(html, isTrusted: true, hasRemote: true, rows: 50)
        let first = Self.requests(effects)
        #expect(first.count == 6)
        #expect(Self.requests(state.update(Self.drawn(first[0], columns: 2, rows: 1))).count == 1)
    }
}

/// Pictures of other servers.
struct RemoteImageTests {
    private static let blocked = "<p>Hi <img alt=\"Remote image hidden\"> <img alt=\"logo\"></p>"
    private static let open =
        "<p>Hi <img src=\"https://t.example/a.png\"> <img src=\"https://t.example/b.png\" alt=\"logo\"></p>"

    private static func html(_ text: String, isTrusted: Bool = false) -> MessageHTML {
        MessageHTML(
            html: text, quotedHTML: nil, afterQuotedHTML: nil, hasRemoteImages: true, remoteMediaTrusted: isTrusted)
    }

    private static func reading(_ html: MessageHTML, direction: Direction = .inbound) -> (AppState, [Effect]) {
        var message = Fixture.message("a", text: "")
        message.summary.direction = direction
        message.detail?.htmlAvailable = true
        message.html = html
        var state = Fixture.state(columns: 90, rows: 40, [Fixture.row("a")])
        state.showsPictures = true
        _ = state.update(.triageConfigured(TriageSettings(markAfter: nil)))
        _ = state.update(.input(.plain(.enter)))
        let effects = state.update(.conversationLoaded(ThreadID("a"), [message]))
        return (state, effects)
    }

    /// Fails when anything of another server is asked for by opening a message.
    @Test(arguments: [blocked, open]) func `nothing is fetched unasked`(text: String) {
        var (state, effects) = Self.reading(Self.html(text))
        #expect(effects == [])
        #expect(state.screen.contains("2 of other servers, not loaded; zi loads them once, zI"))
        #expect(state.press("jk ") == [])
        #expect(state.update(.resized(Size(columns: 60, rows: 30))) == [])
    }

    /// Fails when what the person passed on to others loads by itself, since the server trusts all that was sent.
    @Test func `sent mail loads nothing by itself either`() {
        let (state, effects) = Self.reading(Self.html(Self.open, isTrusted: true), direction: .outbound)
        #expect(effects == [])
        #expect(state.screen.contains("2 of other servers, not loaded"))
    }

    @Test func `a trusted sender's pictures are shown`() {
        let (state, effects) = Self.reading(Self.html(Self.open, isTrusted: true))
        #expect(effects.count == 2)
        #expect(!state.screen.contains("not loaded"))
    }

    @Test func `they are loaded once when the person asks`() {
        var (state, _) = Self.reading(Self.html(Self.blocked))
        #expect(state.press("zi") == [.loadRemoteImages(MessageID("m-a"))])
        #expect(state.screen.contains("loading those of other servers"))
        #expect(state.press("zi") == [.bell])
        let effects = state.update(.remoteImagesLoaded(MessageID("m-a"), Self.html(Self.open)))
        let sources = effects.compactMap { if case .drawPicture(let request) = $0 { request.source } else { nil } }
        #expect(sources == [.remote("https://t.example/a.png"), .remote("https://t.example/b.png")])
        #expect(state.screen.contains("2 of other servers, loaded"))
        #expect(state.press("zi") == [.bell])
    }

    /// Fails when a sender is trusted for good by one slip of the finger.
    @Test func `a sender is trusted when the key is pressed twice`() {
        var (state, _) = Self.reading(Self.html(Self.blocked))
        #expect(state.press("zI") == [])
        #expect(state.screen.contains("a@example.org always load"))
        #expect(state.press("j") == [])
        #expect(state.press("zI") == [])
        #expect(state.press("zI") == [.trustSender(MessageID("m-a")), .loadRemoteImages(MessageID("m-a"))])
        #expect(state.press("zI") == [.bell])
    }

    @Test func `a failure is told and can be tried again`() {
        var (state, _) = Self.reading(Self.html(Self.blocked))
        _ = state.press("zi")
        _ = state.update(.remoteImagesFailed(MessageID("m-a"), "The server could not be reached."))
        #expect(state.screen.contains("The server could not be reached."))
        #expect(state.press("zi") == [.loadRemoteImages(MessageID("m-a"))])
    }

    @Test func `without any the key says so`() {
        var (state, _) = Self.reading(Self.html("<p>Hi</p>"))
        #expect(!state.screen.contains("Images:"))
        #expect(state.press("zi") == [.bell])
        #expect(state.screen.contains("no pictures of other servers"))
    }
}
