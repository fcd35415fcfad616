import Glibc
import MailModel
import MailStorage
import TerminalDriver
import Testing

@testable import MailApp

/// What is told of new mail, and how.
struct NewMailTextTests {
    private static func arrival(
        _ number: Int, from sender: String = "ann@client.example", subject: String = "Tide tables",
        mailbox: String? = "info@example.test"
    ) -> Arrival {
        Arrival(
            message: MessageSummary(
                id: MessageID("m\(number)"), threadID: ThreadID("t"), mailboxID: nil, direction: .inbound,
                folder: "inbox", fromAddress: sender, to: [], subject: subject, snippet: "", receivedAt: nil,
                sentAt: nil, readAt: nil, starredAt: nil, hasAttachments: false,
                createdAt: Timestamp(millisecondsSinceEpoch: 0)),
            mailboxAddress: mailbox)
    }

    private static func text(
        _ arrivals: [Arrival], _ detail: NewMailText.Detail = .subject, account: String? = nil
    ) -> [String] {
        NewMailText(arrivals, detail, account: account).map { [$0.title, $0.text] } ?? []
    }

    @Test func `one message is told with its sender and subject, as far as is wanted`() {
        let one = [Self.arrival(1)]
        #expect(Self.text(one) == ["New mail for info@example.test", "From ann@client.example: Tide tables"])
        #expect(Self.text(one, .sender)[1] == "From ann@client.example")
        #expect(Self.text(one, .number)[1] == "1 new message")
        #expect(Self.text(one, account: "work")[0] == "New mail for info@example.test (work)")
        #expect(Self.text([Self.arrival(1, mailbox: nil)])[0] == "New mail")
        #expect(Self.text([Self.arrival(1, subject: " ")])[1] == "From ann@client.example, without a subject")
        #expect(Self.text([]) == [])
    }

    @Test func `a burst is one line`() {
        let twelve = (1...12).map { Self.arrival($0, from: "p\($0 % 5)@x.example") }
        #expect(
            Self.text(twelve)[1]
                == "12 new messages, from p2@x.example, p1@x.example, p0@x.example and 2 others")
        #expect(Self.text(twelve, .number) == ["New mail for info@example.test", "12 new messages"])
        let two = [Self.arrival(1), Self.arrival(2, from: "bo@x.example", mailbox: "sales@example.test")]
        #expect(Self.text(two) == ["New mail", "2 new messages, from bo@x.example and ann@client.example"])
        #expect(Self.text([Self.arrival(1), Self.arrival(2)])[1] == "2 new messages, from ann@client.example")
    }

    /// Fails when what a stranger wrote steers a terminal, is an option of a program, or fills a screen.
    @Test(arguments: [
        "--replace", "\u{1B}]0;x\u{7}", "a\nb", "\u{202E}evil", "\u{9B}2J", String(repeating: "W", count: 9_000),
    ])
    func `what strangers write stays a short line`(_ words: String) {
        for arrivals in [
            [Self.arrival(1, from: words, subject: words, mailbox: words)],
            [Self.arrival(1, from: words), Self.arrival(2, from: words + "2")],
        ] {
            for text in Self.text(arrivals) {
                #expect(text.hasPrefix("New mail") || text.hasPrefix("From ") || text.hasPrefix("2 new"))
                #expect(text.count <= 160)
                #expect(
                    text.unicodeScalars.allSatisfy { scalar in
                        scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value) && scalar.value != 0x202E
                    })
            }
        }
    }
}

/// Which means is chosen.
struct NotifyMeansTests {
    private static func settings(_ text: String) throws -> Settings { try SettingsReader.read(Array(text.utf8)) }

    private static func means(
        _ text: String = "", terminal: Bool = true, contained: Bool = true, _ variables: [String: String] = [:],
        programs: Set<String> = ["notify-send"], sockets: Set<String> = []
    ) throws -> NotifyMeans? {
        NotifyMeans.chosen(
            try settings(text),
            NotifyMeans.Surroundings(
                hasTerminal: terminal, isSelfContained: contained, variable: { variables[$0] },
                isProgram: { programs.contains($0) }, isSocket: { sockets.contains($0) }))
    }

    private static let foot = ["TERM": "foot"]
    private static let bus = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/b"]

    /// Fails when one message would be told twice, or by a way that is not there.
    @Test func `the first means there is is the one`() throws {
        #expect(try Self.means("", Self.foot.merging(Self.bus) { $1 }) == .terminal(.osc777))
        #expect(try Self.means("", terminal: false, Self.foot.merging(Self.bus) { $1 }) == .desktop(bus: nil))
        #expect(try Self.means("notify_command = [\"beep\", \"-x\"]", Self.foot) == .command(["beep", "-x"]))
        #expect(try Self.means("notify.terminal = \"off\"", Self.foot.merging(Self.bus) { $1 }) == .desktop(bus: nil))
        #expect(try Self.means("notify.terminal = \"osc9\"", ["TERM": "xterm"]) == .terminal(.osc9))
        #expect(try Self.means("notify.desktop = \"off\"", Self.bus) == nil)
        #expect(try Self.means("", Self.bus, programs: []) == nil)
        #expect(try Self.means() == nil)
    }

    /// Fails when cron finds no bus where there is one, or a contained run uses the person's.
    @Test func `the bus is found without an environment`() throws {
        let runtime = ["XDG_RUNTIME_DIR": "/run/a b"]
        #expect(
            try Self.means("", terminal: false, runtime, sockets: ["/run/a b/bus"])
                == .desktop(bus: "unix:path=/run/a%20b/bus"))
        #expect(try Self.means("", terminal: false, runtime) == nil)
        let own = "/run/user/\(ownUser)/bus"
        #expect(try Self.means("", terminal: false, sockets: [own]) == nil)
        #expect(
            try Self.means("", terminal: false, contained: false, sockets: [own]) == .desktop(bus: "unix:path=" + own))
    }

    /// Fails when a terminal that would print the sequence is sent it.
    @Test(
        arguments: [
            (["TERM": "xterm-256color"], nil), (["TERM": "linux"], nil), (["TERM": "xterm-kitty"], .osc9),
            (["TERM": "foot-extra"], .osc777), (["TERM": "football"], nil),
            (["TERM": "rxvt-unicode-256color"], .osc777),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .osc777),
            (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], .osc9),
            (["TERM": "tmux-256color", "TERM_PROGRAM": "WezTerm"], nil),
            (["TERM": "foot", "TMUX": "/tmp/x"], nil), (["TERM": "screen", "KITTY_WINDOW_ID": "1"], nil),
        ] as [([String: String], NotificationSequence.Form?)])
    func `only terminals that are known to notify are asked to`(
        _ variables: [String: String], _ form: NotificationSequence.Form?
    ) {
        #expect(NotificationSequence.Form.known { variables[$0] } == form)
    }

    @Test func `a mailbox can be left out, or be the only one`() throws {
        let quiet = try Self.settings("[mailboxes.\"Bulk@x.example\"]\nnotify = \"off\"\n")
        #expect(quiet.notifies("a@x.example") && quiet.notifies(nil) && !quiet.notifies("bulk@X.example"))
        let only = try Self.settings("notify.mail = \"off\"\n[mailboxes.\"a@x.example\"]\nnotify = \"on\"\n")
        #expect(only.notifies("a@x.example") && !only.notifies("b@x.example") && !only.notifies(nil))
    }
}

private let ownUser = getuid()
