internal import CNcurses
internal import CTerminalGuard
internal import DisplayText
internal import Glibc
package import TerminalUI

/// The terminal of this process, painted by ncurses; keys are read by `UILoop`.
@UIActor
package final class Terminal {
    /// The size of the screen in cells.
    package private(set) var size: Size

    private let screen: OpaquePointer
    private var painter: CellPainter
    private var shown: Grid?
    /// Whether this program has the terminal now.
    package private(set) var isOwned = true
    private var modes: TerminalModes
    private var title: String?
    /// What the terminal has of pictures.
    var board = PictureBoard()
    /// Who waits to send a picture.
    var senders: [CheckedContinuation<Void, Never>] = []
    /// How often the terminal was given away.
    private(set) var stays = 0
    /// Whether cells of links are made ones that the terminal opens.
    package var showsLinks = false {
        didSet { if showsLinks != oldValue { repaint() } }
    }

    /// Takes the terminal: the alternate screen, raw keys, bracketed paste, focus reports, and what the options say.
    ///
    /// - Throws: `TerminalError` when this process has no terminal that can show a full screen.
    package init(_ options: TerminalOptions = TerminalOptions()) throws(TerminalError) {
        let term = try Self.checkedTerm()
        modes = TerminalModes(options, term: term)
        let leave = modes.leave
        guard terminal_guard_arm(1, leave, Int32(leave.count)) == 0 else {
            throw .notATerminal
        }
        guard let screen = herald_newterm(term) else { throw .unknownTerminal(term) }
        self.screen = screen
        terminal_guard_own(1)
        raw()
        noecho()
        nonl()
        painter = CellPainter(theme: options.theme)
        painter.isASCII = options.isASCII
        size = Self.currentSize() ?? Size(columns: 80, rows: 24)
        _ = resizeterm(Int32(size.rows), Int32(size.columns))
        Self.send(modes.on + modes.question)
    }

    /// Shows a grid: only what differs from the last one is sent.
    package func paint(_ grid: Grid) {
        guard isOwned, let window = herald_stdscr() else { return }
        let rows = min(grid.size.rows, size.rows)
        for row in 0..<rows where grid.rowDiffers(from: shown, row: row) {
            painter.paint(grid, row: row, columns: size.columns, in: window)
        }
        if painter.mustPaintAgain {
            for row in 0..<rows { painter.paint(grid, row: row, columns: size.columns, in: window) }
            painter.mustPaintAgain = false
        }
        if let cursor = grid.cursor, cursor.row < size.rows, cursor.column < size.columns {
            curs_set(1)
            wmove(window, Int32(max(0, cursor.row)), Int32(max(0, cursor.column)))
        } else {
            curs_set(0)
        }
        wrefresh(window)
        if showsLinks {
            let links = LinkOverlay(painter: painter).bytes(grid, over: shown, columns: size.columns, rows: size.rows)
            if !links.isEmpty { Self.send(links) }
        }
        let pictures = board.show(grid.pictures, isCleared: shown == nil)
        if !pictures.isEmpty { Self.send(pictures) }
        shown = grid
    }

    /// How many colours of the palette the terminal shows; 2 for none.
    package var colors: Int { painter.colors }

    /// Puts a text into the terminal's clipboard; `false` when it is too long for that.
    ///
    /// Terminals do not answer, so nobody can know whether this one does it.
    package func copy(_ text: String, through between: ClipboardSequence.Between) -> Bool {
        guard isOwned, let bytes = ClipboardSequence.bytes(text, through: between) else { return false }
        Self.send(String(decoding: bytes, as: UTF8.self))
        return true
    }

    /// A size that ncurses can draw: it breaks down in windows of tens of thousands of cells a side.
    private nonisolated static func bounded(_ size: Size) -> Size {
        Size(columns: min(max(1, size.columns), 1_000), rows: min(max(1, size.rows), 500))
    }

    /// Follows a new size; the next `paint` draws everything.
    package func resize(to size: Size) {
        self.size = Self.bounded(size)
        _ = resizeterm(Int32(self.size.rows), Int32(self.size.columns))
        repaint()
    }

    /// Follows other wishes for colours and the mouse; those for the title hold from the next start.
    package func use(_ options: TerminalOptions) {
        if options.theme != painter.theme || options.isASCII != painter.isASCII {
            painter = CellPainter(theme: options.theme)
            painter.isASCII = options.isASCII
            repaint()
        }
        if options.hasMouse != modes.hasMouse { setMouse(options.hasMouse) }
    }

    /// Makes the next `paint` send every cell, as after foreign output.
    package func repaint() {
        shown = nil
        guard isOwned, let window = herald_stdscr() else { return }
        wclear(window)
    }

    /// Gives the terminal back for another program or a stop; `resume` takes it again.
    package func suspend() {
        guard isOwned else { return }
        isOwned = false
        stays += 1
        curs_set(1)
        Self.send(board.clear())
        Self.send(modes.off)
        endwin()
        terminal_guard_own(0)
    }

    /// Takes the terminal after `suspend`, in the size it has now.
    package func resume() {
        guard !isOwned else { return }
        isOwned = true
        terminal_guard_own(1)
        if let window = herald_stdscr() { wrefresh(window) }
        Self.send(modes.on + (title.map(TerminalModes.title) ?? ""))
        resize(to: Self.currentSize() ?? size)
    }

    /// Gives the terminal back, stops the process as Ctrl-Z does, and takes the terminal when it goes on.
    package func stopProcess() {
        suspend()
        terminal_guard_stop()
        resume()
    }

    /// Gives the terminal back for good, in the state it was found in.
    package func close() {
        if !isOwned { reset_shell_mode() }
        suspend()
    }

    /// Takes the mouse, or leaves it to the terminal.
    package func setMouse(_ isOn: Bool) {
        modes.hasMouse = isOn
        if isOwned { Self.send(isOn ? TerminalModes.mouseOn : TerminalModes.mouseOff) }
    }

    /// Names the window, where the terminal was asked for with a title.
    package func setTitle(_ text: String) {
        let text = painter.isASCII ? TextDisplay.ascii(text) : text
        guard modes.hasTitle, text != title else { return }
        title = text
        if isOwned { Self.send(TerminalModes.title(text)) }
    }

    /// Makes the colours fit another background; the next `paint` draws everything.
    package func setTheme(_ theme: Theme) {
        guard painter.theme != theme, painter.theme != .mono else { return }
        painter.theme = theme
        shown = nil
    }

    /// Has the terminal show a notification; nothing while another program has it.
    package func notify(_ title: String, _ text: String, by form: NotificationSequence.Form) {
        guard isOwned else { return }
        let (title, text) = painter.isASCII ? (TextDisplay.ascii(title), TextDisplay.ascii(text)) : (title, text)
        Self.send(NotificationSequence.sequence(title, text, by: form))
    }

    /// Sounds the bell.
    package func ring() {
        if isOwned { beep() }
    }

    /// The size of the terminal of this process, when it has one.
    package nonisolated static func currentSize() -> Size? {
        var columns: Int32 = 0
        var rows: Int32 = 0
        guard herald_window_size(1, &columns, &rows) == 0 else { return nil }
        return bounded(Size(columns: Int(columns), rows: Int(rows)))
    }
}

extension Terminal {
    /// The name of the terminal, when a full screen can be shown on it.
    private static func checkedTerm() throws(TerminalError) -> String {
        guard isatty(0) == 1, isatty(1) == 1 else { throw .notATerminal }
        guard let raw = getenv("TERM") else { throw .termNotSet }
        let term = String(cString: raw)
        guard !term.isEmpty else { throw .termNotSet }
        guard herald_set_locale() == 0 else { throw .noUTF8Locale }
        var answer: Int32 = 0
        guard setupterm(term, 1, &answer) == OK else { throw .unknownTerminal(term) }
        guard term != "dumb", herald_can("cup") != 0, herald_can("clear") != 0 else {
            throw .noCursorAddressing(term)
        }
        return term
    }

    static func send(_ text: String) { send(Array(text.utf8)) }

    static func send(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = write(1, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                sent += count
            }
        }
    }
}
