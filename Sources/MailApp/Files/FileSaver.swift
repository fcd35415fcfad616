internal import MailAPI
internal import MailModel
internal import MailText
internal import MailUI
internal import Platform

/// Writes what came with mail into files.
///
/// Runs on a thread of its own, since disks are slow. A file is there whole, under a name that was free, or not at
/// all; at most one piece of it is in memory.
actor FileSaver {
    private nonisolated let executor = ThreadExecutor(niceness: 10)
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Where files come from; asked for at each file, since the connection may be another by then.
    private let source: @Sendable () async throws -> HTTPAttachmentSource
    private let progress: @Sendable (FileProgress) -> Void
    private var lastTold: Int64 = 0

    /// How often progress is told, in milliseconds.
    private static let tellInterval: Int64 = 100
    /// The largest file taken, far above what the server lets through (contract §3.13).
    private static let bytesMax = 1 << 30
    /// How many names are tried where one after the other is taken.
    private static let namesMax = 10_000

    init(
        source: @escaping @Sendable () async throws -> HTTPAttachmentSource,
        progress: @escaping @Sendable (FileProgress) -> Void
    ) {
        self.source = source
        self.progress = progress
    }

    isolated deinit {
        executor.stop()
    }

    /// Writes bytes.
    ///
    /// - Throws: `FileFailure`.
    func save(_ bytes: [UInt8], to place: SavePath, replaces: Bool) throws(FileFailure) {
        try place.check(replaces: replaces)
        do {
            let file = try NewFile(in: place.directory)
            try file.append(bytes)
            guard try file.finish(place.name, replaces: replaces) else { throw FileFailure.exists }
        } catch let error as SystemError {
            throw .writing(error, in: place.directory)
        } catch {
            throw error as? FileFailure ?? .refused(FileFailure.sentence(error))
        }
    }

    /// Fetches an attachment into a file.
    ///
    /// - Throws: `FileFailure`, `MailAPIError`, or `CancellationError` when the task is cancelled.
    func save(_ attachment: Attachment, to place: SavePath, replaces: Bool) async throws {
        try place.check(replaces: replaces)
        let part = Part(attachment: attachment, number: 1, of: 1)
        guard try await fetch(part, into: place.directory, names: [place.name], replaces: replaces) != nil else {
            throw FileFailure.exists
        }
    }

    /// What became of several files.
    struct Report: Sendable {
        var saved = 0
        /// The first that could not be had, and why.
        var failure: String?
    }

    /// Fetches attachments into a directory, each under a name that is free.
    ///
    /// A file that the server does not have is passed over and told; any other failure ends the work.
    /// - Throws: `FileFailure` or `CancellationError` when nothing at all was saved.
    func save(_ attachments: [Attachment], into directory: String) async throws -> Report {
        var report = Report()
        for (index, attachment) in attachments.enumerated() {
            let part = Part(attachment: attachment, number: index + 1, of: attachments.count)
            do {
                let name = SafeFileName.of(attachment.filename)
                let names = (1...FileSaver.namesMax).lazy.map { SafeFileName.numbered(name, $0) }
                guard try await fetch(part, into: directory, names: names, replaces: false) != nil else {
                    throw FileFailure.exists
                }
                report.saved += 1
            } catch MailAPIError.notFound {
                report.failure = report.failure ?? FileFailure.sentence(MailAPIError.notFound(""))
            } catch {
                if report.saved == 0 { throw error }
                report.failure = FileFailure.sentence(error)
                return report
            }
        }
        return report
    }

    /// Fetches an attachment under a name that is free in the directory; answers the name.
    func fetch(_ attachment: Attachment, into directory: String, name: String) async throws -> String {
        let part = Part(attachment: attachment, number: 1, of: 1)
        guard let name = try await fetch(part, into: directory, names: [name], replaces: false) else {
            throw FileFailure.exists
        }
        return name
    }

    /// One of the files being fetched.
    private struct Part {
        var attachment: Attachment
        var number: Int
        var of: Int
    }

    /// Fetches a file and gives it the first of the names that is free; `nil` when none is.
    private func fetch(
        _ part: Part, into directory: String, names: some Sequence<String>, replaces: Bool
    ) async throws -> String? {
        let expected = part.attachment.sizeBytes
        guard expected >= 0, expected <= FileSaver.bytesMax else {
            throw FileFailure.refused("The file is too large to be saved.")
        }
        tell(part, 0, isForced: true)
        do {
            let file = try NewFile(in: directory)
            var count = 0
            let read = try await source().read(part.attachment.id, bytesMax: expected) { piece in
                try Task.checkCancellation()
                try file.append(piece)
                count += piece.count
                self.tell(part, count)
            }
            guard read == expected else {
                throw FileFailure.refused(
                    "Only \(read) of \(expected) bytes came. Nothing was saved; try again.")
            }
            try Task.checkCancellation()
            for name in names where try file.finish(name, replaces: replaces) { return name }
            return nil
        } catch let error as SystemError {
            throw FileFailure.writing(error, in: directory)
        }
    }

    private func tell(_ part: Part, _ bytes: Int, isForced: Bool = false) {
        let now = WallClock.bootMilliseconds()
        guard isForced || now - lastTold >= FileSaver.tellInterval else { return }
        lastTold = now
        progress(
            FileProgress(
                file: part.number, files: part.of, name: part.attachment.filename, bytes: bytes,
                bytesTotal: part.attachment.sizeBytes))
    }
}
