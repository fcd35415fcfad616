import Glibc
import HTTP
import MailAPI
import MailModel
import MailTestSupport
import Platform
import Synchronization
import Testing

@testable import MailApp

/// Answers every request with the same pieces.
private struct PieceClient: HTTPStreamClient {
    var status = 200
    var pieces: [[UInt8]] = []
    var failure: HTTPError?
    var waitsForEver = false

    func send(_ request: HTTPRequest) async throws -> HTTPResponse { throw HTTPError.badRequest }

    func stream(_ request: HTTPRequest, silenceMax: Duration) async throws -> HTTPStream {
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self, throwing: (any Error).self)
        for piece in pieces { continuation.yield(piece) }
        if !waitsForEver { continuation.finish(throwing: failure) }
        let type = status == 200 ? "application/pdf" : "application/json"
        return HTTPStream(status: status, headers: [HTTPHeader("Content-Type", type)], body: stream)
    }
}

/// Files as they come from the server onto the disk.
struct FileSaverTests {
    private static func attachment(_ name: String, bytes: Int) -> MailModel.Attachment {
        MailModel.Attachment(
            id: AttachmentID("att_1"), filename: name, contentType: "application/pdf", sizeBytes: bytes, contentID: nil)
    }

    private static func saver(_ client: PieceClient) -> FileSaver {
        let source = HTTPAttachmentSource(
            origin: "http://127.0.0.1:1", bearers: StaticBearer("token"), client: client)
        return FileSaver(source: { source }, progress: { _ in })
    }

    private static func withDirectory(_ body: (String) async throws -> Void) async throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try await body(scratch.path)
    }

    /// Fails when pieces are lost, swapped or doubled.
    @Test func `a file is what the server sent`() async throws {
        try await Self.withDirectory { directory in
            let pieces = (0..<50).map { [UInt8](repeating: UInt8($0), count: 1_000) }
            let saver = Self.saver(PieceClient(pieces: pieces))
            let place = try SavePath(typed: directory, ownName: "a.pdf")
            try await saver.save(Self.attachment("a.pdf", bytes: 50_000), to: place, replaces: false)
            #expect(try Files.read(directory + "/a.pdf") == pieces.flatMap { $0 })
            await #expect(throws: FileFailure.exists) {
                try await saver.save(Self.attachment("a.pdf", bytes: 50_000), to: place, replaces: false)
            }
            try await saver.save(Self.attachment("a.pdf", bytes: 50_000), to: place, replaces: true)
            #expect(Files.names(in: directory) == ["a.pdf"])
        }
    }

    /// Fails when a part of a file, too much of it, or an error's text is kept as if it were the file.
    @Test func `what is not the whole file is not kept`() async throws {
        try await Self.withDirectory { directory in
            let place = try SavePath(typed: directory + "/a.pdf", ownName: "")
            let hundred = [[UInt8](repeating: 7, count: 100)]
            let envelope = Array(#"{"error":{"code":"ATTACHMENT_OBJECT_NOT_FOUND","message":"x"}}"#.utf8)
            let clients = [
                (PieceClient(pieces: hundred), 101), (PieceClient(pieces: hundred), 99),
                (PieceClient(pieces: hundred, failure: .interrupted), 100), (PieceClient(), 1),
                (PieceClient(status: 404, pieces: [envelope]), 100), (PieceClient(status: 500), 0),
            ]
            for (client, size) in clients {
                await #expect(throws: (any Error).self) {
                    try await Self.saver(client).save(Self.attachment("a", bytes: size), to: place, replaces: false)
                }
                #expect(Files.names(in: directory).isEmpty)
            }
            try await Self.saver(PieceClient()).save(Self.attachment("a", bytes: 0), to: place, replaces: false)
            #expect(Files.names(in: directory) == ["a.pdf"])
        }
    }

    /// Fails when ending the work leaves something behind, or does not end it.
    @Test func `work that is ended leaves nothing`() async throws {
        try await Self.withDirectory { directory in
            let place = try SavePath(typed: directory + "/a.pdf", ownName: "")
            let told = Mutex(0)
            let source = HTTPAttachmentSource(
                origin: "http://127.0.0.1:1", bearers: StaticBearer("token"),
                client: PieceClient(pieces: [[1, 2, 3]], waitsForEver: true))
            let saver = FileSaver(source: { source }, progress: { _ in told.withLock { $0 += 1 } })
            let task = Task { try await saver.save(Self.attachment("a", bytes: 100), to: place, replaces: false) }
            #expect(await eventually { told.withLock { $0 } > 0 })
            task.cancel()
            await #expect(throws: (any Error).self) { try await task.value }
            #expect(Files.names(in: directory).isEmpty)
        }
    }

    /// Fails when one of several files replaces another, or a missing one costs those after it.
    @Test func `several files get names of their own`() async throws {
        try await Self.withDirectory { directory in
            let saver = Self.saver(PieceClient(pieces: [[1]]))
            let names = ["a.pdf", "a.pdf", "../a.pdf", ".a.pdf", ""]
            let report = try await saver.save(names.map { Self.attachment($0, bytes: 1) }, into: directory)
            #expect(report.saved == 5 && report.failure == nil)
            #expect(Files.names(in: directory) == ["_a.pdf", "a (2).pdf", "a (3).pdf", "a.pdf", "attachment"])
            let gone = Self.saver(
                PieceClient(status: 404, pieces: [Array(#"{"error":{"code":"X","message":""}}"#.utf8)]))
            let other = try await gone.save([Self.attachment("b", bytes: 1)], into: directory)
            #expect(other.saved == 0 && other.failure == "The server no longer has this file.")
        }
    }

    /// Fails when a place that a person typed is taken for another.
    @Test func `typed places are understood`() async throws {
        try await Self.withDirectory { directory in
            #expect(try SavePath(typed: directory, ownName: "n").path == directory + "/n")
            #expect(try SavePath(typed: directory + "//", ownName: "n").path == directory + "/n")
            #expect(try SavePath(typed: directory + "/x", ownName: "n").path == directory + "/x")
            #expect(try SavePath(typed: "/x", ownName: "n").path == "/x")
            for typed in [directory + "/none/x", directory + "/none/", directory + "/\0"] {
                #expect(throws: FileFailure.self) { _ = try SavePath(typed: typed, ownName: "n") }
            }
            try Files.makeDirectory(directory + "/sub")
            let pipe = directory + "/pipe"
            #expect(mkfifo(pipe, 0o600) == 0)
            let place = try SavePath(typed: pipe, ownName: "n")
            #expect(throws: FileFailure.refused("\(pipe) is there already and is not a file.")) {
                try place.check(replaces: true)
            }
            #expect(PathCompletion.complete(directory + "/s") == (directory + "/sub/", []))
            #expect(PathCompletion.complete(directory + "/") == (directory + "/", ["pipe", "sub/"]))
            #expect(PathCompletion.complete(directory + "/zz") == (directory + "/zz", []))
        }
    }

    /// Fails when files of a program that is gone stay, or those of one that runs are taken from it.
    @Test func `opened files go with their program, and at the next start`() async throws {
        try await Self.withDirectory { base in
            let running = try OpenedFiles(below: base)
            let place = try running.makePlace()
            try Files.replace(place + "/a", with: [1])
            for name in ["opened-dead", "opened-bare"] { try Files.makeDirectory(base + "/" + name + "/x") }
            try Files.replace(base + "/opened-dead.lock", with: [])
            try Files.replace(base + "/other", with: [])
            OpenedFiles.sweep(base)
            #expect(Files.exists(place + "/a"))
            #expect(Files.names(in: base).count == 3)
            running.remove()
            #expect(Files.names(in: base) == ["other"])
        }
    }
}
