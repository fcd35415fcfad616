internal import CNcurses
internal import DisplayText
internal import TerminalUI

/// Turns the cells of a grid into those of ncurses.
struct CellPainter {
    private struct Colors: Hashable {
        var foreground: Int16
        var background: Int16
    }

    /// How colours are made readable.
    var theme: Theme
    /// Whether the terminal shows nothing but ASCII.
    var isASCII = false
    private let colorCount: Int
    private let pairLimit: Int
    private var pairs: [Colors: Int16] = [:]
    private var line: [cchar_t] = []
    /// Whether cells painted before have lost their colours; for who paints to set back.
    var mustPaintAgain = false
    /// So few pairs of colours could be used up by one screen.
    private static let fewPairs = 4_096

    init(theme: Theme) {
        self.theme = theme
        guard theme != .mono, has_colors(), start_color() == OK, use_default_colors() == OK else {
            colorCount = 0
            pairLimit = 0
            return
        }
        colorCount = Int(herald_colors())
        pairLimit = min(Int(herald_color_pairs()), Int(Int16.max))
    }

    /// Writes a row into a window, blanks behind its end.
    mutating func paint(_ grid: Grid, row: Int, columns: Int, in window: UnsafeMutablePointer<WINDOW>) {
        line.removeAll(keepingCapacity: true)
        var column = 0
        while column < columns {
            guard column < grid.size.columns else {
                line.append(character([0x20], .plain))
                column += 1
                continue
            }
            let isWide = column + 1 < min(columns, grid.size.columns) && grid[row, column + 1].text.isEmpty
            append(grid[row, column], isWide: isWide)
            column += isWide ? 2 : 1
        }
        wmove(window, Int32(row), 0)
        wadd_wchnstr(window, line, Int32(line.count))
    }

    /// A cell ncurses would place differently becomes U+FFFD, so that the columns behind it stay right.
    private mutating func append(_ cell: Cell, isWide: Bool) {
        if isASCII {
            for scalar in asciiText(of: cell, isWide: isWide).unicodeScalars {
                line.append(character([wchar_t(bitPattern: scalar.value)], cell.style))
            }
            return
        }
        if let scalars = CellPainter.scalars(of: cell, isWide: isWide) {
            line.append(character(scalars, cell.style))
            return
        }
        line.append(character([cell.text.isEmpty ? 0x20 : 0xFFFD], cell.style))
        if isWide { line.append(character([0x20], cell.style)) }
    }

    /// As many letters as the cell has columns.
    private func asciiText(of cell: Cell, isWide: Bool) -> String {
        let text = TextDisplay.ascii(cell.text)
        return String(((text.isEmpty ? " " : text) + " ").prefix(isWide ? 2 : 1))
    }

    /// The scalars of a cell that ncurses places as the grid does; `nil` when it would not.
    private static func scalars(of cell: Cell, isWide: Bool) -> [wchar_t]? {
        let scalars = cell.text.unicodeScalars.map { wchar_t(bitPattern: $0.value) }
        guard let first = scalars.first, wcwidth(first) == (isWide ? 2 : 1) else { return nil }
        return [first] + scalars.dropFirst().filter { wcwidth($0) == 0 }.prefix(Int(CCHARW_MAX) - 1)
    }

    /// How many colours of the palette can be used: 256, 16, 8, or 2 for none.
    var colors: Int { [256, 16, 8].first { colorCount >= $0 } ?? 2 }

    /// The text that ncurses shows in a cell.
    func text(of cell: Cell, isWide: Bool) -> String {
        if isASCII { return asciiText(of: cell, isWide: isWide) }
        guard let scalars = CellPainter.scalars(of: cell, isWide: isWide) else {
            return (cell.text.isEmpty ? " " : "\u{FFFD}") + (isWide ? " " : "")
        }
        var text = String.UnicodeScalarView()
        for value in scalars { text.append(Unicode.Scalar(UInt32(bitPattern: value)) ?? "\u{FFFD}") }
        return String(text)
    }

    /// The sequence that makes letters look as ncurses makes them.
    func sequence(of style: Style) -> String {
        var numbers = ["0"]
        let foreground = colorCount >= 8 ? style.foreground : nil
        let isBoldForBright = colorCount < 16 && (8..<16).contains(foreground?.rawValue ?? 0)
        if style.bold || isBoldForBright { numbers.append("1") }
        if style.dim { numbers.append("2") }
        if style.italic { numbers.append("3") }
        if style.underline { numbers.append("4") }
        if style.reverse { numbers.append("7") }
        func add(_ color: Color?, plain: Int, bright: Int) {
            guard let color, colorCount >= 8 else { return }
            let value = Int(number(color))
            guard value >= 0 else { return }
            if value < 16 {
                numbers.append(String(value < 8 ? plain + value : bright + value - 8))
            } else {
                numbers += [String(plain + 8), "5", String(value)]
            }
        }
        add(style.foreground, plain: 30, bright: 90)
        add(style.background, plain: 40, bright: 100)
        return "\u{1B}[" + numbers.joined(separator: ";") + "m"
    }

    private mutating func character(_ scalars: [wchar_t], _ style: Style) -> cchar_t {
        var result = cchar_t()
        let (attributes, pair) = look(of: style)
        setcchar(&result, scalars + [0], attributes, pair, nil)
        return result
    }

    private mutating func look(of style: Style) -> (attr_t, Int16) {
        var attributes: attr_t = 0
        if style.bold { attributes |= herald_bold() }
        if style.dim { attributes |= herald_dim() }
        if style.italic { attributes |= herald_italic() }
        if style.underline { attributes |= herald_underline() }
        if style.reverse { attributes |= herald_reverse() }
        // On a background of its own a view's colours stay as they are.
        let foreground = style.background == nil ? theme.text(style.foreground) : style.foreground
        guard colorCount >= 8, foreground != nil || style.background != nil else { return (attributes, 0) }
        if colorCount < 16, let foreground, (8..<16).contains(foreground.rawValue) { attributes |= herald_bold() }
        return (attributes, pair(for: Colors(foreground: number(foreground), background: number(style.background))))
    }

    /// A palette number; a bright colour falls back to its plain one where there are only eight.
    private func number(_ color: Color?) -> Int16 {
        guard let color, color.rawValue < 16 || colorCount >= 256 else { return -1 }
        return Int16(colorCount < 16 ? color.rawValue % 8 : color.rawValue)
    }

    private mutating func pair(for colors: Colors) -> Int16 {
        if let known = pairs[colors] { return known }
        if pairs.count + 1 >= pairLimit, pairLimit > CellPainter.fewPairs {
            // Pictures use many; what is on the screen gets its pairs anew.
            pairs.removeAll(keepingCapacity: true)
            mustPaintAgain = true
        }
        let next = pairs.count + 1
        guard next < pairLimit, init_pair(Int16(next), colors.foreground, colors.background) == OK else { return 0 }
        pairs[colors] = Int16(next)
        return Int16(next)
    }
}
