internal import TerminalUI

/// Whether a terminal shows hyperlinks (OSC 8), and the bytes that make cells ones.
package enum Hyperlinks {
    /// The longest address; VTE takes no longer one.
    package static let bytesMax = 2_000

    /// Whether the terminal that these variables of the environment tell of is known to have them.
    package static func areKnown(_ variable: (String) -> String?) -> Bool {
        let term = variable("TERM") ?? ""
        let program = variable("TERM_PROGRAM") ?? ""
        let version = numbers(variable("TERM_PROGRAM_VERSION") ?? "")
        if variable("TMUX") != nil || term.hasPrefix("tmux") || program == "tmux" {
            return program == "tmux" && !version.lexicographicallyPrecedes([3, 4])
        }
        if variable("STY") != nil || term.hasPrefix("screen") || term == "linux" { return false }
        if ["foot", "xterm-kitty", "xterm-ghostty", "alacritty", "wezterm", "contour", "mlterm", "rio"]
            .contains(where: { term == $0 || term.hasPrefix($0 + "-") })
        {
            return true
        }
        if ["WezTerm", "ghostty", "iTerm.app", "vscode", "rio", "WarpTerminal", "Hyper", "Tabby"].contains(program) {
            return true
        }
        if let vte = variable("VTE_VERSION").flatMap({ Int($0) }) { return vte >= 5_000 }
        if let konsole = variable("KONSOLE_VERSION").flatMap({ Int($0) }) { return konsole >= 201_200 }
        return ["KITTY_WINDOW_ID", "ALACRITTY_WINDOW_ID", "WEZTERM_PANE", "WT_SESSION", "DOMTERM"].contains {
            variable($0) != nil
        }
    }

    /// Whether an address can stand in a sequence as it is.
    static func isSafe(_ address: String) -> Bool {
        let scheme = ["http://", "https://", "mailto:"].contains { address.hasPrefix($0) }
        return scheme && address.utf8.count <= bytesMax && address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// What makes the cells written next a link; `nil` ends one.
    static func sequence(_ address: String?, id: UInt64) -> String {
        guard let address, isSafe(address) else { return "\u{1B}]8;;\u{1B}\\" }
        return "\u{1B}]8;id=\(String(id, radix: 36));\(address)\u{1B}\\"
    }

    /// A text that is a link to an address, for output that is no screen; just the text when it cannot be one.
    package static func link(_ address: String, shown: String) -> String {
        guard isSafe(address) else { return shown }
        return "\u{1B}]8;;\(address)\u{1B}\\\(shown)\u{1B}]8;;\u{1B}\\"
    }

    private static func numbers(_ version: String) -> [Int] {
        version.split(separator: ".").map { part in Int(part.prefix { $0.isNumber }) ?? 0 }
    }
}

/// Writes the cells of links once more, as links: ncurses cannot tell the terminal of them.
struct LinkOverlay {
    let painter: CellPainter

    /// The bytes that follow the painting of `grid` over `old` (`nil`: over an empty screen).
    ///
    /// The cursor and the look of letters are afterwards what they were.
    func bytes(_ grid: Grid, over old: Grid?, columns: Int, rows: Int) -> String {
        var output = ""
        let old = old?.size == grid.size ? old : nil
        for row in 0..<min(rows, grid.size.rows) where grid.rowDiffers(from: old, row: row) {
            let columns = min(columns, grid.size.columns)
            var column = 0
            while column < columns {
                let link = grid[row, column].link
                guard link != 0 || (old?[row, column].link ?? 0) != 0 else {
                    column += 1
                    continue
                }
                var end = column
                while end < columns, grid[row, end].link == link,
                    link != 0 || (old?[row, end].link ?? 0) != 0
                {
                    end += 1
                }
                output += run(grid, row: row, from: column, to: end, link: link)
                column = end
            }
        }
        return output.isEmpty ? "" : "\u{1B}7" + output + "\u{1B}[0m\u{1B}8"
    }

    private func run(_ grid: Grid, row: Int, from start: Int, to end: Int, link: UInt64) -> String {
        var start = start
        while start > 0, grid[row, start].text.isEmpty { start -= 1 }
        var output = "\u{1B}[\(row + 1);\(start + 1)H" + Hyperlinks.sequence(grid.links[link], id: link)
        var style: Style?
        for column in start..<end where !grid[row, column].text.isEmpty {
            let cell = grid[row, column]
            if cell.style != style {
                output += painter.sequence(of: cell.style)
                style = cell.style
            }
            output += painter.text(of: cell, isWide: grid.isWide(row: row, column: column))
        }
        return link == 0 ? output : output + Hyperlinks.sequence(nil, id: 0)
    }
}
