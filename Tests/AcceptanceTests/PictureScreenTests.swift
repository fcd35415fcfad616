internal import Glibc
internal import LocalServer
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// Pictures of mail on a terminal that draws them itself.
struct PictureScreenTests {
    private static func letter(_ picture: [UInt8]) -> String {
        let below = (1...60).map { "<p>Line \($0)</p>" }.joined(separator: "\r\n")
        return """
            From: Ann <ann@client.example>\r
            To: info@example.test\r
            Subject: With a picture\r
            Date: Tue, 03 Nov 2026 10:00:00 +0000\r
            Message-ID: <pic@client.example>\r
            MIME-Version: 1.0\r
            Content-Type: multipart/related; boundary="cut"\r
            \r
            --cut\r
            Content-Type: text/html; charset=utf-8\r
            \r
            <p>Above</p><p><img src="cid:one@x" alt="lake" width="160" height="64"></p>\r
            \(below)\r
            --cut\r
            Content-Type: image/png; name="lake.png"\r
            Content-ID: <one@x>\r
            Content-Disposition: inline; filename="lake.png"\r
            Content-Transfer-Encoding: base64\r
            \r
            \(base64(picture))\r
            --cut--\r

            """
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let three = bytes[start..<min(bytes.count, start + 3)]
            let value = three.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - three.count))
            for index in 0..<4 { text.append(index <= three.count ? letters[value >> (18 - 6 * index) & 63] : "=") }
            if start % 57 == 54 { text += "\r\n" }
        }
        return text
    }

    /// A list with a mail that has a picture, in a terminal.
    private static func open() throws -> (VirtualTerminal, Setting) {
        let setting = try Setting()
        try setting.control(
            "/deliver?to=info@example.test", body: letter(PictureFile.png(width: 160, height: 64)))
        let terminal = try setting.herald.open(columns: 80, rows: 30)
        terminal.hidesPictures = true
        #expect(terminal.waitFor("With a picture", ceiling: 60), "\(terminal.screen)")
        return (terminal, setting)
    }

    private static let ok = "\u{1B}_Gi=31;OK\u{1B}\\"

    private static func parts(_ terminal: VirtualTerminal) -> [PictureScreen.Part] {
        PictureScreen(terminal.log).parts.values.sorted { $0.row < $1.row }
    }

    /// Fails when a terminal that says yes gets letters, the picture is not at its rows while one scrolls, covers what
    /// is drawn over it, comes twice, or is still there after the end.
    @Test func `a picture is drawn by the terminal and follows the text`() throws {
        let (terminal, setting) = try Self.open()
        defer { setting.server.stop() }
        #expect(PictureScreen(terminal.log).wasAsked)
        terminal.send(Self.ok + "gg\r")
        #expect(terminal.waitFor("Above", ceiling: 60), "\(terminal.screen)")
        #expect(terminal.wait(ceiling: 60) { Self.parts($0).count == 1 }, "\(terminal.screen)")
        let row = (0..<30).first { terminal.line($0).contains("[image: lake]") } ?? 0
        #expect(Self.parts(terminal).first?.row == row + 1, "\(terminal.screen)")
        #expect(Self.parts(terminal).first?.source == [0, 0, 160, 64])
        #expect(PictureScreen(terminal.log).images.values.map(\.pixels.count) == [160 * 64 * 3])
        terminal.send("2j")
        #expect(terminal.wait(ceiling: 60) { Self.parts($0).first?.row == row - 1 }, "\(Self.parts(terminal))")
        terminal.send("\(row + 1)j")
        #expect(terminal.wait(ceiling: 60) { Self.parts($0).first.map { $0.row == 0 && $0.rows < 4 } ?? false })
        terminal.send("gg?")
        #expect(terminal.wait(ceiling: 60) { Self.parts($0).isEmpty })
        terminal.send("?")
        #expect(terminal.wait(ceiling: 60) { Self.parts($0).count == 1 })
        terminal.send("\u{C}")
        #expect(terminal.waitForIdle(ceiling: 60))
        #expect(Self.parts(terminal).count == 1)
        terminal.send("q")
        #expect(terminal.wait(ceiling: 60) { Self.parts($0).isEmpty })
        #expect(!terminal.screen.contains("▀"))
        terminal.send("Q")
        #expect(terminal.waitForExit(ceiling: 60) == 0)
        let end = PictureScreen(terminal.log)
        #expect(end.uploads <= 2 && end.images.isEmpty && end.faults == [])
        #expect(EscapeAudit(terminal.log).violations == [])
    }

    /// Fails when a silent terminal waits for its answer, or letters stay after a late one.
    @Test func `without an answer letters are drawn, and a late answer changes them`() throws {
        let (terminal, setting) = try Self.open()
        defer { setting.server.stop() }
        terminal.send("gg\r")
        #expect(terminal.waitForIdle(ceiling: 60))
        #expect(PictureScreen(terminal.log).images.isEmpty)
        terminal.send(Self.ok)
        #expect(terminal.wait(ceiling: 60) { Self.parts($0).count == 1 }, "\(terminal.screen)")
        terminal.send("|true\r")
        #expect(terminal.waitFor("Press any key", ceiling: 60), "\(terminal.screen)")
        #expect(PictureScreen(terminal.log).images.isEmpty)
        terminal.send("x")
        #expect(terminal.wait(ceiling: 60) { Self.parts($0).count == 1 }, "\(terminal.screen)")
        terminal.send("Q")
        #expect(terminal.waitForExit(ceiling: 60) == 0)
        #expect(PictureScreen(terminal.log).faults == [])
    }

    /// Fails when a setting does not decide, or a terminal behind tmux is sent anything about pictures.
    @Test(arguments: [("kitty", false, true), ("symbols", false, false), ("kitty", true, false), ("auto", true, false)])
    func `settings and surroundings decide who draws`(setting word: String, isTmux: Bool, draws: Bool) throws {
        var setting = try Setting()
        defer { setting.server.stop() }
        if isTmux { setting.herald.variables["TMUX"] = "/tmp/none,1,0" }
        try Files.makeDirectory(setting.herald.home.path + "/h/config")
        try setting.herald.home.write("h/config/config.toml", "[reader]\nimages = \"\(word)\"\n")
        try setting.control(
            "/deliver?to=info@example.test", body: Self.letter(PictureFile.png(width: 160, height: 64)))
        let terminal = try setting.herald.open(columns: 80, rows: 30)
        terminal.hidesPictures = true
        #expect(terminal.waitFor("With a picture", ceiling: 60), "\(terminal.screen)")
        terminal.send("gg\r")
        #expect(terminal.waitFor("Above", ceiling: 60), "\(terminal.screen)")
        #expect(terminal.waitForIdle(ceiling: 60))
        let pictures = PictureScreen(terminal.log)
        #expect(!pictures.wasAsked && pictures.parts.isEmpty != draws)
        terminal.send("Q")
        #expect(terminal.waitForExit(ceiling: 60) == 0)
    }

    /// Fails when a letter that is no ASCII reaches a terminal whose locale has another charset.
    @Test(arguments: [["LANG": "de_DE.ISO-8859-1"], ["LC_ALL": "C"]])
    func `a terminal without UTF-8 gets ASCII alone`(variables: [String: String]) throws {
        var setting = try Setting(body: "Grüße — “so” • 日本")
        defer { setting.server.stop() }
        for (name, value) in variables { setting.herald.variables[name] = value }
        let terminal = try setting.herald.open(columns: 120, rows: 30)
        #expect(terminal.waitFor(Setting.subject, ceiling: 60), "\(terminal.screen)")
        terminal.send("gg\r")
        #expect(terminal.waitFor("Gruse - \"so\" * ? ?", ceiling: 60), "\(terminal.screen)")
        terminal.send("?G")
        #expect(terminal.waitFor("Marks: N unread  * starred", ceiling: 60), "\(terminal.screen)")
        terminal.send("Q")
        #expect(terminal.waitForExit(ceiling: 60) == 0)
        #expect(terminal.log.allSatisfy { $0 < 0x80 })
    }

    /// Fails when a held key fills the line's time with work that grows with the line.
    @Test func `a line takes thousands of typed letters`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        let terminal = try setting.herald.open()
        #expect(terminal.waitFor(Setting.subject, ceiling: 60), "\(terminal.screen)")
        terminal.send(":" + String(repeating: "x", count: 20_000))
        #expect(terminal.waitForIdle(ceiling: 60))
        #expect(terminal.line(22).contains(" :x"), "\(terminal.screen)")
        terminal.send("\u{3}\u{3}")
        #expect(terminal.waitForExit(ceiling: 60) == 0)
    }
}
