internal import Glibc

/// The file of an upload.
struct FormFile: Sendable {
    var filename: String
    var contentType: String
    var content: [UInt8]

    private static let nameMax = 255

    /// The first file named `file` of a form.
    ///
    /// - Throws: `FILE_REQUIRED` when there is none, and the server's 500 for what is no form.
    static func read(_ request: ServerRequest) throws(Refusal) -> FormFile {
        let header = HeaderValue(request.contentType ?? "")
        if header.value == "application/x-www-form-urlencoded" { throw .fileRequired }
        guard header.value == "multipart/form-data", let boundary = header.parameters["boundary"], !boundary.isEmpty
        else { throw .notMultipart }
        var found: FormFile?
        var parts = FormParts(request.body, boundary: boundary)
        while let part = try parts.next() {
            let disposition = HeaderValue(part.headers["content-disposition"] ?? "")
            guard disposition.value == "form-data", let name = disposition.parameters["name"] else {
                throw .brokenMultipart
            }
            guard found == nil, name == "file", let filename = disposition.parameters["filename"] else { continue }
            let type = part.headers["content-type"] ?? ""
            found = FormFile(
                filename: cut(FormFile.unescaped(filename)),
                contentType: type.isEmpty ? "application/octet-stream" : type,
                content: Array(request.body[part.content]))
        }
        guard let found else { throw .fileRequired }
        return found
    }

    /// A name as forms write it, with its quotes and line ends back.
    private static func unescaped(_ name: String) -> String {
        var text = ""
        var rest = name[...]
        while let mark = rest.firstIndex(of: "%") {
            text += rest[..<mark]
            rest = rest[mark...]
            let code = rest.prefix(3)
            let mapped = ["%22": "\"", "%0D": "\r", "%0A": "\n"][String(code)]
            text += mapped ?? "%"
            rest = rest.dropFirst(mapped == nil ? 1 : 3)
        }
        return text + rest
    }

    /// The first units of a name; a pair of units is not torn apart.
    private static func cut(_ name: String) -> String {
        var text = String.UnicodeScalarView()
        var units = 0
        for scalar in name.unicodeScalars {
            units += scalar.value > 0xFFFF ? 2 : 1
            if units > nameMax { break }
            text.append(scalar)
        }
        return String(text)
    }
}

/// The parts of a form's body (RFC 7578), one after the other.
struct FormParts: Sendable {
    /// One part: its header by lower-case name, and where its content is.
    struct Part: Sendable {
        let headers: [String: String]
        let content: Range<Int>
    }

    private let body: [UInt8]
    private let delimiter: [UInt8]
    private var position = 0
    private static let headerBytesMax = 16_384

    init(_ body: [UInt8], boundary: String) {
        self.body = body
        delimiter = Array(("--" + boundary).utf8)
    }

    /// The next part; `nil` after the last.
    ///
    /// - Throws: the server's 500 when a delimiter, a header or the end is missing.
    mutating func next() throws(Refusal) -> Part? {
        guard ByteSearch.starts(body, at: position, with: delimiter) else { throw .brokenMultipart }
        position += delimiter.count
        if ByteSearch.starts(body, at: position, with: [0x2D, 0x2D]) { return nil }
        guard ByteSearch.starts(body, at: position, with: [0x0D, 0x0A]) else { throw .brokenMultipart }
        position += 2
        let headers = try readHeaders()
        guard let end = endOfContent() else { throw .brokenMultipart }
        let content = position..<end
        position = end + 2
        return Part(headers: headers, content: content)
    }

    private mutating func readHeaders() throws(Refusal) -> [String: String] {
        var headers: [String: String] = [:]
        let limit = min(body.count, position + FormParts.headerBytesMax)
        while true {
            var end = position
            while end < limit, body[end] != 0x0D { end += 1 }
            guard ByteSearch.starts(body, at: end, with: [0x0D, 0x0A]) else { throw .brokenMultipart }
            let line = body[position..<end]
            position = end + 2
            if line.isEmpty { return headers }
            guard let colon = line.firstIndex(of: 0x3A) else { throw .brokenMultipart }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            headers[name] = String(decoding: line[(colon + 1)...], as: UTF8.self).webTrimmed
        }
    }

    /// Where the line end before the next delimiter is.
    private func endOfContent() -> Int? {
        let needle = [0x0D, 0x0A] + delimiter
        return body.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var index = position
            while index + needle.count <= bytes.count {
                // The library's search is fast where the build is not optimised.
                guard let found = memchr(base + index, 0x0D, bytes.count - index) else { return nil }
                index = UnsafeRawPointer(found) - base
                if index + needle.count <= bytes.count, memcmp(base + index, needle, needle.count) == 0 { return index }
                index += 1
            }
            return nil
        }
    }
}

/// A header's value with its parameters, each by its lower-case name.
struct HeaderValue: Sendable {
    private(set) var value = ""
    private(set) var parameters: [String: String] = [:]

    init(_ text: String) {
        let pieces = HeaderValue.pieces(text)
        value = pieces.first?.webTrimmed.lowercased() ?? ""
        for piece in pieces.dropFirst() {
            guard let equals = piece.firstIndex(of: "=") else { continue }
            let name = String(piece[..<equals]).webTrimmed.lowercased()
            guard parameters[name] == nil else { continue }
            parameters[name] = HeaderValue.unquoted(String(piece[piece.index(after: equals)...]).webTrimmed)
        }
    }

    /// The text cut at each semicolon outside quotes.
    private static func pieces(_ text: String) -> [String] {
        var pieces = [""]
        var isQuoted = false
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if scalar == ";", !isQuoted {
                pieces.append("")
                continue
            }
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = scalar == "\\" && !isEscaped && isQuoted
            pieces[pieces.count - 1].unicodeScalars.append(scalar)
        }
        return pieces
    }

    /// A quoted text without its quotes; a quote after a backslash stays.
    private static func unquoted(_ text: String) -> String {
        guard text.unicodeScalars.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        var out = ""
        var isEscaped = false
        for scalar in text.unicodeScalars.dropFirst().dropLast() {
            if isEscaped, scalar != "\"" { out.unicodeScalars.append("\\") }
            isEscaped = scalar == "\\" && !isEscaped
            if !isEscaped { out.unicodeScalars.append(scalar) }
        }
        return out
    }
}
