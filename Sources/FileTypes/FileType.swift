internal import CMagic

/// What kind of file it is, as a MIME type (RFC 2046).
package enum FileType {
    /// How many bytes of a file are enough to tell.
    package static let bytesWanted = 1_048_576

    private static let unknown = "application/octet-stream"

    /// The type of a file by its first bytes and, where they do not tell, by the ending of its name.
    ///
    /// `application/octet-stream` for what neither tells. Asks libmagic, which takes some milliseconds.
    package static func name(of bytes: [UInt8], filename: String) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        var found = unknown
        if !bytes.isEmpty, herald_magic_type(bytes, bytes.count, &buffer, buffer.count) != 0 {
            let text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            found = String(decoding: text, as: UTF8.self)
        }
        if !isType(found) { found = unknown }
        // What is inside of these only their name tells.
        guard [unknown, "text/plain", "application/zip"].contains(found) else { return found }
        let isText = found == "text/plain"
        guard let named = endings[ending(of: filename)] else { return found }
        return bytes.isEmpty || isText == isTextual(named) ? named : found
    }

    /// Whether it is of the form of a type that a mail may name.
    private static func isType(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] != "inode" else { return false }
        return parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x3B && $0 != 0x2C && $0 != 0x22 }
        }
    }

    private static func ending(of filename: String) -> String {
        guard let dot = filename.lastIndex(of: "."), dot != filename.startIndex else { return "" }
        return String(filename[filename.index(after: dot)...]).lowercased()
    }

    private static func isTextual(_ type: String) -> Bool {
        type.hasPrefix("text/") || ["application/json", "application/xml", "application/javascript"].contains(type)
    }

    private static let endings = [
        "txt": "text/plain", "log": "text/plain", "csv": "text/csv", "tsv": "text/tab-separated-values",
        "md": "text/markdown", "markdown": "text/markdown", "ics": "text/calendar", "vcf": "text/vcard",
        "html": "text/html", "htm": "text/html", "css": "text/css", "js": "application/javascript",
        "json": "application/json", "xml": "application/xml", "patch": "text/x-diff", "diff": "text/x-diff",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "odt": "application/vnd.oasis.opendocument.text", "ods": "application/vnd.oasis.opendocument.spreadsheet",
        "odp": "application/vnd.oasis.opendocument.presentation", "epub": "application/epub+zip",
        "zip": "application/zip", "pdf": "application/pdf",
    ]
}
