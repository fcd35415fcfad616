/// A tag as the source has it.
struct SourceTag {
    var name: String
    var isEnd: Bool
    /// Names in lower case and where the undecoded values are.
    var attributes: [(name: [UInt8], value: Range<Int>)]
}

/// Reads one tag by the rules browsers follow: quotes count only as the first thing of a value.
struct TagReader {
    let source: [UInt8]
    private(set) var position: Int

    init(source: [UInt8], position: Int) {
        self.source = source
        self.position = position
    }

    /// The tag at the position, which must hold a `<`; `nil` when no name follows, without a name when
    /// the source ends inside the tag.
    mutating func read() -> SourceTag? {
        position += 1
        let isEnd = current == Byte.slash
        if isEnd { position += 1 }
        guard let first = current, Byte.isLetter(first) else { return nil }
        let name = take { !Byte.isSpace($0) && $0 != Byte.slash && $0 != Byte.greater }
        var tag = SourceTag(name: "", isEnd: isEnd, attributes: [])
        tag.name = String(decoding: source[name].filter(Byte.isName).map(Byte.lower), as: UTF8.self)
        while let byte = current {
            if byte == Byte.greater {
                position += 1
                return tag
            }
            if Byte.isSpace(byte) || byte == Byte.slash {
                position += 1
            } else {
                readAttribute(into: &tag)
            }
        }
        position = source.count
        return SourceTag(name: "", isEnd: false, attributes: [])
    }

    private var current: UInt8? { position < source.count ? source[position] : nil }

    private mutating func take(while condition: (UInt8) -> Bool) -> Range<Int> {
        let start = position
        while position < source.count, condition(source[position]) { position += 1 }
        return start..<position
    }

    private mutating func readAttribute(into tag: inout SourceTag) {
        let start = position
        position += 1
        _ = take { !Byte.isSpace($0) && $0 != Byte.slash && $0 != Byte.greater && $0 != Byte.equals }
        let name = source[start..<position].map(Byte.lower)
        _ = take(while: Byte.isSpace)
        var value = position..<position
        if current == Byte.equals {
            position += 1
            _ = take(while: Byte.isSpace)
            value = readValue()
        }
        guard let first = name.first, Byte.isLetter(first), name.allSatisfy(Byte.isName) else { return }
        tag.attributes.append((name, value))
    }

    private mutating func readValue() -> Range<Int> {
        guard let mark = current, mark == Byte.quote || mark == Byte.apostrophe else {
            return take { !Byte.isSpace($0) && $0 != Byte.greater }
        }
        position += 1
        let value = take { $0 != mark }
        position += 1
        return value
    }
}

/// The bytes that mean something in source.
enum Byte {
    static let space: UInt8 = 0x20
    static let exclamation: UInt8 = 0x21
    static let quote: UInt8 = 0x22
    static let ampersand: UInt8 = 0x26
    static let apostrophe: UInt8 = 0x27
    static let slash: UInt8 = 0x2F
    static let semicolon: UInt8 = 0x3B
    static let less: UInt8 = 0x3C
    static let equals: UInt8 = 0x3D
    static let greater: UInt8 = 0x3E
    static let question: UInt8 = 0x3F

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte) && byte != 0x0B
    }

    static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20)
    }

    /// Letters, digits and `-`, `.`, `:`, `_`.
    static func isName(_ byte: UInt8) -> Bool {
        isLetter(byte) || (0x2D...0x2E).contains(byte) || (0x30...0x3A).contains(byte) || byte == 0x5F
    }

    static func lower(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}
