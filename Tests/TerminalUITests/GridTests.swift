import Testing
import TerminalUI

struct GridTests {
    @Test func `a wide character cut in half leaves a blank`() {
        var grid = Grid(size: Size(columns: 6, rows: 1))
        grid.write("日本語", row: 0, column: 0)
        grid.write("x", row: 0, column: 1)
        #expect(grid.rowText(0) == " x本語")
        grid.write("é", row: 0, column: 2)
        #expect(grid.rowText(0) == " xé 語")
        grid.fill(Rect(row: 0, column: 5, columns: 1, rows: 1))
        #expect(grid.rowText(0) == " xé   ")
    }

    @Test func `drawing outside is clipped`() {
        var grid = Grid(size: Size(columns: 3, rows: 2))
        #expect(grid.write("ab日", row: 0, column: 0) == 2)
        #expect(grid.write("x", row: 5, column: 0) == 0)
        #expect(grid.write("x", row: 0, column: 3) == 0)
        #expect(grid.write("abc", row: 1, column: 1, columnsMax: -1) == 0)
        grid.fill(Rect(row: -1, column: -4, columns: 100, rows: 100), style: Style(bold: true))
        grid.fill(Rect(row: -9, column: 9, columns: 2, rows: 2))
        #expect(grid.cells.allSatisfy { $0.style.bold && $0.text == " " })
        grid.putStyle(Rect(row: 1, column: 0, columns: 9, rows: 1)) { $0.reverse = true }
        #expect(grid[1, 2].style.reverse && !grid[0, 0].style.reverse)
        #expect(grid[9, 9] == Cell())
    }

    @Test func `a mark joins its base`() {
        var grid = Grid(size: Size(columns: 3, rows: 1))
        #expect(grid.write("\u{301}e\u{301}x", row: 0, column: 0) == 2)
        #expect(grid[0, 0].text == "e\u{301}")
        #expect(grid[0, 1].text == "x")
    }
}
