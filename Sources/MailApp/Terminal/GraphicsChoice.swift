internal import MailUI
internal import Platform
internal import TerminalDriver

/// Whether the terminal draws the pictures, or letters stand for them.
struct GraphicsChoice: Sendable, Hashable {
    /// What the settings say.
    var wish: Wish
    /// What the terminal answered; `false` as long as it did not.
    var isKnown = false

    /// How pictures are to be drawn.
    enum Wish: Sendable, Hashable {
        /// By the terminal where it says that it can.
        case auto
        case letters
        /// By the terminal whether it says so or not.
        case terminal
    }

    /// Whether the terminal draws the pictures from now on.
    var isInUse: Bool {
        switch wish {
        case .auto: isKnown
        case .letters: false
        case .terminal: !KittyGraphics.isBehindAnother(Environment.value)
        }
    }
}

extension TerminalProgram {
    /// Takes the terminal's answer, or another wish; pictures in sight are drawn anew where that changes something.
    func chooseGraphics(_ change: (inout GraphicsChoice) -> Void) {
        let before = graphics.isInUse
        change(&graphics)
        if graphics.isInUse != before { apply(.pictureFormChanged) }
    }

    /// Has pictures drawn again that the terminal has lost.
    func replaceLostPictures() {
        let lost = terminal.takeMissingPictures()
        if !lost.isEmpty { apply(.picturesLost(lost)) }
    }
}
