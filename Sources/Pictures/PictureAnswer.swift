/// What the process that draws writes, and how it is read: nothing in it is trusted.
enum PictureAnswer {
    static let mark: [UInt8] = Array("HPIC".utf8)
    /// The most bytes an answer has.
    static let bytesMax = 16 << 20
    private static let headBytes = 20
    private static let cellBytes = 8

    /// The bytes of a drawn picture.
    static func encoded(_ picture: DrawnPicture) -> [UInt8] {
        var bytes = mark
        for number in [picture.width, picture.height, picture.columns, picture.rows] {
            append(UInt32(clamping: number), to: &bytes)
        }
        switch picture.content {
        case .cells(let cells):
            for cell in cells {
                append(cell.symbol.value, to: &bytes)
                let colors = [cell.foreground, cell.background].map { $0.map { UInt32($0) } ?? 0xFFFF }
                append(colors[0] << 16 | colors[1], to: &bytes)
            }
        case .pixels(let pixels, _, _): bytes += pixels
        }
        return bytes
    }

    /// Reads an answer; `nil` when it is not one that fits the room.
    static func decoded(_ bytes: [UInt8], room: PictureRoom) -> DrawnPicture? {
        guard bytes.count >= headBytes, bytes.starts(with: mark) else { return nil }
        let numbers = (0..<4).map { Int(number(bytes, at: 4 + 4 * $0)) }
        let (columns, rows) = (numbers[2], numbers[3])
        guard numbers[0] > 0, numbers[1] > 0, (1...room.columns).contains(columns), (1...room.rows).contains(rows)
        else { return nil }
        func picture(_ content: DrawnPicture.Content) -> DrawnPicture {
            DrawnPicture(width: numbers[0], height: numbers[1], columns: columns, rows: rows, content: content)
        }
        switch room.form {
        case .cells:
            guard bytes.count == headBytes + cellBytes * columns * rows else { return nil }
            return picture(.cells((0..<(columns * rows)).map { cell(bytes, at: headBytes + cellBytes * $0) }))
        case .pixels(let cellWidth, let cellHeight):
            let (width, height) = (columns * cellWidth, rows * cellHeight)
            guard bytes.count == headBytes + 4 * width * height else { return nil }
            return picture(.pixels(Array(bytes[headBytes...]), width: width, height: height))
        }
    }

    private static func cell(_ bytes: [UInt8], at offset: Int) -> DrawnPicture.Cell {
        let value = number(bytes, at: offset)
        let colors = number(bytes, at: offset + 4)
        func color(_ number: UInt32) -> UInt8? { number > 255 ? nil : UInt8(number) }
        // Only letters that every terminal places in one cell.
        let isDrawn = (0x2580...0x259F).contains(value)
        return DrawnPicture.Cell(
            symbol: isDrawn ? Unicode.Scalar(value) ?? " " : " ", foreground: color(colors >> 16),
            background: color(colors & 0xFFFF))
    }

    private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        for shift in [24, 16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private static func number(_ bytes: [UInt8], at offset: Int) -> UInt32 {
        bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
