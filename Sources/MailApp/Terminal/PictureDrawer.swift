internal import Glibc
internal import HTTP
internal import HTTPTransport
internal import MailAPI
internal import MailModel
internal import MailSync
internal import MailUI
internal import Pictures
internal import Platform
internal import Synchronization
internal import TerminalDriver
internal import TerminalUI

/// Fetches pictures and has them drawn, one or two at a time and beside the screen.
actor PictureDrawer {
    private let colors: Int
    private var running = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []
    /// Pictures fetched lately, so that another width does not fetch them again.
    private var fetched: [(source: PictureSource, account: String, bytes: [UInt8])] = []
    /// The ways to other servers: one for accounts on this machine, which may show pictures of it, and one for others.
    private var remote: [Bool: RemotePictures] = [:]
    /// The number of the last picture for the terminal; the numbers of other programs are unlikely to be the same.
    private var lastImage = UInt32(truncatingIfNeeded: getpid() & 0x7FFF) << 16

    /// This program itself, also after its file was replaced by a newer one.
    private static let thisProgram = "/proc/self/exe"
    private static let runningMax = 2
    private static let fetchedBytesMax = 32 << 20

    init(colors: Int) {
        self.colors = colors
    }

    /// A picture as the screen takes it, in letters or with `cell` in pixels.
    ///
    /// - Throws: `PictureFailure`, `RemotePictureError`, or what fetching throws.
    func draw(
        _ request: PictureRequest, backend: Backend, cell: KittyGraphics.CellSize?
    ) async throws -> (picture: CellPicture, upload: KittyGraphics.Upload?) {
        await begin()
        defer { end() }
        let bytes = try await bytes(request.source, backend)
        let form = cell.map { PictureRoom.Form.pixels(cellWidth: $0.width, cellHeight: $0.height) }
        let room = PictureRoom(
            columns: request.columns, rows: request.rows, form: form ?? .cells(colors: colors))
        let drawn = try await PictureProcess.draw(bytes, in: room, program: PictureDrawer.thisProgram)
        var picture = CellPicture(
            width: drawn.width, height: drawn.height, columns: drawn.columns, rows: drawn.rows, cells: [])
        switch drawn.content {
        case .cells(let cells):
            picture.cells = cells.map { Cell($0) }
            return (picture, nil)
        case .pixels(let pixels, let width, let height):
            guard let cell else { throw PictureFailure.broken }
            let image = newImage()
            picture.image = image
            return (
                picture, KittyGraphics.upload(image, pixels: pixels, width: width, height: height, cell: cell)
            )
        }
    }

    private func newImage() -> UInt32 {
        let count = lastImage & 0xFFFF == 0xFFFF ? 1 : lastImage & 0xFFFF + 1
        lastImage = lastImage & 0xFFFF_0000 | count
        return lastImage
    }

    private func begin() async {
        guard running >= PictureDrawer.runningMax else {
            running += 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Gives the turn to the next that waits.
    private func end() {
        if waiting.isEmpty {
            running -= 1
        } else {
            waiting.removeFirst().resume()
        }
    }

    private func bytes(_ source: PictureSource, _ backend: Backend) async throws -> [UInt8] {
        let label = backend.account.label
        if let known = fetched.first(where: { $0.source == source && $0.account == label }) { return known.bytes }
        let bytes =
            switch source {
            case .inline(let message, let file):
                try await backend.ask { try await $0.inline(message: message, attachment: file) }
            case .attachment(let file): try await backend.ask { try await $0.attachment(file) }
            case .remote(let address): try await remotePictures(allowsLocal: backend.account.isLoopback).fetch(address)
            }
        fetched.append((source, label, bytes))
        while fetched.count > 1, fetched.reduce(0, { $0 + $1.bytes.count }) > PictureDrawer.fetchedBytesMax {
            fetched.removeFirst()
        }
        return bytes
    }

    private func remotePictures(allowsLocal: Bool) throws -> RemotePictures {
        if let known = remote[allowsLocal] { return known }
        let made = try RemotePictures(allowsLocal: allowsLocal)
        remote[allowsLocal] = made
        return made
    }
}

extension Cell {
    fileprivate init(_ drawn: DrawnPicture.Cell) {
        self.init(
            text: String(Character(drawn.symbol)),
            style: Style(
                foreground: drawn.foreground.map { Color($0) }, background: drawn.background.map { Color($0) }))
    }
}

extension Backend {
    /// Asks the account's server something that no pass does; the answer is not kept.
    func ask<Answer: Sendable>(
        _ question: @Sendable (HTTPMailAPIClient) async throws -> Answer
    ) async throws -> Answer {
        let api = try current().api
        do {
            return try await question(api)
        } catch let error as MailAPIError {
            throw SyncError.server(error)
        }
    }
}

extension TerminalProgram {
    /// Draws a picture beside the loop.
    func drawPicture(_ request: PictureRequest, _ run: AccountRun) {
        if isOffline {
            return tell(.pictureFailed(request, "(This picture was not fetched before going offline.)"), run)
        }
        let (drawer, backend) = (drawer, run.backend)
        let cell = graphics.isInUse ? Terminal.cellSize() : nil
        effect {
            do {
                let (picture, upload) = try await drawer.draw(request, backend: backend, cell: cell)
                if let upload { await self.terminal.send(upload) }
                await self.tellAndPaint(.pictureDrawn(request, picture), run)
            } catch PictureFailure.noLibrary {
                await self.applyAndPaint(.picturesUnavailable(PictureFailure.noLibrary.sentence))
            } catch {
                await self.tellAndPaint(.pictureFailed(request, "(\(PictureDrawer.sentence(error)))"), run)
            }
        }
    }

    /// Lets a sender's images load from now on; says so, or why not.
    func trustSender(_ message: MessageID, _ run: AccountRun) {
        let backend = run.backend
        effect {
            do {
                try await backend.ask { try await $0.trustRemoteImages(of: message) }
                await self.applyAndPaint(.notice("Images of this sender load from now on."))
            } catch {
                await self.applyAndPaint(.notice("The sender is not trusted: \(Failures.failure(error).message)"))
            }
        }
    }

    /// Fetches a message's HTML with the addresses of its pictures; it is shown once and not kept.
    func loadRemoteImages(_ message: MessageID, _ run: AccountRun) {
        let backend = run.backend
        effect {
            do {
                let html = try await backend.ask { try await $0.html(of: message, loadRemoteImages: true) }
                guard let html else { throw SyncError.server(.notFound("MESSAGE_HTML_NOT_FOUND")) }
                await self.tellAndPaint(.remoteImagesLoaded(message, html), run)
            } catch {
                await self.tellAndPaint(.remoteImagesFailed(message, Failures.failure(error).message), run)
            }
        }
    }
}

extension PictureDrawer {
    /// Why a picture is not shown, for the place where it would be.
    nonisolated static func sentence(_ error: any Error) -> String {
        switch error {
        case let failure as PictureFailure: failure.sentence
        case let failure as RemotePictureError: failure.sentence
        default: Failures.failure(error).message
        }
    }
}
