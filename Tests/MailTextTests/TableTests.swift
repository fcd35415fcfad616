import DisplayText
import MailText
import Testing

/// Tables of data, and tables that only put a page in order.
@Suite struct TableTests {
    private func lines(_ html: String, columns: Int) -> [String] {
        renderHTML(html, columns: columns).lines.map(\.text)
    }

    private static let prices = """
        <table><thead><tr><th></th><th>Item</th><th>Price</th></tr></thead><tr><td>1</td><td>Lampe für 漢字</td>
        <td>64.00</td></tr><tr><td>12</td><td><b>Spring</b></td><td>1,640.00</td></tr></table>
        """

    /// Fails when the columns of a simple table do not stand below each other.
    @Test func `a table of short texts keeps its columns`() {
        #expect(
            lines(Self.prices, columns: 40) == [
                "    Item               Price", "──  ──────────────  ────────", "1   Lampe für 漢字     64.00",
                "12  Spring          1,640.00",
            ])
    }

    /// Fails when a column gets less than its longest word, or a cell more lines than it needs.
    @Test func `long cells wrap within their column`() {
        #expect(
            lines(Self.prices, columns: 24) == [
                "    Item           Price", "──  ──────────  ────────", "1   Lampe für      64.00", "    漢字",
                "12  Spring      1,640.00",
            ])
    }

    @Test func `a table that does not fit becomes labels and values`() {
        #expect(
            lines(Self.prices, columns: 18) == [
                "1", "Item: Lampe für 漢", "字", "Price: 64.00", "", "12", "Item: Spring", "Price: 1,640.00",
            ])
        let pairs = "<table><tr><td>Order number:<td>12345678</tr><tr><td>Delivery date:<td>3 May 2026</tr></table>"
        #expect(lines(pairs, columns: 40) == ["Order number:   12345678", "Delivery date:  3 May 2026"])
        #expect(lines(pairs, columns: 20) == ["Order number:", "12345678", "Delivery date: 3 May", "2026"])
    }

    @Test func `links in a table keep their numbers`() {
        let html = """
            <table border=1><tr><td><a href=https://a.example>One</a><td>1</tr>
            <tr><td><a href=https://b.example>Two</a><td>2</tr></table>
            """
        let body = renderHTML(html, columns: 40)
        #expect(body.lines.map(\.text) == ["One [1]  1", "Two [2]  2"])
        #expect(body.links.map(\.text) == ["One", "Two"])
    }

    /// Fails when a table that puts a page in order is taken for data, or numbers its links twice.
    @Test func `a page in a table is read cell by cell`() {
        let html = """
            <table><tr><td><h2>News</h2><p>First story, and its <a href=https://a.example>link</a>.</p></td>
            <td><p>Second story.</p></td></tr></table>
            """
        let body = renderHTML(html, columns: 60)
        #expect(body.lines.map(\.text) == ["News", "", "First story, and its link [1].", "", "Second story."])
        #expect(body.links.map(\.text) == ["link"])
    }

    @Test func `cells that reach over others keep their columns`() {
        let html = """
            <table border=1><tr><th>A<th>B<th>C</tr><tr><td colspan=2>ab<td>c</tr><tr><td rowspan=2>x<td>y<td>z</tr>
            <tr><td>v<td>w</tr></table>
            """
        #expect(lines(html, columns: 40) == ["A   B  C", "──  ─  ─", "ab     c", "x   y  z", "    v  w"])
    }
}
