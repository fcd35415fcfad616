import DisplayText
import MailModel
import MailText
import Testing

/// Where links truly go, and what to know of those that are not what they seem.
struct LinkTests {
    /// Fails when an address is taken apart differently than browsers take it.
    @Test(arguments: [
        ("https://example.com", "example.com", "https://example.com/"),
        ("HTTPS://Example.COM:8443/A b?q=\u{E9}#x", "example.com", "https://example.com:8443/A%20b?q=%C3%A9#x"),
        ("http:\\\\evil.example\\path\\x?a\\b", "evil.example", "http://evil.example/path/x?a%5Cb"),
        ("https:evil.example/x", "evil.example", "https://evil.example/x"),
        ("https:////evil.example/x", "evil.example", "https://evil.example/x"),
        ("https://paypal.com@evil.example/login", "evil.example", "https://paypal.com@evil.example/login"),
        ("https://a@b@evil.example", "evil.example", "https://a@b@evil.example/"),
        ("https://good.example\\@evil.example", "good.example", "https://good.example/@evil.example"),
        ("https://%65vil.example/", "evil.example", "https://evil.example/"),
        ("https://\u{FF45}vil\u{3002}example/", "evil.example", "https://evil.example/"),
        ("https://ev\u{AD}il\u{200B}.example/", "evil.example", "https://evil.example/"),
        ("https://m\u{FC}nchen.example/", "xn--mnchen-3ya.example", "https://xn--mnchen-3ya.example/"),
        ("https://xn--mnchen-3ya.example/", "xn--mnchen-3ya.example", "https://xn--mnchen-3ya.example/"),
        ("http://0x7f.1/", "127.0.0.1", "http://127.0.0.1/"),
        ("http://2130706433", "127.0.0.1", "http://127.0.0.1/"),
        ("http://0177.0.0.1:80", "127.0.0.1", "http://127.0.0.1:80/"),
        ("http://[::1]:8080/x", "[::1]", "http://[::1]:8080/x"),
        ("ht\ntp://example.com/\u{202E}gnp", "example.com", "http://example.com/%E2%80%AEgnp"),
        ("mailto:a.b@Example.org?subject=x y", "example.org", "mailto:a.b@example.org?subject=x%20y"),
        ("https://example.com./x", "example.com", "https://example.com/x"),
    ])
    func `an address is read as browsers read it`(source: String, host: String, whole: String) throws {
        let address = try #require(LinkAddress(source))
        #expect(address.host?.ascii == host)
        #expect(address.text == whole)
        #expect(address.refusal == nil)
        #expect(LinkAddress(address.text)?.text == whole)
    }

    /// Fails when something would be opened that is no page and no mail address.
    @Test(arguments: [
        "tel:+4912345", "ftp://example.com/x", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd",
        "http://", "https:///", "https://exa mple.com/", "https://a..b/", "https://1.2.3.4.5/",
        "https://example.com:x/",
        "https://[::1", "mailto:", "mailto:nobody", "vbscript:x", "https://a%00b.example/", "https://a%2Fb.example/",
        "https://" + String(repeating: "a", count: 300), "https://example.com/" + String(repeating: "a", count: 9_000),
    ])
    func `other addresses are refused with a sentence`(source: String) throws {
        let address = try #require(LinkAddress(source))
        let refusal = try #require(address.refusal)
        #expect(refusal.hasSuffix("."))
        #expect(TextDisplay.sanitizedLine(refusal) == refusal)
    }

    @Test(arguments: ["", "example.com", "//example.com", "/x", "#top", ":x", "1http://x", "h ttp://x"])
    func `what has no scheme is no address`(source: String) {
        #expect(LinkAddress(source) == nil)
    }

    /// Fails when an address has a byte that a terminal or a program could take for something else.
    @Test func `an address is made of printable letters of ASCII whatever it is read from`() {
        let heads = ["https://", "http:", "mailto:a@", "https://u@", "tel:", "https://example.com/"]
        for head in heads {
            for value in (0..<0x2FF).map({ UInt32($0) }) + [0x202E, 0x2066, 0xFEFF, 0xE0041, 0xFFFD, 0x1F600] {
                guard let scalar = Unicode.Scalar(value),
                    let address = LinkAddress("\(head)a\(scalar)b.example/\(scalar)")
                else { continue }
                #expect(address.text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(head) U+\(value)")
            }
        }
    }

    /// Fails when a name is not shown in both its forms.
    @Test(arguments: [
        ("xn--mnchen-3ya.example", "m\u{FC}nchen.example"),
        ("xn--80ak6aa92e.com", "\u{430}\u{440}\u{440}\u{4CF}\u{435}.com"),
        ("xn--fsqu00a.xn--0zwm56d", "\u{4F8B}\u{5B50}.\u{6D4B}\u{8BD5}"), ("xn--a.example", "xn--a.example"),
        ("xn--.example", "xn--.example"), ("plain.example", "plain.example"),
    ])
    func `a host has its coded and its own form`(coded: String, own: String) throws {
        let host = try #require(LinkAddress("https://\(coded)/")?.host)
        #expect(host.ascii == coded)
        #expect(host.unicode == own)
        if own != coded { #expect(LinkAddress("https://\(own)/")?.host?.ascii == coded) }
    }
}

/// Which links are flagged.
struct LinkWarningTests {
    private func warnings(_ text: String, _ source: String) throws -> [LinkWarning] {
        LinkWarning.of(text: text, address: try #require(LinkAddress(source)))
    }

    /// Fails when an honest link is flagged, so that people stop to look at the sign.
    @Test(arguments: [
        ("Read more", "https://example.com/x"), ("example.com", "https://example.com/x"),
        ("www.example.com", "https://example.com/"), ("https://example.com/a/b", "https://www.example.com/a/b"),
        ("EXAMPLE.com.", "https://shop.example.com/"), ("info@example.org", "mailto:info@example.org?subject=Hi"),
        ("Info@Example.org", "mailto:info@example.org"), ("report.pdf", "https://files.example/1"),
        ("Node.js", "https://nodejs.example/"), ("e.g.", "https://example.com/"), ("v1.2.3", "https://example.com/"),
        ("See chapter 2.3 of the book", "https://example.com/"), ("m\u{FC}nchen.de", "https://xn--mnchen-3ya.de/"),
        ("Stra\u{DF}e", "https://m\u{FC}nchen.de/"), ("\u{6771}\u{4EAC}", "https://\u{6771}\u{4EAC}.jp/"),
        (
            "\u{43F}\u{440}\u{438}\u{432}\u{435}\u{442}",
            "https://\u{43F}\u{440}\u{438}\u{432}\u{435}\u{442}.\u{440}\u{444}/"
        ),
        ("\u{430}\u{441}\u{435}", "https://\u{430}\u{441}\u{435}.\u{440}\u{444}/"),
        ("\u{43A}\u{43E}\u{444}\u{435}", "https://\u{43A}\u{43E}\u{444}\u{435}.com/"), ("call us", "tel:+123"),
        ("Dr. Smith, M.Sc.", "https://example.com/"), ("a@b", "https://example.com/"), ("", "https://example.com/"),
        ("News.com: the news of today", "https://click.example/1"), ("http://192.0.2.7/x", "http://192.0.2.7/x"),
        ("192.0.2.7", "http://192.0.2.7/"), ("http://www.example.com's", "http://www.example.com's"),
        ("https://example.com:8443/", "https://example.com/"), ("user@example.com", "https://example.com/profile"),
    ])
    func `an honest link is not flagged`(text: String, source: String) throws {
        #expect(try warnings(text, source) == [])
    }

    /// Fails when a text that names one place and leads to another is not flagged.
    @Test(arguments: [
        ("paypal.com", "https://evil.example/", "paypal.com", "evil.example"),
        (
            "https://www.paypal.com/login", "https://paypal.com.evil.example/", "www.paypal.com",
            "paypal.com.evil.example"
        ),
        ("Go to www.bank.co.uk now", "https://bank.example/", "www.bank.co.uk", "bank.example"),
        ("PayPal.com", "https://evil.example/", "paypal.com", "evil.example"),
        ("Go to PayPal.com/login", "https://evil.example/", "paypal.com", "evil.example"),
        ("Visit paypal.com today!", "https://evil.example/", "paypal.com", "evil.example"),
        ("<https://a.example/x>", "https://b.example/", "a.example", "b.example"),
        ("support@bank.com", "mailto:thief@evil.example", "bank.com", "evil.example"),
        ("support@bank.com", "mailto:thief@bank.com", "support@bank.com", "thief@bank.com"),
        ("login.bank.com", "https://evil.bank.com/", "login.bank.com", "evil.bank.com"),
        ("m\u{FC}nchen.de", "https://munchen.de/", "xn--mnchen-3ya.de", "munchen.de"),
        ("notpaypal.com", "https://paypal.com/", "notpaypal.com", "paypal.com"),
        ("192.0.2.7.com", "https://evil.example/", "192.0.2.7.com", "evil.example"),
        ("https://good.example@evil.example/", "https://third.example/", "evil.example", "third.example"),
    ])
    func `a shown host that is not the target is flagged`(
        text: String, source: String, shown: String, target: String
    ) throws {
        #expect(try warnings(text, source) == [.differs(shown: shown, target: target)])
    }

    /// Fails when a trick of writing goes unseen.
    @Test(arguments: [
        ("https://paypal.com@evil.example/", LinkWarning.user(target: "evil.example")),
        ("https://user:word@evil.example/", .user(target: "evil.example")),
        ("http://192.0.2.7/x", .numericHost), ("http://[2001:db8::1]/", .numericHost),
        ("http://3221225991/", .numericHost),
        ("https://\u{440}\u{430}\u{443}\u{440}\u{430}l.com/", .lookalike(ascii: "xn--l-7sba6dbr.com")),
        ("https://xn--80ak6aa92e.com/", .lookalike(ascii: "xn--80ak6aa92e.com")),
        ("https://\u{3B1}\u{3C1}\u{3C1}\u{3BF}.com/", .lookalike(ascii: "xn--mxaba4c.com")),
        ("https://b\u{131}g.example/", .lookalike(ascii: "xn--bg-hpa.example")),
        ("https://example.com\u{2215}x.evil.example/", .lookalike(ascii: "example.xn--comx-w99a.evil.example")),
        ("https://%65vil.example/", .disguised), ("https:\\\\evil.example", .disguised),
        ("https:/evil.example", .disguised),
        ("https://ev\u{200D}il.example/", .disguised), ("https://\u{FF45}vil.example/", .disguised),
        ("https://evil.example/\u{202E}fdp.exe", .hiddenOrder), ("https://\u{2066}evil.example/", .hiddenOrder),
    ])
    func `a trick is flagged`(source: String, expected: LinkWarning) throws {
        let found = try warnings("Read more", source)
        #expect(found.contains { LinkWarningTests.isSameKind($0, expected) }, "\(found)")
        for warning in found { #expect(warning.sentence.hasSuffix(".")) }
    }

    private static func isSameKind(_ one: LinkWarning, _ other: LinkWarning) -> Bool {
        if case .lookalike = one, case .lookalike = other { return true }
        return one == other
    }

    /// Fails when a text whose order is turned around is shown without a sign.
    @Test func `a text with hidden order is flagged`() throws {
        #expect(try warnings("moc.lapyap\u{202E}", "https://example.com/").contains(.hiddenOrder))
    }

    /// Fails when the lines do not show which links to look at, or the sign makes a line too wide.
    @Test(arguments: [30, 80]) func `a flagged link has a sign behind its number`(columns: Int) {
        let html = """
            <p>Please log in at <a href="https://evil.example/">https://www.paypal.com/login</a> today, or read
            <a href="https://example.com/">our page</a> at <a href="https://example.com/b">example.com</a>.</p>
            """
        let body = renderHTML(html, columns: columns)
        #expect(body.text.contains("[1]⚠"))
        #expect(!body.text.contains("[2]⚠") && !body.text.contains("[3]⚠"))
        #expect(body.links.map { $0.warnings.count } == [1, 0, 0])
        for line in body.lines { #expect(TextDisplay.width(of: line.text) <= columns) }
    }

    /// Fails when a later text of an address that was shown before goes unchecked.
    @Test func `each text of an address is checked`() {
        let html = #"<a href="https://e.example/">here</a> and <a href="https://e.example/">bank.com</a>"#
        let body = renderHTML(html, columns: 80)
        #expect(body.text == "here [1] and bank.com [1]⚠")
        #expect(body.links.map { $0.warnings.count } == [1])
    }
}
