internal import TerminalUI

/// What the terminal has of pictures and shows of them.
struct PictureBoard {
    private struct Image {
        var cell: KittyGraphics.CellSize
        var bytes: Int
        var lastUse: Int
    }

    private struct Part: Hashable, Comparable {
        var image: UInt32
        /// Counts the parts of one picture that are shown.
        var number: Int

        static func < (left: Part, right: Part) -> Bool { (left.image, left.number) < (right.image, right.number) }
    }

    private var images: [UInt32: Image] = [:]
    private var shown: [Part: GridPicture] = [:]
    private var uses = 0
    /// Whether a picture is being sent; nothing else about pictures may be said meanwhile.
    var isSending = false
    /// Whether what is shown has to be placed anew though it did not move.
    private var isOutdated = false
    /// Pictures that were to be shown and are not there.
    private(set) var missing: Set<UInt32> = []

    /// What the terminal is given at most; kitty takes five times as much.
    private static let bytesMax = 64 << 20

    /// Notes a picture that was sent, and answers the bytes that take older ones away.
    mutating func keep(_ upload: KittyGraphics.Upload) -> String {
        uses += 1
        images[upload.image] = Image(cell: upload.cell, bytes: upload.bytes, lastUse: uses)
        missing.remove(upload.image)
        var output = ""
        let visible = Set(shown.keys.map(\.image)).union([upload.image])
        let oldest = images.filter { !visible.contains($0.key) }.sorted { $0.value.lastUse < $1.value.lastUse }
        var bytes = images.values.reduce(0) { $0 + $1.bytes }
        for (id, image) in oldest {
            guard bytes > PictureBoard.bytesMax else { break }
            output += KittyGraphics.forget(id)
            images[id] = nil
            bytes -= image.bytes
        }
        return output
    }

    /// The bytes that make the terminal show these parts and no others; `isCleared` after the screen was emptied.
    mutating func show(_ pictures: [GridPicture], isCleared: Bool) -> String {
        if isCleared { isOutdated = true }
        guard !isSending else { return "" }
        uses += 1
        var wanted: [Part: GridPicture] = [:]
        var counts: [UInt32: Int] = [:]
        for picture in pictures {
            guard images[picture.image] != nil else {
                missing.insert(picture.image)
                continue
            }
            images[picture.image]?.lastUse = uses
            counts[picture.image, default: 0] += 1
            wanted[Part(image: picture.image, number: counts[picture.image] ?? 1)] = picture
        }
        var output = ""
        for part in shown.keys.sorted() where wanted[part] == nil {
            output += KittyGraphics.remove(part.image, number: part.number)
        }
        for (part, picture) in wanted.sorted(by: { $0.key < $1.key }) where isOutdated || shown[part] != picture {
            guard let cell = images[part.image]?.cell else { continue }
            output += KittyGraphics.place(picture, number: part.number, cell: cell)
        }
        (shown, isOutdated) = (wanted, false)
        return output.isEmpty ? "" : "\u{1B}7" + output + "\u{1B}8"
    }

    /// The pictures found missing since the last time.
    mutating func takeMissing() -> Set<UInt32> {
        defer { missing = [] }
        return missing
    }

    /// The bytes that take everything away from the terminal.
    mutating func clear() -> String {
        let output =
            (isSending ? KittyGraphics.endOfUpload : "") + images.keys.sorted().map(KittyGraphics.forget).joined()
        (images, shown) = ([:], [:])
        return output
    }
}
