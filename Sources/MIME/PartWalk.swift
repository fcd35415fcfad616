internal import CGMime

/// Collects texts and attachments over the tree of parts.
struct PartWalk {
    private(set) var text = ""
    private(set) var html: String?
    private(set) var attachments: [ParsedAttachment] = []
    private(set) var isTooDeep = false
    /// The longest text kept of each kind.
    private static let textMax = 16 << 20

    /// Takes a part and all in it.
    mutating func visit(_ object: UnsafeMutablePointer<GMimeObject>?, depth: Int) {
        guard let object, !isTooDeep else { return }
        guard depth <= MIMEParser.depthMax else {
            isTooDeep = true
            return
        }
        if let multipart = herald_as_multipart(object) {
            for index in 0..<g_mime_multipart_get_count(multipart) {
                visit(g_mime_multipart_get_part(multipart, index), depth: depth + 1)
            }
        } else if let part = herald_as_message_part(object) {
            attachMessage(part, object)
        } else if let part = herald_as_text(object), !isAttached(object), takeText(part, object, isInner: depth > 1) {
            return
        } else if let part = herald_as_part(object) {
            attach(part, object)
        }
    }

    private func isAttached(_ object: UnsafeMutablePointer<GMimeObject>) -> Bool {
        guard let disposition = g_mime_object_get_disposition(object) else { return false }
        return String(cString: disposition).lowercased() == "attachment"
    }

    /// Joins a plain or HTML part to the text of its kind; `false` for another kind of text.
    private mutating func takeText(
        _ part: UnsafeMutablePointer<GMimeTextPart>, _ object: UnsafeMutablePointer<GMimeObject>, isInner: Bool
    ) -> Bool {
        let type = contentType(object)
        guard type == "text/html" || type == "text/plain" else { return false }
        widenCharset(part)
        guard let decoded = g_mime_text_part_get_text(part) else { return true }
        defer { g_free(decoded) }
        let isEncoded =
            herald_as_part(object).map { g_mime_part_get_content_encoding($0) == GMIME_CONTENT_ENCODING_BASE64 }
            ?? false
        let text = String(cString: decoded)
        let added = isEncoded ? text : PartWalk.lines(text, isInner: isInner)
        if type == "text/html" {
            let before = html.map { $0 + "\n" } ?? ""
            if before.utf8.count + added.utf8.count <= PartWalk.textMax { html = before + added }
        } else {
            let before = self.text.isEmpty ? "" : self.text + "\n"
            if before.utf8.count + added.utf8.count <= PartWalk.textMax { self.text = before + added }
        }
        return true
    }

    /// Text with its lines ended by line feeds.
    ///
    /// The line end before a boundary belongs to the boundary, so a part inside another gains one of its own.
    private static func lines(_ text: String, isInner: Bool) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + 1)
        var isReturn = false
        for byte in text.utf8 {
            if byte == 0x0A, isReturn { bytes.removeLast() }
            isReturn = byte == 0x0D
            bytes.append(byte)
        }
        if isInner || bytes.last.map({ $0 != 0x0A }) ?? false { bytes.append(0x0A) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads what is called Latin-1 or ASCII as Windows-1252, which is what its writers meant.
    private func widenCharset(_ part: UnsafeMutablePointer<GMimeTextPart>) {
        guard let name = g_mime_text_part_get_charset(part) else { return }
        let narrow: Set<String> = ["iso-8859-1", "iso8859-1", "latin1", "us-ascii", "ascii"]
        if narrow.contains(String(cString: name).lowercased()) { g_mime_text_part_set_charset(part, "windows-1252") }
    }

    private func contentType(_ object: UnsafeMutablePointer<GMimeObject>) -> String {
        guard let type = g_mime_object_get_content_type(object), let text = g_mime_content_type_get_mime_type(type)
        else { return "application/octet-stream" }
        defer { g_free(text) }
        return String(cString: text).lowercased()
    }

    private mutating func attach(
        _ part: UnsafeMutablePointer<GMimePart>, _ object: UnsafeMutablePointer<GMimeObject>
    ) {
        guard attachments.count < MIMEParser.attachmentsMax else { return }
        var attachment = description(object)
        if let name = g_mime_part_get_filename(part) {
            let text = String(cString: name)
            if !text.isEmpty { attachment.filename = text }
        }
        if let content = g_mime_part_get_content(part) {
            attachment.bytes = collected { g_mime_data_wrapper_write_to_stream(content, $0) }
        }
        attachments.append(attachment)
    }

    private mutating func attachMessage(
        _ part: UnsafeMutablePointer<GMimeMessagePart>, _ object: UnsafeMutablePointer<GMimeObject>
    ) {
        guard attachments.count < MIMEParser.attachmentsMax else { return }
        var attachment = description(object)
        if let message = g_mime_message_part_get_message(part) {
            attachment.bytes = collected {
                g_mime_object_write_to_stream(herald_message_as_object(message), nil, $0)
            }
        }
        attachments.append(attachment)
    }

    private func description(_ object: UnsafeMutablePointer<GMimeObject>) -> ParsedAttachment {
        var attachment = ParsedAttachment()
        attachment.contentType = contentType(object)
        if let id = g_mime_object_get_content_id(object) {
            let text = String(cString: id)
            if !text.isEmpty { attachment.contentID = "<" + text + ">" }
        }
        return attachment
    }

    private func collected(_ write: (UnsafeMutablePointer<GMimeStream>) -> Int) -> [UInt8] {
        guard let stream = g_mime_stream_mem_new() else { return [] }
        defer { g_object_unref(stream) }
        _ = write(stream)
        guard let array = herald_stream_bytes(stream), let data = array.pointee.data else { return [] }
        return Array(UnsafeBufferPointer(start: data, count: Int(array.pointee.len)))
    }
}
