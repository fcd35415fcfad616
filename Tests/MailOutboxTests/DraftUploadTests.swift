import Glibc
import MailAPI
import MailModel
import MailOutbox
import MailStorage
import Platform
import Testing

/// Files of drafts.
@Suite(.timeLimit(.minutes(20)))
struct DraftUploadTests {
    private let bench: DraftBench

    init() throws { bench = try DraftBench() }

    private func progress(of file: DraftFileID) -> [UploadEvent] {
        bench.events.compactMap { event in
            guard case .upload(file, _, let news) = event else { return nil }
            return news
        }
    }

    @Test func `the largest file arrives whole, told from its start to its end`() async throws {
        let draft = try await bench.create(.written())
        let size = 26_214_400
        let path = bench.directory + "/big.bin"
        try Files.replace(path, with: [UInt8](repeating: 7, count: size), isSynced: false)
        let file = try await bench.attach(path, to: draft.id)
        Files.remove(path)
        try await bench.save()

        #expect(try await bench.drafts()[0].attachments.map(\.sizeBytes) == [size])
        let news = progress(of: file.id)
        #expect(news.first == .started(total: size) && news.last == .completed(total: size))
        let sent = news.compactMap { if case .progressed(let sent, size) = $0 { sent } else { nil } }
        #expect(sent == sent.sorted() && sent.last == size && sent.count > 10)
    }

    @Test func `files go one after the other, in their order`() async throws {
        let draft = try await bench.create(.written())
        for name in ["c", "a", "b"] { try await bench.attach(try bench.file(name, bytes: 9), to: draft.id) }
        try await bench.save()
        #expect(try await bench.drafts()[0].attachments.map(\.filename) == ["c", "a", "b"])
        #expect(bench.recorder.activeMax == 1)
    }

    @Test func `a file that the server does not take is refused, and the others go`() async throws {
        let draft = try await bench.create(.written())
        let big = try await bench.attach(try bench.file("big", bytes: 9), to: draft.id)
        try await bench.attach(try bench.file("small", bytes: 8), to: draft.id)
        try bench.control(
            "/fault?kind=status&status=413&code=ATTACHMENTS_TOO_LARGE&method=POST&path=/api/v1/drafts/*")
        try await bench.save()
        #expect(try await bench.draft(draft.id)?.files[0].state == .refused("too-large"))
        #expect(try await bench.drafts()[0].attachments.map(\.filename) == ["small"])
        #expect(progress(of: big.id).last == .failed(code: "too-large"))

        try await bench.store.retryUpload(big.id)
        try await bench.save()
        #expect(Set(try await bench.drafts()[0].attachments.map(\.filename)) == ["big", "small"])
    }

    @Test func `a copy that is gone is told, and not asked of the server`() async throws {
        let draft = try await bench.create(.written())
        let file = try await bench.attach(try bench.file("a", bytes: 9), to: draft.id)
        Files.remove(bench.directory + "/files/" + (try #require(file.sha256)))
        try await bench.save()
        #expect(try await bench.draft(draft.id)?.files[0].state == .refused("copy-gone"))
        #expect(bench.requests() == ["create"])
    }

    @Test func `a file taken off here goes there too, also one whose upload had no answer`() async throws {
        let draft = try await bench.create(.written())
        let first = try await bench.attach(try bench.file("first", bytes: 9), to: draft.id)
        try await bench.save()
        try await bench.store.removeFile(first.id)
        try await bench.save()
        #expect(try await bench.drafts()[0].attachments.isEmpty)

        let second = try await bench.attach(try bench.file("second", bytes: 9), to: draft.id)
        try bench.control("/fault?kind=close&after=1&method=POST&path=/api/v1/drafts/*")
        try await bench.save()
        try await bench.store.removeFile(second.id)
        try await bench.save()
        #expect(try await bench.drafts()[0].attachments.isEmpty)
        #expect(try await bench.store.removedFiles(of: draft.id).isEmpty)
    }

    /// Fails when an upload that the person ends goes on, or keeps the next from starting.
    @Test func `an upload can be ended, and the next drain goes on`() async throws {
        let draft = try await bench.create(.written())
        try await bench.save()
        let file = try await bench.attach(try bench.file("a", bytes: 90_000), to: draft.id)
        try bench.control("/fault?kind=swallow&ms=600000&method=POST&path=/api/v1/drafts/*")
        let saver = bench.saver()
        let work = Task { try await saver.run() }
        while !bench.events.contains(where: { $0.name == .uploadProgress }) { await Task.yield() }
        try await bench.store.removeFile(file.id)
        await saver.cancelUpload(file.id)
        _ = try await work.value
        #expect(progress(of: file.id).last == .failed(code: "interrupted"))

        try await bench.save()
        #expect(try await bench.drafts()[0].attachments.isEmpty)
        #expect(try await bench.draft(draft.id)?.files.isEmpty == true)
    }

    @Test func `copies that no draft needs go with the next drain`() async throws {
        let draft = try await bench.create(.written())
        let file = try await bench.attach(try bench.file("a", bytes: 9), to: draft.id)
        try await bench.store.discardDraft(draft.id)
        try await bench.save()
        #expect(bench.spool.path(of: file) == nil)
    }
}

/// Copies of files.
struct DraftSpoolTests {
    private let bench: DraftBench

    init() throws { bench = try DraftBench() }

    private static func files(_ sizes: [Int]) -> [DraftFile] {
        sizes.enumerated().map { number, size in
            DraftFile(id: DraftFileID("\(number)"), filename: "f", contentType: "t/t", sizeBytes: size, sha256: nil)
        }
    }

    @Test func `a copy has the digest as its name, once for the same bytes, and is for its owner only`() throws {
        let path = try bench.file("hello.txt", bytes: 0)
        try Files.replace(path, with: Array("hello".utf8))
        let digest = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
        for _ in 0..<2 {
            let copy = try bench.spool.add(path, to: [])
            #expect(copy.sha256 == digest && copy.sizeBytes == 5)
            #expect(copy.filename == "hello.txt" && copy.contentType == "text/plain")
        }
        #expect(Files.names(in: bench.directory + "/files") == [".lock", digest])
    }

    @Test func `limits are checked before a byte is copied, with sizes in the message`() throws {
        let path = bench.directory + "/big.bin"
        try Files.replace(path, with: [])
        #expect(truncate(path, 26_214_401) == 0)
        let over = #expect(throws: DraftFileError.self) { _ = try bench.spool.add(path, to: []) }
        #expect(over == .tooLarge(name: "big.bin", bytes: 26_214_401))
        #expect(over?.message == "“big.bin” is 25.1 MiB; the server accepts 25 MiB.")
        let small = try bench.file("small", bytes: 10)
        let full = #expect(throws: DraftFileError.self) {
            _ = try bench.spool.add(small, to: DraftSpoolTests.files([26_214_391]))
        }
        #expect(full == .noRoom(name: "small", bytes: 10, taken: 26_214_391))
        let many = #expect(throws: DraftFileError.self) {
            _ = try bench.spool.add(small, to: DraftSpoolTests.files(Array(repeating: 1, count: 20)))
        }
        #expect(many == .tooMany(name: "small"))
        #expect(Files.names(in: bench.directory + "/files") == [])
        _ = try bench.spool.add(small, to: DraftSpoolTests.files([26_214_390]))
    }

    @Test func `what is no readable file is refused in words`() throws {
        let directory = bench.directory + "/place"
        try Files.makeDirectory(directory)
        #expect(mkfifo(bench.directory + "/pipe", 0o600) == 0)
        let cases: [(String, DraftFileError)] = [
            (bench.directory + "/none", .missing(name: "none")), (directory, .directory(name: "place")),
            (bench.directory + "/pipe", .notAFile(name: "pipe")), ("/dev/null", .notAFile(name: "null")),
        ]
        for (path, expected) in cases {
            let error = #expect(throws: DraftFileError.self) { _ = try bench.spool.add(path, to: []) }
            #expect(error == expected && error?.message.hasSuffix(".") == true)
        }
    }

    @Test func `a name that the server cuts is known again`() {
        #expect(DraftSpool.asStored(String(repeating: "é", count: 300)).utf16.count == 255)
        #expect(DraftSpool.asStored(String(repeating: "a", count: 254) + "😀").utf16.count == 254)
    }
}
