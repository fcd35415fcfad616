package import MailModel
package import TerminalUI

/// Where a picture of the reader comes from.
package enum PictureSource: Sendable, Hashable {
    /// A file of a message that its text shows.
    case inline(MessageID, AttachmentID)
    /// A file of a message.
    case attachment(AttachmentID)
    /// Somewhere else; asked for only when the person said so.
    case remote(String)
}

/// A picture to be drawn into a number of cells.
package struct PictureRequest: Sendable, Hashable {
    package var source: PictureSource
    package var columns: Int
    package var rows: Int

    package init(source: PictureSource, columns: Int, rows: Int) {
        self.source = source
        self.columns = columns
        self.rows = rows
    }
}

/// A picture for the screen, no larger than it was asked for: in letters, or one that the terminal draws.
package struct CellPicture: Sendable, Hashable {
    /// The picture's own size in pixels.
    package var width: Int
    package var height: Int
    package var columns: Int
    package var rows: Int
    /// Row by row; none of one that the terminal draws.
    package var cells: [Cell]
    /// The number by which the terminal knows the picture; `nil` for one in letters.
    package var image: UInt32?

    package init(width: Int, height: Int, columns: Int, rows: Int, cells: [Cell], image: UInt32? = nil) {
        self.width = width
        self.height = height
        self.columns = columns
        self.rows = rows
        self.cells = cells
        self.image = image
    }
}
