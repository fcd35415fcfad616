internal import Glibc

/// A terminal's pictures as kitty's graphics protocol has them, kept from the bytes that a program wrote.
package struct PictureScreen {
    /// A picture the terminal has.
    package struct Image: Hashable, Sendable {
        package var width: Int
        package var height: Int
        /// Bytes a pixel: 3 or 4.
        package var depth: Int
        package var pixels: [UInt8]
    }

    /// A part of a picture on the screen.
    package struct Part: Hashable, Sendable {
        package var image: UInt32
        package var row: Int
        package var column: Int
        package var columns: Int
        package var rows: Int
        /// The rectangle of pixels shown.
        package var source: [Int]

        package init(image: UInt32, row: Int, column: Int, columns: Int, rows: Int, source: [Int]) {
            (self.image, self.row, self.column) = (image, row, column)
            (self.columns, self.rows, self.source) = (columns, rows, source)
        }
    }

    package private(set) var images: [UInt32: Image] = [:]
    package private(set) var parts: [String: Part] = [:]
    /// How many pictures were sent.
    package private(set) var uploads = 0
    /// What breaks the protocol, in words.
    package private(set) var faults: [String] = []
    /// Whether the program asked if there are pictures.
    package private(set) var wasAsked = false

    private var cursor = (row: 0, column: 0)
    private var upload: (id: UInt32, image: Image, text: [UInt8])?

    package init(_ bytes: [UInt8]) {
        var at = 0
        while at < bytes.count {
            guard bytes[at] == 0x1B, at + 1 < bytes.count else {
                at += 1
                continue
            }
            var end = at + 2
            switch bytes[at + 1] {
            case 0x5B:
                while end < bytes.count, (0x20...0x3F).contains(bytes[end]) { end += 1 }
                guard end < bytes.count else { return }
                control(String(decoding: bytes[at + 2..<end], as: UTF8.self), bytes[end])
                at = end + 1
            case 0x5F:
                while end < bytes.count, bytes[end] != 0x1B { end += 1 }
                take(bytes[at + 2..<end])
                at = end + 2
            default: at += 2
            }
        }
    }

    private mutating func control(_ parameters: String, _ final: UInt8) {
        if final == 0x48 {
            let numbers = parameters.split(separator: ";").compactMap { Int($0) }
            cursor = (numbers.first ?? 1, numbers.count > 1 ? numbers[1] : 1)
        }
        // An emptied screen has no pictures.
        if final == 0x4A, parameters == "2" || (parameters.isEmpty && cursor == (1, 1)) { parts = [:] }
    }

    private mutating func take(_ command: ArraySlice<UInt8>) {
        guard command.first == 0x47 else { return faults.append("not about pictures") }
        let pieces = command.dropFirst().split(separator: 0x3B, maxSplits: 1, omittingEmptySubsequences: false)
        var keys: [String: String] = [:]
        for pair in String(decoding: pieces[0], as: UTF8.self).split(separator: ",") {
            let sides = pair.split(separator: "=")
            if sides.count == 2 { keys[String(sides[0])] = String(sides[1]) }
        }
        let text = pieces.count > 1 ? Array(pieces[1]) : []
        if text.count > 4_096 { faults.append("a piece of \(text.count) letters") }
        func number(_ key: String) -> Int { keys[key].flatMap { Int($0) } ?? 0 }
        let id = UInt32(clamping: number("i"))
        if upload != nil {
            if keys["a"] != nil || keys["i"] != nil { faults.append("\(keys) between the pieces of a picture") }
            return goOn(text, isLast: number("m") == 0)
        }
        switch keys["a"] {
        case "q": wasAsked = true
        case "t":
            upload = (
                id, Image(width: number("s"), height: number("v"), depth: number("f") / 8, pixels: []), []
            )
            goOn(text, isLast: number("m") == 0)
        case "p":
            guard images[id] != nil else { return faults.append("an unknown picture is placed") }
            parts["\(id).\(number("p"))"] = Part(
                image: id, row: cursor.row - 1, column: cursor.column - 1, columns: number("c"), rows: number("r"),
                source: ["x", "y", "w", "h"].map(number))
        case "d" where keys["d"] == "i": parts["\(id).\(number("p"))"] = nil
        case "d" where keys["d"] == "I":
            images[id] = nil
            parts = parts.filter { $0.value.image != id }
        default: faults.append("\(keys)")
        }
    }

    private mutating func goOn(_ text: [UInt8], isLast: Bool) {
        upload?.text += text
        guard isLast, var done = upload else { return }
        upload = nil
        done.image.pixels = PictureScreen.decoded(done.text)
        if done.image.pixels.count != done.image.width * done.image.height * done.image.depth {
            // A picture that was cut off.
            return
        }
        uploads += 1
        images[done.id] = done.image
    }

    private static func decoded(_ text: [UInt8]) -> [UInt8] {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        let values = Dictionary(letters.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        var output: [UInt8] = []
        var (value, bits) = (0, 0)
        for letter in text {
            // Every piece may be padded on its own.
            guard let six = values[letter] else {
                (value, bits) = (0, 0)
                continue
            }
            (value, bits) = (value << 6 | six, bits + 6)
            if bits >= 8 {
                bits -= 8
                output.append(UInt8(value >> bits & 255))
                value &= 1 << bits - 1
            }
        }
        return output
    }
}
