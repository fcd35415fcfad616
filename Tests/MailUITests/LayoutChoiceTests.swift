import DisplayText
import MailModel
import MailText
import TerminalUI
import Testing

@testable import MailUI

/// What people choose of the screen: the sidebar, the line of hints, the form of a message.
struct LayoutChoiceTests {
    /// Fails when the key leaves a gap where the sidebar was, nobody can tell where they are, or it does not come back.
    @Test(arguments: [80, 120, 200]) func `the sidebar goes and comes by a key`(columns: Int) {
        var state = Fixture.state(columns: columns, rows: 20, [Fixture.row("a"), Fixture.row("b")])
        let before = state.screen
        #expect(before.contains("Starred"))
        _ = state.press("B")
        #expect(!state.screen.contains("Starred"))
        #expect(state.draw().rowText(0).contains("All mailboxes › Inbox"))
        #expect(state.draw().cursor == Position(row: 1, column: 0))
        _ = state.update(.input(.plain(.enter)))
        #expect(!state.screen.contains("Starred"))
        _ = state.press("qB")
        #expect(state.screen == before)
    }

    @Test func `where there is no room the key says so`() {
        var state = Fixture.state(columns: 60, rows: 20, [Fixture.row("a")])
        let effects = state.press("B")
        #expect(effects == [.bell] && state.screen.contains("There is no room"))
    }

    /// Fails when the line stays, or prompts and beginnings of keys break without it.
    @Test func `the line of hints can be left out`() {
        var state = Fixture.state(columns: 80, rows: 20, [Fixture.row("a")])
        #expect(state.draw().rowText(19).contains("? help"))
        state.presentation.hasHints = false
        _ = state.update(.resized(Size(columns: 80, rows: 20)))
        #expect(!state.screen.contains("? help"))
        #expect(state.draw().rowText(19).contains("example"))
        _ = state.press("g")
        #expect(state.screen.contains("inbox"))
        _ = state.update(.input(.plain(.escape)))
        _ = state.press(":")
        #expect(state.draw().rowText(19).hasPrefix(" :"))
    }

    private static func reading(text: String, html: String?) -> AppState {
        var message = Fixture.message("a", text: text)
        message.detail?.htmlAvailable = html != nil
        message.html = html.map {
            MessageHTML(
                html: $0, quotedHTML: nil, afterQuotedHTML: nil, hasRemoteImages: false, remoteMediaTrusted: false)
        }
        var state = Fixture.state(columns: 80, rows: 24, [Fixture.row("a")])
        _ = state.update(.input(.plain(.enter)))
        _ = state.update(.conversationLoaded(ThreadID("a"), [message]))
        return state
    }

    /// Fails when the form that is preferred is not the one shown, hides mail that has only the other, or beats a key.
    @Test func `the preferred form is shown where it is there`() {
        var state = Self.reading(text: "Words of the text.", html: "<p>Words of HTML.</p>")
        #expect(state.screen.contains("Words of the text."))
        for (form, words) in [(BodyForm.html, "Words of HTML."), (.text, "Words of the text.")] {
            state.setPreferredForm(form)
            _ = state.update(.resized(Size(columns: 80, rows: 24)))
            #expect(state.screen.contains(words), "\(form)")
        }
        _ = state.press("zh")
        #expect(state.screen.contains("Words of HTML."))
        for form in [BodyForm.html, .text] {
            for (text, html) in [("Alone.", nil), ("", "<p>Alone.</p>"), ("Alone.", "<p> </p>")] {
                var state = Self.reading(text: text, html: html)
                state.setPreferredForm(form)
                _ = state.update(.resized(Size(columns: 80, rows: 24)))
                #expect(state.screen.contains("Alone."), "\(form)")
            }
        }
    }

    /// Fails when one of the two forms cannot be reached, or folded quotes and the place are lost on the way.
    @Test func `text and HTML are shown in turn`() {
        var state = Self.reading(text: "The words of the text.", html: "<p>The words of the <b>page</b>.</p>")
        #expect(state.screen.contains("of the text."))
        for _ in 0..<2 {
            _ = state.press("zh")
            #expect(state.screen.contains("of the page.") && !state.screen.contains("of the text."))
            #expect(state.screen.contains("The HTML of the message is shown."))
            _ = state.press("zh")
            #expect(state.screen.contains("of the text."))
        }
    }

    /// Fails when HTML that stands in for a poor text cannot be left for it.
    @Test func `a text that is a notice can be seen`() {
        var state = Self.reading(
            text: "Your program does not support HTML mail.", html: "<p>The words of the page.</p>")
        #expect(state.screen.contains("of the page."))
        _ = state.press("zh")
        #expect(state.screen.contains("does not support HTML"))
    }

    @Test(arguments: [
        ("Words.", nil, "This message has no HTML."), (" ", "<p>x</p>", "This message has no text but its HTML."),
    ])
    func `mail with one form says so`(text: String, html: String?, sentence: String) {
        var state = Self.reading(text: text, html: html)
        #expect(state.press("zh") == [.bell])
        #expect(state.screen.contains(sentence))
    }

    /// Fails when a profile takes the last key of something that its people do with a file.
    @Test(arguments: KeyProfile.allCases) func `files are reached in every profile`(_ profile: KeyProfile) throws {
        let map = try KeyMap(profile: profile)
        let wanted: [(ActionID, ActionContext)] = [
            (.attachments, .reader), (.saveMessage, .reader), (.pipe, .reader), (.openAttachment, .attachments),
            (.saveAttachment, .attachments), (.saveAll, .attachments), (.back, .attachments), (.openLink, .reader),
            (.copyLink, .reader), (.togglePictures, .reader), (.toggleForm, .reader), (.toggleSidebar, .list),
        ]
        for (id, context) in wanted { #expect(!map.keys(of: id, in: context).isEmpty, "\(id) \(context)") }
    }
}
