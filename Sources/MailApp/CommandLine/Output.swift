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

    /// Redraws the progress line on a terminal.
    static func progress(_ text: String) {
        guard hasTerminal else { return }
        Files.writeAll(2, Array("\r\u{1B}[K\(text)".utf8))
    }

    /// Clears the progress line.
    static func endProgress() { progress("") }
}
