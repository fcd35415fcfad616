internal import TerminalUI

/// Pictures that the terminal draws itself (kitty's "terminal graphics protocol"), as bytes.
///
/// A picture is sent once and then placed, row by row of cells, where the screen has room for it; one that moves is
/// placed anew under the same number, which needs no new pixels. The letters that stand for pictures in newer versions
/// of the protocol are not used: terminals that do not know them say yes to the question all the same.
package enum KittyGraphics {
    /// The pixels of a cell.
    package struct CellSize: Sendable, Hashable {
        package var width: Int
        package var height: Int

        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }

        /// What is taken where the terminal does not tell.
        package static let usual = CellSize(width: 8, height: 16)
        /// More than this many pixels a cell would only be more to send.
        private static let most = CellSize(width: 12, height: 24)

        /// The same form with no more pixels than are worth sending, and few enough to be drawn.
        var bounded: CellSize {
            let scale = min(
                1, Double(CellSize.most.width) / Double(width), Double(CellSize.most.height) / Double(height))
            func side(_ pixels: Int) -> Int { max(2, min(64, Int(Double(pixels) * scale + 0.5))) }
            return CellSize(width: side(width), height: side(height))
        }
    }

    /// A picture on its way to the terminal.
    package struct Upload: Sendable, Hashable {
        package let image: UInt32
        let cell: CellSize
        /// Complete sequences, to be sent one after another with nothing about pictures between them.
        let pieces: [[UInt8]]
        /// What the terminal keeps of it.
        let bytes: Int

        /// Everything that is sent.
        package var bytesSent: [UInt8] { pieces.flatMap(\.self) }
    }

    /// The longest text of one sequence.
    private static let textMax = 4_096
    /// How many sequences are sent at a time, so that keys are not kept waiting.
    private static let sequencesAtOnce = 8

    /// Whether the terminal draws pictures.
    ///
    /// Behind it the line is emptied, since some terminals print what they do not understand.
    static let question = command("i=\(GraphicsAnswer.image),s=1,v=1,a=q,t=d,f=24", "AAAA") + "\r\u{1B}[2K"

    /// The end of a picture that was sent in part only.
    static let endOfUpload = command("m=0,q=2", "")

    /// Whether the terminal that these variables of the environment tell of may be asked for pictures.
    ///
    /// tmux and screen take the question for a title, others print it.
    package static func mayBeAsked(_ variable: (String) -> String?) -> Bool {
        let term = variable("TERM") ?? ""
        let hidesThem = ["rxvt", "linux", "Eterm"].contains { term.hasPrefix($0) }
        return !isBehindAnother(variable) && !hidesThem && variable("TERM_PROGRAM") != "Apple_Terminal"
    }

    /// Whether another program is between, which pictures do not get through.
    package static func isBehindAnother(_ variable: (String) -> String?) -> Bool {
        let term = variable("TERM") ?? ""
        return variable("TMUX") != nil || variable("STY") != nil || term.hasPrefix("tmux") || term.hasPrefix("screen")
    }

    /// The sequences that give the terminal a picture: red, green, blue and alpha of each pixel.
    package static func upload(
        _ image: UInt32, pixels: [UInt8], width: Int, height: Int, cell: CellSize
    ) -> Upload {
        let isOpaque = stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
        var raw = pixels
        if isOpaque {
            raw = []
            raw.reserveCapacity(pixels.count / 4 * 3)
            for start in stride(from: 0, to: pixels.count - 3, by: 4) { raw += pixels[start..<start + 3] }
        }
        var keys = "a=t,t=d,f=\(isOpaque ? 24 : 32),s=\(width),v=\(height),i=\(image),q=2,"
        var pieces: [[UInt8]] = []
        let step = textMax / 4 * 3
        for (number, start) in stride(from: 0, to: raw.count, by: step).enumerated() {
            let end = min(raw.count, start + step)
            if number.isMultiple(of: sequencesAtOnce) { pieces.append([]) }
            let head = Array("\u{1B}_G\(keys)m=\(end < raw.count ? 1 : 0);".utf8)
            pieces[pieces.count - 1] += head + Base64.encoded(raw[start..<end]) + [0x1B, 0x5C]
            keys = "q=2,"
        }
        return Upload(image: image, cell: cell, pieces: pieces, bytes: raw.count)
    }

    /// Places a part of a picture at its cells; one of the same number is replaced.
    static func place(_ part: GridPicture, number: Int, cell: CellSize) -> String {
        let place = part.place
        let keys =
            "a=p,i=\(part.image),p=\(number),x=0,y=\(part.firstRow * cell.height),w=\(place.columns * cell.width),"
            + "h=\(place.rows * cell.height),c=\(place.columns),r=\(place.rows),C=1,q=2"
        return "\u{1B}[\(place.row + 1);\(place.column + 1)H" + command(keys, "")
    }

    /// Takes a part away; the terminal keeps the picture.
    static func remove(_ image: UInt32, number: Int) -> String { command("a=d,d=i,i=\(image),p=\(number),q=2", "") }

    /// Takes a picture away from the terminal.
    static func forget(_ image: UInt32) -> String { command("a=d,d=I,i=\(image),q=2", "") }

    private static func command(_ keys: String, _ payload: String) -> String {
        "\u{1B}_G\(keys)" + (payload.isEmpty ? "" : ";" + payload) + "\u{1B}\\"
    }
}
