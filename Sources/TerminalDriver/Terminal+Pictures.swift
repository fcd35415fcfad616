internal import CNcurses

/// Pictures that the terminal draws itself.
extension Terminal {
    /// Gives the terminal a picture, a piece between two keys; pictures wait for one another.
    ///
    /// One that could not be sent is found missing when it is to be shown.
    package func send(_ picture: KittyGraphics.Upload) async {
        while board.isSending {
            await withCheckedContinuation { senders.append($0) }
        }
        guard isOwned else { return }
        let stay = stays
        board.isSending = true
        for piece in picture.pieces {
            Self.send(piece)
            await Task.yield()
            guard isOwned, stays == stay else { return endSending() }
        }
        board.isSending = false
        Self.send(Array(board.keep(picture).utf8))
        endSending()
    }

    private func endSending() {
        board.isSending = false
        let waiting = senders
        senders = []
        for sender in waiting { sender.resume() }
    }

    /// Pictures that were to be shown but are not in the terminal any more.
    package func takeMissingPictures() -> Set<UInt32> { board.takeMissing() }

    /// The pixels that a cell of a picture is given.
    package nonisolated static func cellSize() -> KittyGraphics.CellSize {
        var (width, height): (Int32, Int32) = (0, 0)
        guard herald_cell_size(1, &width, &height) == 0 else { return .usual }
        return KittyGraphics.CellSize(width: Int(width), height: Int(height)).bounded
    }
}
