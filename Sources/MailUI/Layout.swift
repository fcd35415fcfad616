internal import TerminalUI

/// Where the parts of the screen are at one size.
struct Layout: Sendable, Hashable {
    var isTooSmall = false
    /// The line that names mailbox and folder where there is no sidebar.
    var header: Rect?
    var sidebar: Rect?
    var list: Rect?
    var reader: Rect?
    /// Everything above the status line.
    var body: Rect
    var status: Rect
    var hints: Rect?

    /// The smallest window in which anything can be read.
    static let least = Size(columns: 20, rows: 4)

    /// The width text in the reader is laid out for.
    var readerColumns: Int { max(1, (reader ?? body).columns - 2) }
    var readerRows: Int { (reader ?? body).rows }
    /// The most rows that a picture takes: less than the pane, so that text is always in sight.
    var pictureRows: Int { max(3, min(16, readerRows * 2 / 3)) }

    init(
        size: Size, isReaderOpen: Bool, isLinear: Bool = false, hasHints: Bool = true, hasSidebar: Bool = true
    ) {
        let columns = max(0, size.columns)
        let rows = max(0, size.rows)
        isTooSmall = columns < Layout.least.columns || rows < Layout.least.rows
        let hasHints = hasHints && rows >= 12
        let bodyRows = max(0, rows - (hasHints ? 2 : 1))
        body = Rect(row: 0, column: 0, columns: columns, rows: bodyRows)
        status = Rect(row: bodyRows, column: 0, columns: columns, rows: 1)
        if hasHints { hints = Rect(row: bodyRows + 1, column: 0, columns: columns, rows: 1) }
        switch isLinear ? 0 : columns {
        case ..<Layout.leastForSidebar: narrow(isReaderOpen: isReaderOpen)
        case ..<110: medium(isReaderOpen: isReaderOpen)
        case ..<140: wide(isReaderOpen: isReaderOpen)
        default: widest()
        }
        if !hasSidebar { hideSidebar() }
    }

    /// Below this width there is no sidebar anyway.
    static let leastForSidebar = 70

    /// Gives the sidebar's room to the pane beside it; a list tells in its first line where it is then.
    private mutating func hideSidebar() {
        guard let side = sidebar else { return }
        sidebar = nil
        let width = side.columns + 1
        if let pane = list {
            list = Rect(row: 1, column: 0, columns: pane.columns + width, rows: pane.rows - 1)
            header = Rect(row: 0, column: 0, columns: pane.columns + width, rows: 1)
        } else if let pane = reader {
            reader = Rect(row: 0, column: 0, columns: pane.columns + width, rows: pane.rows)
        }
    }

    private mutating func narrow(isReaderOpen: Bool) {
        if isReaderOpen {
            reader = body
            return
        }
        header = Rect(row: 0, column: 0, columns: body.columns, rows: 1)
        list = Rect(row: 1, column: 0, columns: body.columns, rows: body.rows - 1)
    }

    private mutating func medium(isReaderOpen: Bool) {
        let side = 20
        sidebar = Rect(row: 0, column: 0, columns: side, rows: body.rows)
        let rest = Rect(row: 0, column: side + 1, columns: body.columns - side - 1, rows: body.rows)
        if isReaderOpen { reader = rest } else { list = rest }
    }

    /// Three panes once something is open; until then the list has the room, since its lines need it.
    private mutating func wide(isReaderOpen: Bool) {
        guard isReaderOpen else { return medium(isReaderOpen: false) }
        threePanes(side: 20, list: (body.columns - 22) * 2 / 5)
    }

    private mutating func widest() {
        let side = body.columns >= 150 ? 28 : 22
        threePanes(side: side, list: (body.columns - side - 2) * 9 / 20)
    }

    private mutating func threePanes(side: Int, list left: Int) {
        sidebar = Rect(row: 0, column: 0, columns: side, rows: body.rows)
        list = Rect(row: 0, column: side + 1, columns: left, rows: body.rows)
        let start = side + left + 2
        reader = Rect(row: 0, column: start, columns: body.columns - start, rows: body.rows)
    }
}

extension AppState {
    /// Whether the window is wide enough for mailboxes and folders beside the list.
    var hasRoomForSidebar: Bool { !presentation.isLinear && size.columns >= Layout.leastForSidebar }

    var layout: Layout {
        Layout(
            size: size, isReaderOpen: reader != nil, isLinear: presentation.isLinear,
            hasHints: presentation.hasHints, hasSidebar: presentation.hasSidebar)
    }
}
