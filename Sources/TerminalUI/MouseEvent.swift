/// What the mouse did, as far as a program of lines has a use for it.
package struct MouseEvent: Sendable, Hashable {
    /// What of it.
    package enum Kind: Sendable, Hashable {
        /// The first button went down.
        case press
        case wheelUp, wheelDown
    }

    package var kind: Kind
    package var position: Position

    package init(_ kind: Kind, row: Int, column: Int) {
        self.kind = kind
        position = Position(row: row, column: column)
    }

    /// The event of a button's code (xterm, "Mouse Tracking"); `nil` for other buttons, releases and moves.
    init?(code: Int, column: Int, row: Int) {
        guard column > 0, row > 0 else { return nil }
        // Shift, Alt and Control are 4, 8 and 16; 32 is a move.
        switch code & ~0b1_1100 {
        case 0: self.init(.press, row: row - 1, column: column - 1)
        case 64: self.init(.wheelUp, row: row - 1, column: column - 1)
        case 65: self.init(.wheelDown, row: row - 1, column: column - 1)
        default: return nil
        }
    }
}
