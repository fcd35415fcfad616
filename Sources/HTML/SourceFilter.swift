/// Rewrites source so that the parser sees only well-formed tags and text.
///
/// Drops comments, conditional sections, declarations, processing instructions and control characters,
/// writes every tag in one form, and keeps the content of raw-text elements from being read as tags.
struct SourceFilter {
    private static let chunkSize = 16 << 10

    private let source: [UInt8]
    private let attributeLimit: Int
    private var position = 0
    private var output: [UInt8] = []
    /// How often each element was opened and not closed, to drop end tags that close nothing.
    private var open: [String: Int] = [:]

    init(source: [UInt8], attributeLimit: Int) {
        self.source = source
        self.attributeLimit = attributeLimit
    }

    /// Whether the first tag is none that begins a whole document.
    var startsAsFragment: Bool {
        var scan = self
        while scan.position < source.count {
            guard source[scan.position] == Byte.less else {
                if !Byte.isSpace(source[scan.position]) { return true }
                scan.position += 1
                continue
            }
            if scan.skipMarkup() { continue }
            guard let tag = scan.readTag() else { return true }
            return !["html", "head", "body", "title", "meta", "style", "link", "base"].contains(tag.name)
        }
        return true
    }

    /// The next piece of clean source, ending outside a tag; `nil` at the end.
    mutating func nextChunk() -> [UInt8]? {
        output.removeAll(keepingCapacity: true)
        while position < source.count {
            let byte = source[position]
            if byte == Byte.less {
                takeMarkup()
                if output.count >= SourceFilter.chunkSize { break }
            } else {
                if byte >= 0x20 && byte != 0x7F || Byte.isSpace(byte) { output.append(byte) }
                position += 1
                if byte == Byte.ampersand { endReference() }
            }
        }
        return output.isEmpty && position >= source.count ? nil : output
    }

    /// Writes the semicolon that a character reference lacks; the parser knows none without.
    private mutating func endReference() {
        guard position < source.count, Byte.isLetter(source[position]),
            let length = HTMLEntity.unendedLength(source[position...])
        else { return }
        output.append(contentsOf: source[position..<(position + length)])
        output.append(Byte.semicolon)
        position += length
    }

    private mutating func takeMarkup() {
        if skipMarkup() { return }
        guard let tag = readTag() else {
            output.append(contentsOf: Array("&lt;".utf8))
            position += 1
            return
        }
        if tag.name.isEmpty { return }
        if tag.isEnd { writeEnd(tag) } else { writeStart(tag) }
    }

    private mutating func writeEnd(_ tag: SourceTag) {
        if tag.name == "br" {
            output.append(contentsOf: Array("<br>".utf8))
        } else if let count = open[tag.name], count > 0 {
            open[tag.name] = count - 1
            output.append(contentsOf: Array("</\(tag.name)>".utf8))
        }
    }

    private mutating func writeStart(_ tag: SourceTag) {
        if tag.name == "plaintext" { return }
        output.append(contentsOf: Array("<\(tag.name)".utf8))
        for attribute in tag.attributes.prefix(attributeLimit) {
            output.append(Byte.space)
            output.append(contentsOf: attribute.name)
            output.append(contentsOf: [Byte.equals, Byte.quote])
            for byte in source[attribute.value] where byte >= 0x20 || Byte.isSpace(byte) {
                if byte == Byte.quote {
                    output.append(contentsOf: Array("&quot;".utf8))
                } else {
                    output.append(byte)
                }
            }
            output.append(Byte.quote)
        }
        output.append(Byte.greater)
        open[tag.name, default: 0] += 1
        takeRawContent(of: tag.name)
    }

    private mutating func takeRawContent(of name: String) {
        switch name {
        case "script", "xmp", "iframe", "noembed", "noframes": position = endOfRawContent(name)
        case "style":
            let end = endOfRawContent(name)
            for index in position..<end where source[index] != Byte.less { output.append(source[index]) }
            position = end
        case "title", "textarea":
            let end = endOfRawContent(name)
            for index in position..<end {
                if source[index] == Byte.less {
                    output.append(contentsOf: Array("&lt;".utf8))
                } else if source[index] >= 0x20 || Byte.isSpace(source[index]) {
                    output.append(source[index])
                }
            }
            position = end
        default: break
        }
    }

    private func endOfRawContent(_ name: String) -> Int {
        let wanted = Array("</\(name)".utf8)
        var index = position
        while index + wanted.count <= source.count {
            if source[index] == Byte.less, matches(wanted, at: index) { return index }
            index += 1
        }
        return source.count
    }

    private func matches(_ lowerCase: [UInt8], at start: Int) -> Bool {
        guard start + lowerCase.count <= source.count else { return false }
        return lowerCase.indices.allSatisfy { Byte.lower(source[start + $0]) == lowerCase[$0] }
    }

    /// Skips a comment, declaration or processing instruction; `false` when none starts here.
    private mutating func skipMarkup() -> Bool {
        guard position + 1 < source.count else { return false }
        let second = source[position + 1]
        if matches(Array("<!--".utf8), at: position) {
            position = end(after: Array("-->".utf8), from: position + 2)
            return true
        }
        let bogusEnd =
            second == Byte.slash && position + 2 < source.count && !Byte.isLetter(source[position + 2])
        guard second == Byte.exclamation || second == Byte.question || bogusEnd else { return false }
        position = end(after: [Byte.greater], from: position + 2)
        return true
    }

    private func end(after mark: [UInt8], from start: Int) -> Int {
        var index = start
        while index + mark.count <= source.count {
            if source[index] == mark[0], matches(mark, at: index) { return index + mark.count }
            index += 1
        }
        return source.count
    }

    /// Reads the tag at the position and steps behind it; `nil`, without a step, when the `<` is text.
    private mutating func readTag() -> SourceTag? {
        var reader = TagReader(source: source, position: position)
        guard let tag = reader.read() else { return nil }
        position = reader.position
        return tag
    }
}
