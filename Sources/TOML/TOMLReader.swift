internal import CTOML11

/// Reads TOML 1.0 documents with toml11.
package enum TOMLReader {
    /// The most bytes of a document.
    package static let bytesMax = toml11_bytes_max

    /// The root table of a document.
    ///
    /// Any bytes at all end in a value or an error. Takes time that grows with the square of the size; at most
    /// a second.
    /// - Throws: `TOMLError`.
    package static func read(_ bytes: [UInt8]) throws(TOMLError) -> TOMLValue {
        guard bytes.count <= bytesMax else { throw .tooLong }
        let parsed = bytes.withUnsafeBytes { buffer in
            toml11_parse(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        guard let parsed else { throw .unreadable }
        defer { toml11_free(parsed) }
        if let error = failure(parsed) { throw error }
        var nodes = UnsafeBufferPointer(start: toml11_nodes(parsed), count: toml11_count(parsed))[...]
        guard let root = value(&nodes) else { throw .unreadable }
        return root.value
    }

    private static func failure(_ parsed: OpaquePointer) -> TOMLError? {
        let line = max(1, Int(toml11_failure_line(parsed)))
        switch UInt32(toml11_failure_kind(parsed)) {
        case TOML11_NONE.rawValue: return nil
        case TOML11_TOO_LONG.rawValue: return .tooLong
        case TOML11_TOO_DEEP.rawValue: return .tooDeep(line: line)
        case TOML11_ENCODING.rawValue: return .notUTF8(line: line)
        case TOML11_NUMBER.rawValue: return .numberTooLarge(line: line)
        case TOML11_SYNTAX.rawValue:
            return .syntax(line: line, words: toml11_failure_text(parsed).map(words) ?? "")
        default: return .unreadable
        }
    }

    /// The parser's words as the end of a sentence of ours.
    private static func words(_ text: UnsafePointer<CChar>) -> String {
        var words = String(cString: text)[...]
        if words.hasPrefix("bad format: ") { words = words.dropFirst("bad format: ".count) }
        if words == "unknown value appeared" { return "there is no value after the =; a text stands in quotes" }
        while let last = words.last, last == "." || last == " " { words.removeLast() }
        return String(words.prefix(200))
    }

    /// Takes one value and all that belongs to it off the flat tree.
    private static func value(_ nodes: inout Slice<UnsafeBufferPointer<toml11_node>>) -> TOMLMember? {
        guard let node = nodes.popFirst() else { return nil }
        let content: TOMLValue.Content
        switch UInt32(node.kind) {
        case TOML11_STRING.rawValue: content = .string(text(node.text, node.text_length))
        case TOML11_INTEGER.rawValue: content = .integer(node.integer)
        case TOML11_FLOAT.rawValue: content = .float(node.floating)
        case TOML11_BOOLEAN.rawValue: content = .boolean(node.integer != 0)
        case TOML11_ARRAY.rawValue: content = .array(children(of: node, &nodes).map(\.value))
        case TOML11_TABLE.rawValue:
            content = .table(
                children(of: node, &nodes).sorted { ($0.value.line, $0.name) < ($1.value.line, $1.name) })
        default: content = .date
        }
        return TOMLMember(
            name: text(node.key, node.key_length), value: TOMLValue(content, line: max(1, Int(node.line))))
    }

    private static func children(
        of node: toml11_node, _ nodes: inout Slice<UnsafeBufferPointer<toml11_node>>
    ) -> [TOMLMember] {
        (0..<node.count).compactMap { _ in value(&nodes) }
    }

    private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
    }
}
