internal import Glibc
internal import Platform

/// The command lines of earlier runs, a line each, the newest last.
///
/// Several terminals append to it. Nothing here fails: without a disk there is no history, and the program goes on.
struct HistoryFile: Sendable {
    private let path: String
    private let linesMax: Int

    /// A longer line is not kept.
    static let lineBytesMax = 500

    init(path: String, linesMax: Int = 500) {
        self.path = path
        self.linesMax = linesMax
    }

    /// The last lines; a file that has grown to twice as many is made anew with them.
    func load() -> [String] {
        // Appended to by several runs between two loads, so there may be more than two times the lines.
        let bytesMax = (HistoryFile.lineBytesMax + 1) * linesMax * 4
        guard let bytes = try? Files.readRegular(path, bytesMax: bytesMax) else { return [] }
        let all = bytes.split(separator: 0x0A)
        let last = all.suffix(linesMax)
        if all.count > linesMax * 2 { try? Files.replace(path, with: last.flatMap { $0 + [0x0A] }, isSynced: false) }
        return last.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Adds a line.
    func append(_ line: String) {
        let bytes = line.utf8.filter { $0 >= 0x20 }
        guard !bytes.isEmpty, bytes.count <= HistoryFile.lineBytesMax else { return }
        if let slash = path.lastIndex(of: "/") { try? Files.makeDirectory(String(path[..<slash])) }
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard file >= 0 else { return }
        Files.writeAll(file, bytes + [0x0A])
        close(file)
    }
}

extension Backend {
    /// The command lines of earlier runs.
    func loadHistory() -> [String] { history.load() }

    /// Keeps a command line for later runs.
    func remember(_ line: String) { history.append(line) }

    /// The settings file as it is now.
    ///
    /// - Throws: `CommandFailure` with what is wrong in it.
    func readSettings() throws -> Settings { try SettingsFile.load(account.places.settingsPath, isShort: true) }
}
