import Platform
import Testing

@testable import MailApp

/// How links are opened.
struct LinkOpenerTests {
    private static let page = "https://example.com/a?b=c&d=$(touch%20x)"

    /// Fails when `BROWSER` is not followed as other programs follow it, or a shell would see the address.
    @Test(arguments: [
        ("firefox", [["firefox", page]]), ("firefox --new-window", [["firefox", "--new-window", page]]),
        ("a %s -x:b", [["a", page, "-x"], ["b", page]]), ("a --url=%s", [["a", "--url=" + page]]),
        (" : ", [["xdg-open", page]]), ("sh -c 'x %s'", [["sh", "-c", "'x", page + "'"]]), ("", [["xdg-open", page]]),
    ])
    func `the browser is the one of the environment`(browser: String, words: [[String]]) {
        #expect(LinkOpener.way(Self.page) { $0 == "BROWSER" ? browser : nil } == .programs(words))
    }

    @Test func `mail addresses go to the mail program`() {
        let way = LinkOpener.way("mailto:a@example.org") { $0 == "BROWSER" ? "firefox" : nil }
        #expect(way == .programs([["xdg-open", "mailto:a@example.org"]]))
    }

    /// Fails when a link opens on the screen of a machine the person does not sit at.
    @Test func `at a distance without a screen the link is copied`() {
        var variables = ["SSH_CONNECTION": "1 2 3 4"]
        #expect(LinkOpener.way(Self.page) { variables[$0] } == .clipboard)
        variables["DISPLAY"] = "localhost:10"
        #expect(LinkOpener.way(Self.page) { variables[$0] } == .programs([["xdg-open", Self.page]]))
    }

    @Test(arguments: [
        "file:///etc/passwd", "javascript:x", "tel:1", "ftp://x/", "-x", "", "https://a b", "https://a\u{1B}",
        "https://é",
        "HTTPS://a",
    ])
    func `nothing else is opened`(address: String) {
        #expect(LinkOpener.way(address) { _ in nil } == nil)
    }

    /// Fails when a program that is missing or fails goes without a word.
    @Test func `failures are told`() async {
        #expect(await LinkOpener.start([["/nowhere/herald-test", "x"]])?.contains("There is no program") == true)
        #expect(await LinkOpener.start([["/nowhere/herald-test", "x"], ["/bin/true", "x"]]) == nil)
        #expect(await LinkOpener.start([["/bin/false", "x"]])?.contains("ended with an error") == true)
    }
}
