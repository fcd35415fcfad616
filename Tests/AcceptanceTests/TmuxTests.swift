internal import DisplayText
internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import Testing

/// Another terminal than the test's own, with its own idea of how wide a character is.
@Suite(.serialized, .ownThread) struct TmuxTests {
    private static let tmux = "/usr/bin/tmux"
    private static let isThere: Bool = {
        if Files.exists(tmux) { return true }
        print("skipped: tmux is not there")
        return false
    }()

    /// What runs in a session of its own server.
    private struct Session {
        let herald: Herald
        let name: String

        func tmux(_ words: [String]) throws -> String {
            let socket = herald.home.path + "/tmux"
            var plain = herald
            plain.variables["TERM"] = "xterm-256color"
            return try plain.run(words, of: [TmuxTests.tmux, "-u", "-S", socket, "-f", "/dev/null"]).text
        }

        func screen() throws -> [String] {
            try tmux(["capture-pane", "-p", "-t", name]).split(separator: "\n", omittingEmptySubsequences: false)
                .map(String.init)
        }
    }

    /// Fails when tmux and Herald disagree on the width of anything a mail holds.
    @Test(.enabled(if: isThere), arguments: [(80, 24), (200, 50)])
    func `borders stand in tmux where they stand here`(columns: Int, rows: Int) throws {
        let scratch = try Scratch()
        try WidthMail.write(to: scratch)
        let mail = try ImportedMail([scratch.path])
        defer { mail.server.stop() }
        try #require(try mail.herald.run("--sync-once").code == 0)
        let session = Session(herald: mail.herald, name: "herald")
        _ = try session.tmux([
            "new-session", "-d", "-s", session.name, "-x", "\(columns)", "-y", "\(rows)", Herald.program,
        ])
        defer { _ = try? session.tmux(["kill-server"]) }
        #expect(try comesTrue(ceiling: 60) { try session.screen().joined().contains("Width 0") })
        let borders = columns == 80 ? [20] : [28, 29 + (200 - 30) * 9 / 20]
        let lines = try session.screen().prefix(rows - 2)
        for line in lines {
            for border in borders {
                let before = line.prefix { $0 != "│" }
                #expect(TextDisplay.width(of: before) == borders[0], "\(line)")
                #expect(TmuxTests.column(border, of: line) == "│", "\(line)")
            }
        }
        let status = try session.tmux(["display-message", "-p", "-t", session.name, "#{pane_title}"])
        #expect(status.contains("Herald"), "\(status)")
        _ = try session.tmux(["send-keys", "-t", session.name, "Q"])
    }

    /// The character in a column.
    private static func column(_ wanted: Int, of line: String) -> String {
        var column = 0
        for scalar in line.unicodeScalars {
            if column == wanted, TextDisplay.width(of: scalar) > 0 { return String(scalar) }
            column += TextDisplay.width(of: scalar)
        }
        return ""
    }
}

/// Mail whose texts programs measure differently.
enum WidthMail {
    static let texts = [
        "plain", "漢字漢字漢字", "e\u{301}e\u{301}", "👨‍👩‍👧‍👦 family", "🇬🇧🇩🇪 flags", "👍🏽 tone", "❤️ ✉️ 1️⃣ keys", "🏴‍☠️ pirate",
        "שלום", "مرحبا", "ｶﾀｶﾅ", "z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}", "🫨🪿🩷", "க்ஷ தமிழ்", "क्षि",
        "한\u{1112}\u{1161}\u{11AB}",
        "soft\u{AD}hyphen", "\u{3000}wide", "①②③ ambiguous ·°±", "\u{FE0F}\u{200B}",
    ]

    static func write(to scratch: Scratch) throws {
        for (number, text) in texts.enumerated() {
            try scratch.write(
                "w\(number).eml",
                """
                From: \(text) <from\(number)@client.example>
                To: info@example.test
                Subject: Width \(number) \(text) \(text)
                Date: Mon, 02 Nov 2026 10:\(number < 10 ? "0" : "")\(number):00 +0000
                Message-ID: <width\(number)@client.example>
                MIME-Version: 1.0
                Content-Type: text/plain; charset=utf-8

                \(text) \(text)

                """)
        }
    }
}
