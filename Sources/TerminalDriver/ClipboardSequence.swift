internal import TerminalUI

/// What makes a terminal put a text into its clipboard (OSC 52).
package enum ClipboardSequence {
    /// The longest text; terminals drop longer ones without a word.
    package static let bytesMax = 48 * 1_024

    /// A program between this one and the terminal, which passes on only what is wrapped for it.
    package enum Between: Sendable, Hashable {
        case nothing, tmux, screen

        /// What the environment says is between.
        package static func found(term: String, hasTmux: Bool, hasScreen: Bool) -> Between {
            if hasTmux || term.hasPrefix("tmux") { return .tmux }
            return hasScreen || term == "screen" || term.hasPrefix("screen.") || term.hasPrefix("screen-")
                ? .screen : .nothing
        }
    }

    /// The longest string that GNU screen passes on.
    private static let screenPiece = 240

    /// The bytes to send; `nil` for a text that is empty or too long.
    package static func bytes(_ text: String, through between: Between) -> [UInt8]? {
        let source = Array(text.utf8)
        guard !source.isEmpty, source.count <= bytesMax else { return nil }
        let plain = Array("\u{1B}]52;c;".utf8) + Base64.encoded(source) + [0x07]
        switch between {
        case .nothing: return plain
        case .tmux:
            // A tmux that takes the clipboard from programs reads the first, one that passes sequences on the second.
            let doubled = plain.flatMap { $0 == 0x1B ? [0x1B, 0x1B] : [$0] }
            return plain + Array("\u{1B}Ptmux;".utf8) + doubled + Array("\u{1B}\\".utf8)
        case .screen:
            return stride(from: 0, to: plain.count, by: screenPiece).flatMap { start in
                Array("\u{1B}P".utf8) + plain[start..<min(plain.count, start + screenPiece)] + Array("\u{1B}\\".utf8)
            }
        }
    }
}
