internal import JSON

/// JSON as the server writes it: only what the grammar demands is escaped.
///
/// Separate from `JSONWriter`, which also escapes what could steer a terminal; the server's bytes must not.
struct JSONText: Sendable {
    private(set) var bytes: [UInt8] = []

    init() {}

    /// Appends text that is JSON already.
    mutating func raw(_ json: String) {
        var json = json
        json.withUTF8 { bytes.append(contentsOf: $0) }
    }

    /// Appends bytes that are JSON already.
    mutating func raw(_ json: [UInt8]) { bytes.append(contentsOf: json) }

    /// Appends a quoted string.
    mutating func string(_ text: String) {
        var text = text
        bytes.append(0x22)
        text.withUTF8 { buffer in
            var start = 0
            for index in buffer.indices {
                let byte = buffer[index]
                guard byte < 0x20 || byte == 0x22 || byte == 0x5C else { continue }
                bytes.append(contentsOf: buffer[start..<index])
                escape(byte)
                start = index + 1
            }
            bytes.append(contentsOf: buffer[start...])
        }
        bytes.append(0x22)
    }

    /// Appends a quoted string, or `null`.
    mutating func string(_ text: String?) {
        if let text { string(text) } else { raw("null") }
    }

    /// Appends a member with a string, or `null`; `lead` is the name with its punctuation.
    mutating func member(_ lead: String, _ text: String?) {
        raw(lead)
        string(text)
    }

    /// Appends a member with JSON; `lead` is the name with its punctuation.
    mutating func member(_ lead: String, json: String) {
        raw(lead)
        raw(json)
    }

    /// Appends an array of strings.
    mutating func strings(_ texts: [String]) {
        raw("[")
        for (index, text) in texts.enumerated() {
            if index > 0 { raw(",") }
            string(text)
        }
        raw("]")
    }

    /// An array of strings as JSON text.
    static func array(_ texts: [String]) -> String {
        var json = JSONText()
        json.strings(texts)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// The strings of an array as JSON text; empty for any other text.
    static func strings(_ json: String) -> [String] {
        var reader = JSONReader(Array(json.utf8))
        return (try? reader.strings()) ?? []
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(0x5C)
        switch byte {
        case 0x22, 0x5C: bytes.append(byte)
        case 0x08: bytes.append(0x62)
        case 0x09: bytes.append(0x74)
        case 0x0A: bytes.append(0x6E)
        case 0x0C: bytes.append(0x66)
        case 0x0D: bytes.append(0x72)
        default:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: [0x75, 0x30, 0x30, digits[Int(byte >> 4)], digits[Int(byte & 15)]])
        }
    }
}
