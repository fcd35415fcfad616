internal import CPicture
internal import Glibc
internal import Platform

/// The drawing of pictures in a process of its own, which a hostile picture can only end.
///
/// The process has no network use, no files but its input and output, and limits of memory, time and output that the
/// kernel holds it to.
package enum PictureProcess {
    /// The first argument of a process that draws.
    package static let flag = "--draw-picture"

    /// The largest picture taken, in bytes and in pixels.
    package static let bytesMax = 16 << 20
    private static let pixelsMax: Int64 = 40_000_000
    private static let memoryMax: UInt = 1 << 30
    private static let seconds: UInt32 = 6

    /// Draws the picture of the standard input to the standard output and ends the process.
    package static func run(_ words: [String]) -> Never {
        limit()
        guard let room = PictureRoom(words: words) else { exit(64) }
        guard let bytes = Files.readAll(0, bytesMax: bytesMax), !bytes.isEmpty else {
            exit(Int32(HERALD_PICTURE_TOO_LARGE))
        }
        guard let format = PictureFormat.of(bytes) else { exit(Int32(HERALD_PICTURE_NO_FORMAT)) }
        switch draw(bytes, format, room) {
        case .success(let picture): exit(Files.writeAll(1, PictureAnswer.encoded(picture)) ? 0 : 74)
        case .failure(let failure): exit(failure.code)
        }
    }

    /// Draws a picture in a process that this one starts from `program`, which is this program itself.
    package static func draw(
        _ bytes: [UInt8], in room: PictureRoom, program: String
    ) async throws(PictureFailure) -> DrawnPicture {
        guard bytes.count <= bytesMax else { throw .tooLarge }
        guard PictureFormat.of(bytes) != nil else { throw .noFormat }
        let output: MemoryFile
        let child: ChildProcess
        do {
            output = try MemoryFile()
            child = try ChildProcess([program, flag] + room.words, input: .bytes(bytes), output: output)
        } catch {
            throw .ended
        }
        let ending = await child.ended()
        guard case .exited(let code) = ending else { throw .ended }
        if let failure = PictureFailure(code: code) { throw failure }
        guard code == 0, let answer = output.bytes(max: PictureAnswer.bytesMax),
            let picture = PictureAnswer.decoded(answer, room: room)
        else { throw .ended }
        return picture
    }

    private static func limit() {
        func set(_ what: __rlimit_resource, _ value: UInt) {
            var limit = rlimit(rlim_cur: value, rlim_max: value)
            setrlimit(Int32(what.rawValue), &limit)
        }
        set(RLIMIT_CORE, 0)
        set(RLIMIT_CPU, UInt(seconds))
        set(RLIMIT_FSIZE, UInt(PictureAnswer.bytesMax))
        set(RLIMIT_NOFILE, 64)
        set(RLIMIT_AS, mapped() + memoryMax)
        alarm(seconds)
        signal(SIGXFSZ, SIG_DFL)
    }

    /// The memory this process has mapped already, which sanitizers make large.
    private static func mapped() -> UInt {
        guard let text = try? Files.read("/proc/self/statm") else { return 0 }
        let pages = String(decoding: text, as: UTF8.self).split(separator: " ").first.flatMap { UInt($0) } ?? 0
        return pages * 4_096
    }

    private static func draw(
        _ bytes: [UInt8], _ format: PictureFormat, _ room: PictureRoom
    ) -> Result<DrawnPicture, PictureFailure> {
        var size = herald_picture_size()
        var limits = herald_picture_room(
            columns: Int32(room.columns), rows: Int32(room.rows), colors: 2, cell_width: 8, cell_height: 16,
            pixels_max: pixelsMax)
        let content: DrawnPicture.Content
        let code: Int32
        switch room.form {
        case .cells(let colors):
            limits.colors = Int32(colors)
            var cells = [herald_picture_cell](repeating: herald_picture_cell(), count: room.columns * room.rows)
            code = herald_picture_draw(bytes, bytes.count, format.rawValue, &limits, &cells, &size)
            content = .cells(cells.prefix(Int(size.columns * size.rows)).map(DrawnPicture.Cell.init))
        case .pixels(let cellWidth, let cellHeight):
            (limits.cell_width, limits.cell_height) = (Int32(cellWidth), Int32(cellHeight))
            var pixels = [UInt8](repeating: 0, count: 4 * room.columns * room.rows * cellWidth * cellHeight)
            code = herald_picture_scale(bytes, bytes.count, format.rawValue, &limits, &pixels, &size)
            let (width, height) = (Int(size.columns) * cellWidth, Int(size.rows) * cellHeight)
            content = .pixels(Array(pixels.prefix(4 * width * height)), width: width, height: height)
        }
        if code != 0 { return .failure(PictureFailure(code: code) ?? .broken) }
        return .success(
            DrawnPicture(
                width: Int(size.width), height: Int(size.height), columns: Int(size.columns), rows: Int(size.rows),
                content: content))
    }
}

extension DrawnPicture.Cell {
    init(_ cell: herald_picture_cell) {
        symbol = Unicode.Scalar(cell.symbol) ?? " "
        foreground = UInt8(exactly: cell.foreground)
        background = UInt8(exactly: cell.background)
    }
}

extension PictureFailure {
    /// The exit code of the process that draws.
    var code: Int32 {
        switch self {
        case .noLibrary: Int32(HERALD_PICTURE_NO_LIBRARY)
        case .noFormat: Int32(HERALD_PICTURE_NO_FORMAT)
        case .broken: Int32(HERALD_PICTURE_BROKEN)
        case .tooLarge: Int32(HERALD_PICTURE_TOO_LARGE)
        case .ended: 70
        }
    }

    init?(code: Int32) {
        let known: [PictureFailure] = [.noLibrary, .noFormat, .broken, .tooLarge]
        guard let failure = known.first(where: { $0.code == code }) else { return nil }
        self = failure
    }
}
