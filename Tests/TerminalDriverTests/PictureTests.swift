import TerminalDriver
import TerminalTestSupport
import Testing

/// Pictures that the terminal draws itself.
struct PictureTests {
    private static func open(
        _ variables: [String: String] = [:], term: String = "xterm-256color"
    ) throws -> VirtualTerminal {
        let environment = ["TERM": term, "SWIFT_BACKTRACE": "enable=no"].merging(variables) { $1 }
        let terminal = try VirtualTerminal(DriverTests.probe, environment: environment, columns: 40, rows: 14)
        #expect(terminal.waitFor("ready"))
        return terminal
    }

    private static func screen(_ terminal: VirtualTerminal) -> PictureScreen { PictureScreen(terminal.log) }

    private static func log(_ terminal: VirtualTerminal) -> String { String(decoding: terminal.log, as: UTF8.self) }

    private static func part(row: Int, rows: Int, from first: Int) -> PictureScreen.Part {
        PictureScreen.Part(
            image: 77, row: row, column: 2, columns: 6, rows: rows, source: [0, first * 8, 24, rows * 8])
    }

    /// Fails when the answer becomes keys, whatever pieces it comes in, or another answer is taken for it.
    @Test func `the terminal is asked and its answer is heard`() throws {
        let terminal = try Self.open(["PROBE_GRAPHICS": "1"])
        #expect(Self.screen(terminal).wasAsked)
        terminal.send("\u{1B}_Gi=99;OK\u{1B}\\a")
        #expect(terminal.waitFor("key character(\"a\") 0"))
        for (answer, note) in [("ENOTSUPPORTED:no", "graphics false"), ("OK", "graphics true")] {
            for piece in ["\u{1B}_G", "i=31;", answer, "\u{1B}\\"] { terminal.send(piece) }
            #expect(terminal.waitFor(note), "\(terminal.screen)")
        }
        #expect(EscapeAudit(terminal.log).violations == [])
    }

    /// Fails when a terminal that was not to be asked is asked, or the question stays on one that prints it.
    @Test func `only who may be asked is asked, and the question leaves nothing`() throws {
        #expect(!Self.screen(try Self.open()).wasAsked)
        #expect(!Self.screen(try Self.open(["PROBE_GRAPHICS": "1"], term: "vt100")).wasAsked)
        let asked = try Self.open(["PROBE_GRAPHICS": "1"])
        #expect(Self.log(asked).contains("AAAA\u{1B}\\\r\u{1B}[2K"))
        #expect(!asked.screen.contains("AAAA"))
    }

    @Test(arguments: [
        (["TERM": "xterm-256color"], true, false), (["TERM": "xterm-kitty"], true, false),
        (["TERM": "xterm-256color", "TMUX": "x"], false, true), (["TERM": "tmux-256color"], false, true),
        (["TERM": "screen.xterm-256color"], false, true), (["TERM": "xterm", "STY": "1"], false, true),
        (["TERM": "rxvt-unicode-256color"], false, false), (["TERM": "linux"], false, false),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"], false, false),
    ])
    func `who may be asked is known by the environment`(
        environment: [String: String], mayBeAsked: Bool, isBehind: Bool
    ) {
        #expect(KittyGraphics.mayBeAsked { environment[$0] } == mayBeAsked)
        #expect(KittyGraphics.isBehindAnother { environment[$0] } == isBehind)
    }

    /// Fails when a picture is not where its cells are, is sent again for a move, or stays when its cells are gone.
    @Test func `a picture follows its cells and is sent once`() throws {
        let terminal = try Self.open()
        terminal.send("p")
        #expect(terminal.waitFor("sent"))
        #expect(terminal.wait { !Self.screen($0).parts.isEmpty })
        #expect(Self.screen(terminal).images[77]?.pixels.count == 24 * 32 * 4)
        #expect(Array(Self.screen(terminal).parts.values) == [Self.part(row: 4, rows: 4, from: 0)])
        let steps: [(String, [PictureScreen.Part])] = [
            ("d", [Self.part(row: 5, rows: 4, from: 0)]),
            ("o", [Self.part(row: 5, rows: 1, from: 0), Self.part(row: 7, rows: 2, from: 2)]),
            ("o", [Self.part(row: 5, rows: 4, from: 0)]),
            ("r", [Self.part(row: 5, rows: 4, from: 0)]),
            ("uuuuuuu", [Self.part(row: 0, rows: 2, from: 2)]),
            ("ddddddddddddd", [Self.part(row: 11, rows: 3, from: 0)]), ("g", []),
        ]
        for (keys, wanted) in steps {
            terminal.send(keys)
            #expect(
                terminal.wait(ceiling: 60) { Set(Self.screen($0).parts.values) == Set(wanted) },
                "\(keys): \(Self.screen(terminal).parts)")
        }
        #expect(Self.screen(terminal).uploads == 1 && Self.screen(terminal).faults == [])
        terminal.send("q")
        #expect(terminal.waitForExit() == 0)
        #expect(Self.screen(terminal).images.isEmpty && Self.screen(terminal).parts.isEmpty)
        #expect(EscapeAudit(terminal.log).violations == [])
    }

    /// Fails when pixels are lost or changed on their way, or one that nothing shines through is sent with alpha.
    @Test func `every pixel arrives`() {
        let cell = KittyGraphics.CellSize(width: 10, height: 20)
        for alpha: UInt8 in [255, 7] {
            var pixels: [UInt8] = []
            for number in 0..<4_000 { pixels += [UInt8(number % 251), UInt8(number % 7), UInt8(number % 13), alpha] }
            let upload = KittyGraphics.upload(5, pixels: pixels, width: 100, height: 40, cell: cell)
            let screen = PictureScreen(upload.bytesSent)
            let depth = alpha == 255 ? 3 : 4
            #expect(screen.faults == [])
            #expect(screen.images[5]?.depth == depth)
            let wanted = pixels.indices.filter { $0 % 4 < depth }.map { pixels[$0] }
            #expect(screen.images[5]?.pixels == wanted)
        }
    }
}
