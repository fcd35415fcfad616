internal import CNcurses
internal import TerminalUI

/// Turns the cells of a grid into those of ncurses.
struct CellPainter {
    private struct Colors: Hashable {
        var foreground: Int16
        var background: Int16
    }

    private let colorCount: Int
    private let pairLimit: Int
    private var pairs: [Colors: Int16] = [:]
    private var line: [cchar_t] = []

    init(withoutColor: Bool) {
        guard !withoutColor, has_colors(), start_color() == OK, use_default_colors() == OK else {
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
        let scalars = cell.text.unicodeScalars.map { wchar_t(bitPattern: $0.value) }
        let width: Int32 = isWide ? 2 : 1
        if let first = scalars.first, wcwidth(first) == width {
            let marks = scalars.dropFirst().filter { wcwidth($0) == 0 }.prefix(Int(CCHARW_MAX) - 1)
            line.append(character([first] + marks, cell.style))
            return
        }
        line.append(character([cell.text.isEmpty ? 0x20 : 0xFFFD], cell.style))
        if isWide { line.append(character([0x20], cell.style)) }
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
        guard colorCount >= 8, style.foreground != nil || style.background != nil else { return (attributes, 0) }
        if colorCount < 16, let foreground = style.foreground, foreground.rawValue >= 8 {
            attributes |= herald_bold()
        }
        return (
            attributes,
            pair(
                for: Colors(
                    foreground: number(style.foreground), background: number(style.background)))
        )
    }

    /// A palette number; a bright colour falls back to its plain one where there are only eight.
    private func number(_ color: Color?) -> Int16 {
        guard let color else { return -1 }
        return Int16(colorCount < 16 ? color.rawValue % 8 : color.rawValue)
    }

    private mutating func pair(for colors: Colors) -> Int16 {
        if let known = pairs[colors] { return known }
        let next = pairs.count + 1
        guard next < pairLimit, init_pair(Int16(next), colors.foreground, colors.background) == OK else { return 0 }
        pairs[colors] = Int16(next)
        return Int16(next)
    }
}
