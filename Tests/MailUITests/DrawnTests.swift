import MailModel
import MailUI
import TerminalUI
import Testing

/// Whole screens, drawn in the test: before, keys, after.
struct DrawnTests {
    private static func state(columns: Int, rows: Int) -> AppState {
        var invoice = Fixture.row("dana", second: 1_000_000, subject: "Invoice 1042", unread: 1)
        invoice.people = ["lee@example.org"]
        invoice.hasAttachments = true
        invoice.shown.snippet = "The total looks wrong. On 3 May Ann wrote: > It is right"
        var wide = Fixture.row("田中", second: 900_000, subject: "電池カバーの部品について")
        wide.messageCount = 1
        wide.isStarred = true
        wide.shown.snippet = "早速の返信"
        var sent = Fixture.row("me", second: 500_000, subject: "Re: e\u{301}clair 👨‍👩‍👧")
        sent.messageCount = 2
        sent.shown.direction = .outbound
        sent.shown.to = ["sam@client.example"]
        var state = Fixture.state(columns: columns, rows: rows, [invoice, wide, sent])
        _ = state.update(.clock(secondsSinceEpoch: 1_000_100, utcOffsetSeconds: 0))
        return state
    }

    private func expect(_ state: AppState, _ drawn: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let shown = state.screen.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
        #expect(shown == drawn, "\n\(shown)\n", sourceLocation: sourceLocation)
    }

    @Test func `a list of 80 columns`() {
        var state = DrawnTests.state(columns: 80, rows: 11)
        expect(
            state,
            """
            ▾ All mailboxes     │● @ dana, lee     (3) Invoice 1042  The total looks…  13:46
              › Inbox           │ ★  田中@example.org  電池カバーの部品について          Sun
                Starred         │    To: sam       (2) Re: éclair 👨👩👧  Snippet é …    Tue
                Sent            │
                Drafts          │
                Archive         │
                Trash           │
                Catch-all       │
                                │
                                │
             example · not synced yet                                                1 of 3
            """)
        _ = state.press("j")
        #expect(state.draw().cursor == Position(row: 1, column: 21))
        #expect((21..<80).allSatisfy { state.draw()[1, $0].style.reverse && !state.draw()[0, $0].style.reverse })
        #expect((21..<45).allSatisfy { state.draw()[0, $0].style.bold && !state.draw()[1, $0].style.bold })
    }

    @Test func `a list of 40 columns`() {
        let state = DrawnTests.state(columns: 40, rows: 8)
        expect(
            state,
            """
             All mailboxes › Inbox
            ● @ dana, l… (3) Invoice 1042      13:46
             ★  田中         電池カバーの部…     Sun
                To: sam  (2) Re: éclair 👨👩…    Tue



             example · not synced yet        1 of 3
            """)
    }

    @Test func `the smallest window`() {
        var state = DrawnTests.state(columns: 20, rows: 5)
        expect(
            state,
            """
             Inbox
            ●@ dana,… Invoice 1…
             ★ 田中   電池カバ…
               To: s… Re: éclai…
             not synced… 1 of 3
            """)
        _ = state.update(.resized(Size(columns: 19, rows: 5)))
        expect(
            state,
            """
            Herald needs a
            window of 20
            columns and 4 rows.


            """)
    }
}
