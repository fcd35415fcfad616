internal import HTML

/// A piece of HTML source.
struct HTMLToken: Sendable {
    enum Kind: Sendable {
        case text(String)
        case open(String, [HTMLAttribute])
        case close(String)
    }

    let kind: Kind
    /// Where the piece stands in the source.
    let range: Range<Int>
}

/// Cuts source into tags and text, as the real server's parser does, which repairs nothing.
///
/// Works on bytes, so that a message can be cut at a token; each piece of text is decoded on its own.
struct HTMLTokenizer {
    /// Elements whose content is text up to their end tag.
    private static let raw: Set<String> = [
        "script", "style", "title", "textarea", "iframe", "noembed", "noframes", "xmp", "plaintext",
    ]
    private static let decodedRaw: Set<String> = ["title", "textarea"]

    private let bytes: [UInt8]
    private var position: Int
    private let end: Int
    private var tokens: [HTMLToken] = []

    /// The pieces of a part of the source.
    static func tokens(_ bytes: [UInt8], _ range: Range<Int>) -> [HTMLToken] {
        var tokenizer = HTMLTokenizer(bytes, range)
        while tokenizer.position < tokenizer.end { tokenizer.step() }
        return tokenizer.tokens
    }

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    private func byte(_ index: Int) -> UInt8? { index < end ? bytes[index] : nil }

    private mutating func step() {
        guard bytes[position] == 0x3C else { return text(upTo: next(0x3C, from: position) ?? end) }
        switch byte(position + 1) {
        case 0x21?: declaration()
        case 0x3F?: position = next(0x3E, from: position).map { $0 + 1 } ?? end
        case 0x2F?: closing()
        case let letter? where HTMLTokenizer.isLetter(letter): opening()
        default: text(upTo: next(0x3C, from: position + 1) ?? end)
        }
    }

    private mutating func text(upTo stop: Int, decodes: Bool = true) {
        guard stop > position else { return }
        let slice = bytes[position..<stop]
        let content = decodes ? HTMLEntity.decoded(slice) : Array(slice)
        tokens.append(
            HTMLToken(kind: .text(String(decoding: content, as: UTF8.self)), range: position..<stop))
        position = stop
    }

    private func next(_ wanted: UInt8, from start: Int) -> Int? {
        var index = start
        while index < end {
            if bytes[index] == wanted { return index }
            index += 1
        }
        return nil
    }

    private func next(_ wanted: String, from start: Int) -> Int? {
        let wanted = Array(wanted.utf8)
        var index = start
        while index + wanted.count <= end {
            if ByteSearch.starts(bytes, at: index, with: wanted) { return index }
            index += 1
        }
        return nil
    }

    private mutating func declaration() {
        if ByteSearch.starts(bytes, at: position, with: Array("<!--".utf8)) {
            position = next("-->", from: position + 4).map { $0 + 3 } ?? end
        } else if ByteSearch.starts(bytes, at: position, with: Array("<![CDATA[".utf8)) {
            position = next("]]>", from: position + 9).map { $0 + 3 } ?? end
        } else {
            position = next(0x3E, from: position).map { $0 + 1 } ?? end
        }
    }

    private mutating func closing() {
        let start = position
        var index = position + 2
        while let space = byte(index), HTMLTokenizer.isSpace(space) { index += 1 }
        guard let stop = next(0x3E, from: index) else {
            position = end
            return
        }
        let name = bytes[index..<stop].prefix { !HTMLTokenizer.isSpace($0) && $0 != 0x2F }
        position = stop + 1
        guard let first = name.first, HTMLTokenizer.isLetter(first) else { return }
        tokens.append(HTMLToken(kind: .close(HTMLTokenizer.lowered(name)), range: start..<position))
    }

    private mutating func opening() {
        let start = position
        var reader = HTMLTagReader(bytes: bytes, position: position + 1, end: end)
        let name = HTMLTokenizer.lowered(reader.name())
        let attributes = reader.attributes()
        position = reader.position
        guard reader.isEnded else { return }
        tokens.append(HTMLToken(kind: .open(name, attributes), range: start..<position))
        guard HTMLTokenizer.raw.contains(name) else { return }
        text(upTo: rawEnd(name), decodes: HTMLTokenizer.decodedRaw.contains(name))
    }

    /// Where the end tag of an element with raw text begins.
    private func rawEnd(_ name: String) -> Int {
        let wanted = Array(name.utf8)
        var index = position
        while let start = next("</", from: index) {
            let after = start + 2 + wanted.count
            let isEnd = after <= end && bytes[(start + 2)..<after].elementsEqual(wanted) { $0 | 0x20 == $1 }
            if isEnd, let follower = byte(after),
                follower == 0x3E || HTMLTokenizer.isSpace(follower) || follower == 0x2F
            {
                return start
            }
            index = start + 2
        }
        return end
    }

    static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B }

    static func lowered(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self).lowercased() }
}

/// Reads the name and the attributes of an opening tag.
struct HTMLTagReader {
    /// The most attributes kept of one tag.
    private static let attributesMax = 128

    let bytes: [UInt8]
    var position: Int
    let end: Int
    /// Whether the tag's own end was found.
    private(set) var isEnded = false

    init(bytes: [UInt8], position: Int, end: Int) {
        self.bytes = bytes
        self.position = position
        self.end = end
    }

    private mutating func take(_ isPart: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while position < end, isPart(bytes[position]) { position += 1 }
        return bytes[start..<position]
    }

    mutating func name() -> ArraySlice<UInt8> {
        take { !HTMLTokenizer.isSpace($0) && $0 != 0x2F && $0 != 0x3E }
    }

    /// The attributes, of which the first of a name counts.
    mutating func attributes() -> [HTMLAttribute] {
        var found: [HTMLAttribute] = []
        while position < end {
            let byte = bytes[position]
            if byte == 0x3E {
                position += 1
                isEnded = true
                return found
            }
            if HTMLTokenizer.isSpace(byte) || byte == 0x2F {
                position += 1
                continue
            }
            guard let attribute = attribute() else { return found }
            if found.count < HTMLTagReader.attributesMax, !found.contains(where: { $0.name == attribute.name }) {
                found.append(attribute)
            }
        }
        return found
    }

    private mutating func attribute() -> HTMLAttribute? {
        let start = position
        position += 1
        _ = take { !HTMLTokenizer.isSpace($0) && $0 != 0x2F && $0 != 0x3E && $0 != 0x3D }
        let name = HTMLTokenizer.lowered(bytes[start..<position])
        let mark = position
        _ = take(HTMLTokenizer.isSpace)
        guard position < end, bytes[position] == 0x3D else {
            position = mark
            return HTMLAttribute(name: name, value: "")
        }
        position += 1
        _ = take(HTMLTokenizer.isSpace)
        guard position < end else { return nil }
        let quote = bytes[position]
        let raw: ArraySlice<UInt8>
        if quote == 0x22 || quote == 0x27 {
            position += 1
            raw = take { $0 != quote }
            guard position < end else { return nil }
            position += 1
        } else {
            raw = take { !HTMLTokenizer.isSpace($0) && $0 != 0x3E }
        }
        let value = HTMLEntity.decoded(raw, isAttribute: true)
        return HTMLAttribute(name: name, value: String(decoding: value, as: UTF8.self))
    }
}
