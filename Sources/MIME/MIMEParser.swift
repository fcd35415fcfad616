internal import CGMime

/// Parses raw messages (RFC 5322, MIME); never fails on what is no mail, only on what is too deep.
package enum MIMEParser {
    /// The longest message looked at; the rest is cut off.
    private static let bytesMax = 64 << 20
    /// The deepest nesting of parts; a message beyond it is not stored by a mail server either.
    static let depthMax = 256
    /// The most attachments kept.
    static let attachmentsMax = 1_000

    // GMime's own set-up, run once by Swift's rule for globals.
    private static let isReady: Bool = {
        g_mime_init()
        return true
    }()

    /// Parses a message; `nil` when its parts nest deeper than 256.
    package static func parse(_ bytes: [UInt8]) -> ParsedMail? {
        guard isReady else { return nil }
        let count = min(bytes.count, bytesMax)
        let stream = bytes.withUnsafeBytes {
            g_mime_stream_mem_new_with_buffer($0.bindMemory(to: CChar.self).baseAddress, count)
        }
        guard let stream else { return nil }
        defer { g_object_unref(stream) }
        guard let parser = g_mime_parser_new_with_stream(stream) else { return nil }
        defer { g_object_unref(parser) }
        let options = g_mime_parser_options_new()
        defer { g_mime_parser_options_free(options) }
        setFallbacks(options)
        guard let message = g_mime_parser_construct_message(parser, options) else { return ParsedMail() }
        defer { g_object_unref(message) }
        var walk = PartWalk()
        walk.visit(g_mime_message_get_mime_part(message), depth: 1)
        guard !walk.isTooDeep else { return nil }
        return fields(of: message, walk)
    }

    private static func setFallbacks(_ options: OpaquePointer?) {
        // Tried in this order for unlabelled eight-bit text.
        "utf-8".withCString { first in
            "windows-1252".withCString { second in
                var names: [UnsafePointer<CChar>?] = [first, second, nil]
                names.withUnsafeMutableBufferPointer {
                    g_mime_parser_options_set_fallback_charsets(options, $0.baseAddress)
                }
            }
        }
    }

    private static func fields(of message: UnsafeMutablePointer<GMimeMessage>, _ walk: PartWalk) -> ParsedMail {
        var mail = ParsedMail()
        mail.from = Addresses.bare(g_mime_message_get_from(message)).first ?? "unknown"
        mail.to = Addresses.bare(g_mime_message_get_to(message))
        mail.cc = Addresses.bare(g_mime_message_get_cc(message))
        mail.subject = trimmed(g_mime_message_get_subject(message).map { String(cString: $0) } ?? "")
        if let date = g_mime_message_get_date(message) {
            mail.dateMilliseconds = Int64(g_date_time_to_unix(date)).multipliedReportingOverflow(by: 1_000).partialValue
        }
        let object = herald_message_as_object(message)
        mail.messageID = header("Message-Id", object).flatMap { Addresses.identifiers($0).first ?? $0 }
        mail.inReplyTo = header("In-Reply-To", object)
        mail.references = Addresses.identifiers(header("References", object) ?? "")
        mail.text = walk.text
        mail.html = walk.html
        mail.attachments = walk.attachments
        return mail
    }

    private static func header(_ name: String, _ object: UnsafeMutablePointer<GMimeObject>?) -> String? {
        guard let value = g_mime_object_get_header(object, name) else { return nil }
        let text = trimmed(String(cString: value))
        return text.isEmpty ? nil : text
    }

    private static func trimmed(_ text: String) -> String {
        var slice = text.unicodeScalars[...]
        while let first = slice.first, first.properties.isWhitespace { slice.removeFirst() }
        while let last = slice.last, last.properties.isWhitespace { slice.removeLast() }
        return String(slice)
    }
}
