internal import Glibc
internal import TerminalDriver
internal import TerminalUI

/// Shows what arrives: a small program for the tests of the driver.
@UIActor
final class Probe {
    private static var current: Probe?

    private let terminal: Terminal
    private var note = "ready"
    private var link: String?
    /// The row that a picture begins at; `nil` for none.
    private var pictureRow: Int?
    private var isCovered = false
    static let picture: UInt32 = 77

    private init(_ terminal: Terminal) {
        self.terminal = terminal
    }

    static func handle(_ event: LoopEvent) {
        guard let probe = current ?? start() else { return }
        probe.react(to: event)
        probe.draw()
    }

    static func start() -> Probe? {
        do throws(TerminalError) {
            let probe = Probe(try Terminal(Probe.options))
            current = probe
            probe.draw()
            return probe
        } catch {
            print(error.message)
            exit(78)
        }
    }

    /// What the environment of the test asks for.
    private static var options: TerminalOptions {
        var options = TerminalOptions(theme: getenv("NO_COLOR") != nil ? .mono : .dark)
        options.hasMouse = getenv("PROBE_MOUSE") != nil
        options.hasTitle = getenv("PROBE_TITLE") != nil
        options.asksBackground = getenv("PROBE_BACKGROUND") != nil
        options.asksGraphics = getenv("PROBE_GRAPHICS") != nil
        return options
    }

    private func react(to event: LoopEvent) {
        switch event {
        case .input(let events): events.forEach(react)
        case .resized(let size):
            terminal.resize(to: size)
            note = "size \(size.columns)x\(size.rows)"
        case .deadline: note = "deadline"
        case .hangup: end(129)
        case .signal(let number):
            if number != SIGCONT { end(128 + number) }
        }
    }

    private func react(to event: InputEvent) {
        switch event {
        case .character("q"): end(0)
        case .character("x"): raise(SIGSEGV)
        case .character("M"): terminal.setMouse(false)
        case .character("w"): terminal.setTitle("Title \u{7}\u{1B}]0;bad\u{9C} end")
        case .character("l"): (terminal.showsLinks, link, note) = (true, "https://one.example/a", "one")
        case .character("m"): (link, note) = ("https://two.example/b", "two")
        case .character("n"): (link, note) = (nil, "none")
        case .character("c"): note = "copied \(terminal.copy("text é", through: .nothing))"
        case .character("p"): sendPicture()
        case .character("d"): pictureRow = pictureRow.map { $0 + 1 }
        case .character("u"): pictureRow = pictureRow.map { $0 - 1 }
        case .character("o"): isCovered.toggle()
        case .character("g"): pictureRow = nil
        case .character("r"): terminal.repaint()
        case .character("t"): UILoop.shared.setDeadline(.now.advanced(by: .milliseconds(20)))
        case .key(.character("z"), .control):
            terminal.stopProcess()
            note = "resumed"
        case .paste(let text): note = "paste \(text)"
        case .key(let key, let modifiers): note = "key \(key) \(modifiers.rawValue)"
        case .mouse(let mouse): note = "mouse \(mouse.kind) \(mouse.position.row),\(mouse.position.column)"
        case .background(let isDark): note = "background \(isDark ? "dark" : "light")"
        case .graphics(let isKnown): note = "graphics \(isKnown)"
        case .focusGained: note = "focus in"
        case .focusLost: note = "focus out"
        }
    }

    /// Sends a picture of four by six cells of four by eight pixels, and then shows it.
    private func sendPicture() {
        let pixels = (0..<(24 * 32 * 4)).map { UInt8(truncatingIfNeeded: $0) }
        let upload = KittyGraphics.upload(
            Probe.picture, pixels: pixels, width: 24, height: 32,
            cell: KittyGraphics.CellSize(width: 4, height: 8))
        Task { @UIActor in
            await terminal.send(upload)
            (pictureRow, note) = (4, "sent")
            draw()
        }
    }

    private func end(_ code: Int32) {
        terminal.close()
        exit(code)
    }

    private func draw() {
        var grid = Grid(size: terminal.size)
        grid.write("日本 e\u{301}🫨|", row: 0, column: 2, style: Style(foreground: .brightRed, bold: true))
        grid.write(note, row: 1, column: 0, style: Style(reverse: true))
        grid.write("corner", row: grid.size.rows - 1, column: grid.size.columns - 6)
        grid.write("the 日本 link", row: 2, column: 4, style: Style(foreground: .cyan, underline: true), link: link)
        if let pictureRow {
            for row in 0..<4 {
                grid.showPicture(
                    Probe.picture, of: Size(columns: 6, rows: 4), pictureRow: row, row: pictureRow + row, column: 2,
                    columnsMax: 20)
            }
        }
        if isCovered { grid.write("over", row: (pictureRow ?? 0) + 1, column: 4) }
        let missing = terminal.takeMissingPictures()
        if !missing.isEmpty { note = "missing \(missing.sorted())" }
        grid.cursor = Position(row: 1, column: 3)
        terminal.paint(grid)
    }
}

func runProbe() {
    UILoop.blockSignals()
    Task { @UIActor in _ = Probe.start() }
    UILoop.shared.run { Probe.handle($0) }
}
