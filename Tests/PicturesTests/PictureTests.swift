import MailTestSupport
import Platform
import TerminalTestSupport
import Testing

@testable import Pictures

/// Whether the libraries that draw are here; says so when not, since tests are then skipped.
enum PictureLibraries {
    static let areHere: Bool = {
        let names = ["libchafa.so.0", "libgdk_pixbuf-2.0.so.0"]
        let directories = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]
        if names.allSatisfy({ name in directories.contains { Files.exists("\($0)/\(name)") } }) { return true }
        Files.writeAll(2, Array("Skipped: drawing pictures needs libchafa0 and libgdk-pixbuf-2.0-0.\n".utf8))
        return false
    }()
}

struct PictureProcessTests {
    private static let herald = builtProgram("herald")
    private static let room = PictureRoom(columns: 40, rows: 12, form: .cells(colors: 256))

    private func draw(_ bytes: [UInt8], _ room: PictureRoom = room) async -> Result<DrawnPicture, PictureFailure> {
        do {
            return .success(try await PictureProcess.draw(bytes, in: room, program: Self.herald))
        } catch {
            return .failure(error)
        }
    }

    /// Fails when a picture is drawn in wrong colours, turned or stretched.
    @Test(.enabled(if: PictureLibraries.areHere)) func `a picture is drawn as large as it is`() async throws {
        let picture = try await draw(PictureFile.png(width: 160, height: 64)).get()
        #expect((picture.width, picture.height) == (160, 64))
        #expect((picture.columns, picture.rows) == (20, 4))
        guard case .cells(let cells) = picture.content else { return #expect(Bool(false)) }
        #expect(cells.count == 80)
        // The palette's pure red and blue, either as the letter or as what is behind it.
        let (left, right) = (cells[0], cells[19])
        let (red, blue): (Set<UInt8>, Set<UInt8>) = ([9, 196], [12, 21])
        #expect(!red.isDisjoint(with: [left.foreground, left.background].compactMap { $0 }))
        #expect(!blue.isDisjoint(with: [right.foreground, right.background].compactMap { $0 }))
    }

    @Test(.enabled(if: PictureLibraries.areHere), arguments: [(1, 1), (4_000, 20), (20, 3_000), (600, 500)])
    func `a picture of any shape fits its room`(width: Int, height: Int) async throws {
        let picture = try await draw(PictureFile.png(width: width, height: height)).get()
        #expect((1...40).contains(picture.columns) && (1...12).contains(picture.rows))
        #expect((picture.width, picture.height) == (width, height))
    }

    /// Fails when a terminal is sent colours that it does not have.
    @Test(.enabled(if: PictureLibraries.areHere), arguments: [(16, 16), (8, 8), (2, 0)])
    func `no more colours are used than there are`(colors: Int, limit: Int) async throws {
        let room = PictureRoom(columns: 20, rows: 5, form: .cells(colors: colors))
        let picture = try await draw(PictureFile.png(width: 160, height: 64), room).get()
        guard case .cells(let cells) = picture.content else { return #expect(Bool(false)) }
        for cell in cells {
            for color in [cell.foreground, cell.background] { #expect(color.map { Int($0) < limit } ?? true) }
        }
    }

    @Test(.enabled(if: PictureLibraries.areHere)) func `pixels are what the cells have room for`() async throws {
        let room = PictureRoom(columns: 10, rows: 5, form: .pixels(cellWidth: 10, cellHeight: 20))
        let picture = try await draw(PictureFile.png(width: 400, height: 100), room).get()
        guard case .pixels(let pixels, let width, let height) = picture.content else { return #expect(Bool(false)) }
        #expect((width, height) == (picture.columns * 10, picture.rows * 20))
        #expect(pixels.count == width * height * 4)
        #expect(Array(pixels.prefix(4)) == [255, 0, 0, 255])
    }

    /// Fails when a picture that is made to hurt is decoded at its full size, or ends more than its own process.
    @Test(.enabled(if: PictureLibraries.areHere)) func `hostile pictures end with a sentence`() async {
        let good = PictureFile.png(width: 50, height: 50)
        #expect(await draw(PictureFile.png(width: 2, height: 2, claimed: (60_000, 60_000))) == .failure(.tooLarge))
        #expect(await draw(PictureFile.png(width: 2, height: 2, claimed: (0, 5))) == .failure(.broken))
        #expect(await draw(Array(good.prefix(20))) == .failure(.broken))
        #expect(await draw(Array("GIF89a".utf8) + [UInt8](repeating: 0xFF, count: 500)) == .failure(.tooLarge))
        #expect(await draw(Array("GIF89a".utf8) + [4, 0, 4] + [UInt8](repeating: 0, count: 500)) == .failure(.broken))
        #expect(await draw([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0, count: 5_000)) == .failure(.broken))
        for cut in stride(from: 30, to: good.count, by: 397) {
            var bytes = good
            bytes[cut] ^= 0x55
            if case .failure(let failure) = await draw(bytes) { #expect(failure.sentence.hasSuffix(".")) }
        }
    }

    /// Fails when a file of another kind reaches a decoder because of its name.
    @Test(arguments: ["", "<svg xmlns='http://www.w3.org/2000/svg'/>", "/* XPM */", "BM", "%PDF-1.4", "II*\u{0}"])
    func `other files are refused before any process is started`(text: String) async {
        #expect(await draw(Array(text.utf8)) == .failure(.noFormat))
    }

    @Test func `a file that is too large is refused`() async {
        let bytes = PictureFile.png(width: 1, height: 1) + [UInt8](repeating: 0, count: PictureProcess.bytesMax)
        #expect(await draw(bytes) == .failure(.tooLarge))
    }

    @Test func `a program that is not there or answers nonsense is a failure`() async {
        let bytes = PictureFile.png(width: 1, height: 1)
        for program in ["/nowhere/herald", "/bin/true", "/bin/echo", "/bin/false"] {
            await #expect(throws: PictureFailure.ended) {
                try await PictureProcess.draw(bytes, in: Self.room, program: program)
            }
        }
    }
}

struct PictureAnswerTests {
    private static let room = PictureRoom(columns: 4, rows: 3, form: .cells(colors: 256))

    private static func picture(columns: Int, rows: Int) -> DrawnPicture {
        let cell = DrawnPicture.Cell(symbol: "▀", foreground: 200, background: nil)
        return DrawnPicture(
            width: 30, height: 40, columns: columns, rows: rows,
            content: .cells(Array(repeating: cell, count: columns * rows)))
    }

    @Test func `an answer is read as it was written`() {
        let picture = Self.picture(columns: 4, rows: 2)
        #expect(PictureAnswer.decoded(PictureAnswer.encoded(picture), room: Self.room) == picture)
    }

    /// Fails when an answer could put letters or more cells on the screen than it was asked for.
    @Test func `a wrong answer is refused or made harmless`() {
        #expect(PictureAnswer.decoded(PictureAnswer.encoded(Self.picture(columns: 5, rows: 2)), room: Self.room) == nil)
        #expect(PictureAnswer.decoded(PictureAnswer.encoded(Self.picture(columns: 4, rows: 4)), room: Self.room) == nil)
        let good = PictureAnswer.encoded(Self.picture(columns: 2, rows: 2))
        for count in 0..<good.count {
            #expect(PictureAnswer.decoded(Array(good.prefix(count)), room: Self.room) == nil)
        }
        #expect(PictureAnswer.decoded(good + [0], room: Self.room) == nil)
        for symbol in ["\u{1B}", "A", "\u{202E}", "漢"] as [Unicode.Scalar] {
            var picture = Self.picture(columns: 1, rows: 1)
            picture.content = .cells([DrawnPicture.Cell(symbol: symbol, foreground: nil, background: nil)])
            let read = PictureAnswer.decoded(PictureAnswer.encoded(picture), room: Self.room)
            guard case .cells(let cells) = read?.content else { return #expect(Bool(false)) }
            #expect(cells.map(\.symbol) == [" "])
        }
    }

    @Test(arguments: [
        [], ["cells"], ["cells", "1", "2"], ["cells", "0", "2", "8"], ["pixels", "1", "1", "99", "1"], ["x"],
    ])
    func `wrong words are no room`(words: [String]) {
        #expect(PictureRoom(words: words) == nil)
    }
}
