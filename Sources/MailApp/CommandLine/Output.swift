internal import DisplayText
internal import Glibc
internal import Platform
internal import Synchronization

/// Standard output and standard error, written without buffering.
enum Output {
    private static let hasLost = Atomic(false)

    /// Whether something written to standard output did not arrive, for example on a full disk.
    static var isIncomplete: Bool { hasLost.load(ordering: .relaxed) }

    /// Writes bytes to standard output; a closed pipe is silently accepted, as `head` would have it.
    ///
    /// What cannot be written for another reason ends the program with 74: an exit code of 0 would be a lie.
    static func write(_ bytes: [UInt8]) {
        if !Files.writeAll(1, bytes), errno != EPIPE { hasLost.store(true, ordering: .relaxed) }
    }

    /// Writes a line to standard output.
    static func line(_ text: String) {
        write(Array(text.utf8) + [0x0A])
    }

    /// Writes a line to standard error, after the program's name.
    ///
    /// Sanitised here for all, since a sentence may repeat an argument, a setting or a variable.
    static func failure(_ message: String) {
        Files.writeAll(2, Array("herald: \(TextDisplay.sanitizedLine(message))\n".utf8))
    }

    /// Whether standard error is a terminal, so that progress may be drawn on it.
    static var hasTerminal: Bool { isatty(2) == 1 }

    /// What is under way, by who does it; all of it shares one line.
    private static let board = Mutex<[(worker: String, text: String)]>([])

    /// Redraws the progress line on a terminal; with several at work, each has its part of it.
    static func progress(_ text: String, of worker: String? = nil) {
        guard hasTerminal else { return }
        board.withLock { parts in
            let worker = worker ?? ""
            if let index = parts.firstIndex(where: { $0.worker == worker }) {
                parts[index].text = text
            } else {
                parts.append((worker, text))
            }
            draw(parts)
        }
    }

    /// Clears the progress line, or the part of one who is done.
    static func endProgress(of worker: String? = nil) {
        guard hasTerminal else { return }
        board.withLock { parts in
            if let worker { parts.removeAll { $0.worker == worker } } else { parts = [] }
            draw(parts)
        }
    }

    /// Writes a line while others go on: the progress line makes room for it.
    static func aboveProgress(_ write: () -> Void) {
        board.withLock { parts in
            if hasTerminal, !parts.isEmpty { draw([]) }
            write()
            if hasTerminal, !parts.isEmpty { draw(parts) }
        }
    }

    private static func draw(_ parts: [(worker: String, text: String)]) {
        let text = ProgressLine.text(parts, columns: columns(of: 2))
        Files.writeAll(2, Array("\r\u{1B}[K\(text)".utf8))
    }

    /// The width of the terminal that is open as a file, or that of most.
    static func columns(of file: Int32) -> Int {
        var size = winsize()
        return ioctl(file, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }
}
