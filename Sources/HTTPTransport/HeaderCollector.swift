internal import HTTP

/// Gathers the fields of the final header block, line by line.
///
/// Interim answers (1xx) come first and are dropped, as are trailers, which come after the block has ended.
struct HeaderCollector {
    private(set) var fields: [HTTPHeader] = []
    /// Whether the blank line that ends the block was seen.
    private(set) var isComplete = false
    /// The status of the block, 0 before any.
    private(set) var status = 0
    private var bytesLeft: Int

    init(bytesMax: Int) { bytesLeft = bytesMax }

    /// Takes one line with its line break; returns false when the header as a whole is too large.
    mutating func receive(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.count <= bytesLeft else { return false }
        bytesLeft -= line.count
        if line.starts(with: "HTTP/".utf8) {
            fields.removeAll()
            isComplete = false
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2)
            status = words.count > 1 ? Int(String(decoding: Self.trimmed(words[1]), as: UTF8.self)) ?? 0 : 0
            return true
        }
        guard !isComplete else { return true }
        let content = Self.trimmed(line)
        if content.isEmpty {
            isComplete = true
        } else if let first = line.first, Self.isSpace(first) {
            continueLast(with: content)
        } else if let colon = content.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(decoding: content[..<colon], as: UTF8.self)
            let value = Self.trimmed(content[content.index(after: colon)...])
            fields.append(HTTPHeader(name, String(decoding: value, as: UTF8.self)))
        }
        return true
    }

    /// Whether the block of the answer itself is here, and not only one of an interim answer.
    var isFinal: Bool { isComplete && !(100..<200).contains(status) }

    /// Appends a folded line, an old form that is still seen.
    private mutating func continueLast(with content: ArraySlice<UInt8>) {
        guard let last = fields.indices.last else { return }
        fields[last].value += " " + String(decoding: content, as: UTF8.self)
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var content = bytes.drop(while: isSpace)
        while let last = content.last, isSpace(last) { content.removeLast() }
        return content
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (byte >= UInt8(ascii: "\t") && byte <= UInt8(ascii: "\r"))
    }
}
