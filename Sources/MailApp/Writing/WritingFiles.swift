internal import Glibc
internal import MailCompose
internal import MailModel
internal import Platform

/// The texts that another program writes: one file a draft, in a directory that only the person can read.
///
/// A file is there from the moment the other program gets it until its last state is in the outbox, so that a crash of
/// that program or of this one loses nothing: the next start finds it. What a person has given up in that program is kept
/// under another name, for when they edit the draft again.
struct WritingFiles: Sendable {
    let directory: String

    /// The longest file that is read; the server takes much less.
    private static let bytesMax = 16_777_216
    private static let ending = ".eml"
    private static let endingGivenUp = ".given-up"

    func path(_ id: LocalDraftID) -> String { directory + "/" + id.rawValue + WritingFiles.ending }

    /// Writes a draft for another program; what such a program left unread stays.
    ///
    /// - Throws: `SystemError`.
    func write(_ id: LocalDraftID, _ content: DraftContent, context: String) throws(SystemError) {
        try Files.makeDirectory(directory)
        if isLeft(id) { return }
        if Files.exists(pathGivenUp(id)) { return try Files.rename(pathGivenUp(id), to: path(id)) }
        let text = DraftText(content: content).file(context: context)
        try Files.replace(contextPath(id), with: Array(context.utf8))
        try Files.replace(path(id), with: Array(text.utf8))
    }

    /// What the other program made of a draft.
    ///
    /// - Throws: `SystemError`, `DraftTextFault`.
    func read(_ id: LocalDraftID, former: DraftContent) throws -> DraftText {
        let bytes = try Files.readRegular(path(id), bytesMax: WritingFiles.bytesMax)
        let context = try? Files.readRegular(contextPath(id), bytesMax: WritingFiles.bytesMax)
        return try DraftText.read(
            String(decoding: bytes, as: UTF8.self), former: former,
            context: context.map { String(decoding: $0, as: UTF8.self) })
    }

    /// What stood below the text, so that a later start still tells it from what a person wrote there.
    private func contextPath(_ id: LocalDraftID) -> String { directory + "/" + id.rawValue + ".quoted" }

    /// The whole file as a text, for one that cannot be read otherwise.
    ///
    /// - Throws: `SystemError`.
    func whole(_ id: LocalDraftID) throws(SystemError) -> String {
        String(decoding: try Files.readRegular(path(id), bytesMax: WritingFiles.bytesMax), as: UTF8.self)
    }

    /// Keeps what the other program wrote and ended with a status that says no, out of sight of the next start.
    ///
    /// - Throws: `SystemError`.
    func giveUp(_ id: LocalDraftID) throws(SystemError) { try Files.rename(path(id), to: pathGivenUp(id)) }

    private func pathGivenUp(_ id: LocalDraftID) -> String {
        directory + "/" + id.rawValue + WritingFiles.endingGivenUp
    }

    func isLeft(_ id: LocalDraftID) -> Bool { Files.exists(path(id)) }

    func remove(_ id: LocalDraftID) {
        Files.remove(path(id))
        Files.remove(pathGivenUp(id))
        Files.remove(contextPath(id))
    }

    /// The drafts whose files were left behind.
    func left() -> [LocalDraftID] {
        Files.names(in: directory).filter { $0.hasSuffix(WritingFiles.ending) }.map {
            LocalDraftID(String($0.dropLast(WritingFiles.ending.count)))
        }
    }
}

/// The person's editor.
enum EditorCommand {
    /// The command line of `$VISUAL`, else of `$EDITOR`; `nil` where neither says anything.
    static var current: String? {
        [Environment.value("VISUAL"), Environment.value("EDITOR")].compactMap { $0 }.first {
            !$0.allSatisfy(\.isWhitespace)
        }
    }

    /// The program and arguments that open a file: the command line may have options, so a shell reads it.
    static func arguments(_ command: String, path: String) -> [String] {
        ["/bin/sh", "-c", "exec " + command + " \"$1\"", "herald", path]
    }
}
