import DisplayText
import MailText
import Testing

@Suite struct SnippetTests {
    static let table: [(snippet: String, subject: String, expected: String)] = [
        ("Hello, the total on page two looks wrong…", "Invoice", "Hello, the total on page two looks wrong…"),
        // Quotes and the lines that announce them.
        (
            "Fine with me. On 2026-08-21 at 09:14 UTC, dana@client.example wrote: > Hello > there", "",
            "Fine with me."
        ),
        ("Yes! On Mon, Aug 21, 2026 at 9:14 AM Dana <dana@client.example> wrote: > Lunch?", "", "Yes!"),
        ("Gerne. Am 21.08.2026 um 09:14 schrieb Dana: > Hallo", "", "Gerne."),
        ("Gerne. Am 21.08.2026 um 09:14 hat Dana <d@x.example> geschrieben: > Hallo", "", "Gerne."),
        ("D'accord. Le 21 août 2026 à 09:14, Dana a écrit : > Bonjour", "", "D'accord."),
        ("Thanks. Dana Berg wrote: > one > two", "", "Thanks."),
        ("Done. -----Original Message----- From: Dana Sent: Monday", "", "Done."),
        ("See below. From: Dana Berg Sent: Monday To: Ann Subject: Plans", "", "See below."),
        ("On the whole it went well. I wrote: nothing.", "", "On the whole it went well."),
        ("Come on 3 May, we are there.", "", "Come on 3 May, we are there."),
        ("The answer is 5 > 3, see you", "", "The answer is 5 > 3, see you"),
        // Nothing of one's own: what was quoted.
        ("On Mon, 2 Nov 2026 Dana wrote: > See you > at nine", "", "See you at nine"),
        ("> See you > at nine", "", "See you at nine"),
        // Signatures and devices.
        ("On my way. Sent from my iPhone", "", "On my way."),
        ("All clear. -- Dana Berg, Harbour Office", "", "All clear."),
        // Newsletters.
        ("View this email in your browser | Tide tables for May", "", "Tide tables for May"),
        ("Having trouble viewing this email? View it online. <https://x.example/abc> Spring sale", "", "Spring sale"),
        ("Tide tables Tide tables for the month of May", "Tide tables", "Tide tables for the month of May"),
        ("Tide tables", "Tide tables", "Tide tables"),
        ("[image: Logo] ======== Hello ---- * * * * you", "", "Hello ---- you"),
        ("Spring&nbsp;sale &amp; more&zwnj;&#8199;&#x2014; now &bogus; &", "", "Spring sale & more — now &bogus; &"),
        ("Deals\u{34F}\u{34F} \u{200C} \u{200C} \u{AD} today", "", "Deals today"),
        // Style sheets that the server took for text.
        ("body{margin:0} .x > a, p { color: red } Hello", "", "Hello"),
        ("@media only screen and (max-width:600px) { .a { width:100% } } Hello", "", "Hello"),
        ("Hello .mso { font-size: 1px", "", "Hello"),
        ("/* Outlook */ #a{x:y}Hello <!-- hidden --> you", "", "Hello you"),
        ("Use {name} in the text", "", "Use {name} in the text"),
        ("", "", ""),
        ("\u{1B}[31mred\u{202E}", "", "[31mred"),
    ]

    @Test(arguments: table)
    func `a snippet keeps the writer's own words`(row: (snippet: String, subject: String, expected: String)) {
        #expect(cleanSnippet(row.snippet, subject: row.subject) == row.expected)
    }

    /// Fails when a strange text ends the program or gets something past the sanitiser.
    @Test func `any text stays one safe line`() {
        var seed: UInt64 = 7
        func next(_ bound: Int) -> Int {
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(seed >> 33) % bound
        }
        let parts = [
            "{", "}", "<http", "[image", "/*", "*/", "<!--", "-->", " > ", "> ", "on 3", " wrote:", "from: ", " sent: ",
            "&#x1b;", "&#8238;", "&lt;", "=====", " ", "日本", "e\u{301}", "\u{1B}", "view online", "-- ", ":", "a", ".x",
        ]
        for _ in 0..<3_000 {
            let text = (0..<next(30)).map { _ in parts[next(parts.count)] }.joined()
            let clean = cleanSnippet(text, subject: parts[next(parts.count)])
            #expect(TextDisplay.sanitizedLine(clean) == clean)
        }
    }
}
