import MailModel
import MailUI
import TerminalUI
import Testing

/// Saving, opening and piping, as far as the screen goes.
struct FilesTests {
    private static let files = [
        MailModel.Attachment(
            id: AttachmentID("att_1"), filename: "../plan\u{202E}.pdf", contentType: "application/pdf",
            sizeBytes: 1_200, contentID: nil),
        MailModel.Attachment(
            id: AttachmentID("att_2"), filename: "photo.png", contentType: "image/png", sizeBytes: 3_400_000,
            contentID: nil),
    ]

    private static func reading(
        _ attachments: [MailModel.Attachment] = FilesTests.files, columns: Int = 80, rows: Int = 24
    ) -> AppState {
        var message = ThreadTests.message(1)
        message.detail?.attachments = attachments
        var state = ThreadTests.reading([message], columns: columns, rows: rows)
        state.saveDirectory = "/home/me"
        return state
    }

    private static let message = MessageID("m-a1")

    /// Fails when the list misses something of a file, or a key in it does something else than it says.
    @Test func `attachments are listed, opened, saved one by one and all together`() {
        var state = Self.reading()
        #expect(state.press("v").isEmpty)
        for text in ["2 attachments", "1. ../plan", "photo.png", "image/png", "3.4 MB", "1 kB"] {
            #expect(state.screen.contains(text))
        }
        #expect(state.press("o") == [.openAttachment(Self.message, Self.files[0])])
        #expect(state.press("j") == [])
        #expect(state.press("o") == [.openAttachment(Self.message, Self.files[1])])
        #expect(state.press("1o") == [.openAttachment(Self.message, Self.files[0])])
        #expect(state.press("7o") == [.bell])
        _ = state.press("1S")
        #expect(state.screen.contains("/home/me/_plan.pdf"))
        #expect(
            state.update(.input(.plain(.enter)))
                == [.save(FileRequest(.attachment(Self.message, Self.files[0]), path: "/home/me/_plan.pdf"))])
        _ = state.press("A")
        #expect(
            state.update(.input(.plain(.enter)))
                == [.save(FileRequest(.attachments(Self.message, Self.files), path: "/home/me"))])
        _ = state.press("q")
        #expect(!state.screen.contains("2 attachments"))
        #expect(state.screen.contains("m1 line 1"))
    }

    /// Fails when a message without files opens an empty list, or does not say why it opens none.
    @Test func `a message without attachments says so`() {
        var state = Self.reading([])
        #expect(state.press("v") == [.bell])
        #expect(state.screen.contains("This message has no attachments."))
    }

    /// Fails when a file that is there is replaced by any other answer than yes.
    @Test func `a file that is there is replaced on yes only`() {
        var state = Self.reading()
        _ = state.press("S")
        #expect(state.screen.contains("/home/me/Tide tables.txt"))
        let request = FileRequest(.message(Self.message), path: "/home/me/Tide tables.txt")
        #expect(state.update(.input(.plain(.enter))) == [.save(request)])
        for answer in ["n", "x", " "] {
            _ = state.update(.fileExists(request))
            #expect(state.screen.contains("Replace “Tide tables.txt”"))
            #expect(state.press(answer) == [])
            #expect(state.screen.contains("Save message to: /home/me/Tide tables.txt"))
            _ = state.update(.input(.plain(.escape)))
        }
        _ = state.update(.fileExists(request))
        #expect(state.update(.input(.plain(.enter))) == [])
        _ = state.update(.input(.plain(.escape)))
        _ = state.update(.fileExists(request))
        var replacing = request
        replacing.replaces = true
        #expect(state.press("y") == [.save(replacing)])
    }

    /// Fails when a typed path is lost to a failure, or the next file does not go where the last one went.
    @Test func `a failure keeps what was typed and a success the directory`() {
        var state = Self.reading()
        let request = FileRequest(.message(Self.message), path: "/nowhere/x.txt")
        _ = state.update(.fileFailed(request, "There is no directory /nowhere."))
        #expect(state.screen.contains("/nowhere/x.txt") && state.screen.contains("There is no directory /nowhere."))
        _ = state.update(.input(.plain(.escape)))
        _ = state.update(.filesSaved(directory: "/srv/mail", "Saved."))
        #expect(state.screen.contains("Saved."))
        _ = state.press("S")
        #expect(state.screen.contains("/srv/mail/Tide tables.txt"))
    }

    /// Fails when Tab does not ask, an answer to another text is taken, or candidates are not shown.
    @Test func `Tab completes a path`() {
        var state = Self.reading()
        _ = state.press("S")
        _ = state.update(.input(.key(.character("u"), .control)))
        _ = state.press("/ho")
        #expect(state.update(.input(.plain(.tab))) == [.completePath("/ho")])
        _ = state.update(.pathCompleted("/hx", text: "/hx/", candidates: []))
        #expect(!state.screen.contains("/hx/"))
        _ = state.update(.pathCompleted("/ho", text: "/hom", candidates: ["home/", "homes\u{1B}[2J/"]))
        #expect(state.screen.contains("/hom") && state.screen.contains("home/"))
        #expect(!state.screen.contains("\u{1B}"))
    }

    /// Fails when the work does not show, cannot be ended, or another is begun beside it.
    @Test func `work on files shows how far it is and ends on Esc`() {
        var state = Self.reading()
        _ = state.press("v")
        _ = state.update(
            .filesProgressed(
                FileProgress(file: 2, files: 5, name: "photo.png", bytes: 1_000_000, bytesTotal: 3_400_000)))
        #expect(state.screen.contains("Fetching 2 of 5, 1.0 MB of 3.4 MB: photo.png"))
        #expect(state.press("o") == [.bell])
        #expect(state.update(.input(.plain(.escape))) == [.cancelFiles])
        _ = state.update(.filesProgressed(nil))
        #expect(!state.screen.contains("Fetching"))
    }

    /// Fails when a command is not asked for, or the last one is forgotten or gets into the way of another.
    @Test func `a message is piped to a command`() {
        var state = Self.reading()
        _ = state.press("|wc -l")
        #expect(state.screen.contains("Pipe to: wc -l"))
        #expect(state.update(.input(.plain(.enter))) == [.pipe(Self.message, command: "wc -l")])
        _ = state.press("|less")
        #expect(state.update(.input(.plain(.enter))) == [.pipe(Self.message, command: "less")])
        _ = state.press("|")
        #expect(state.update(.input(.plain(.enter))) == [])
        _ = state.press("|")
        _ = state.update(.input(.plain(.up)))
        #expect(state.screen.contains("Pipe to: less"))
        _ = state.update(.input(.plain(.down)))
        #expect(!state.screen.contains("less"))
    }

    /// Fails when the list or the prompt breaks a small window, or hostile names reach the terminal.
    @Test(arguments: [(30, 6), (40, 12), (80, 24), (200, 50)]) func `the list fits every window`(
        columns: Int, rows: Int
    ) {
        let many = (1...40).map { number in
            MailModel.Attachment(
                id: AttachmentID("a\(number)"), filename: "漢字\u{1B}]0;x\u{7}\u{202E} name \(number).bin",
                contentType: "application/octet-stream\n", sizeBytes: number, contentID: nil)
        }
        var state = Self.reading(many, columns: columns, rows: rows)
        _ = state.press("vG")
        #expect(state.screen.contains("40. 漢字"))
        #expect(!state.screen.unicodeScalars.contains { $0.value < 32 && $0 != "\n" || $0.value == 0x202E })
        _ = state.press("S")
        #expect(state.screen.split(separator: "\n", omittingEmptySubsequences: false).count == rows)
        #expect(state.draw().cursor != nil)
    }
}
