/// The answer of `/messages/{id}/html`.
enum HTMLAnswer {
    /// A message's HTML: what is new, the quoted mail, and what follows it.
    struct Parts: Sendable, Hashable {
        var html = ""
        var quote: String?
        var after: String?
    }

    /// The answer for a message's HTML part; with a subject, as the older release gave it.
    static func text(
        _ source: String, _ images: SanitizedImages, isTrusted: Bool, subject: String? = nil
    ) -> JSONText {
        let bytes = Array(source.utf8)
        let parts = subject.map { oldParts(bytes, images, subject: $0) } ?? parts(bytes, images)
        var text = JSONText()
        text.member("{\"html\":", parts.html)
        text.member(",\"quotedHtml\":", parts.quote)
        if subject == nil { text.member(",\"afterQuotedHtml\":", parts.after) }
        text.member(",\"hasRemoteImages\":", json: RemoteReference.exists(bytes) ? "true" : "false")
        text.member(",\"remoteMediaTrusted\":", json: isTrusted ? "true}" : "false}")
        return text
    }

    /// The source, cut where Gmail's quote begins: the older release knows no other, and all after it is quoted.
    private static func oldParts(_ bytes: [UInt8], _ images: SanitizedImages, subject: String) -> Parts {
        guard let start = HTMLQuote.gmailStart(bytes, subject: subject) else {
            return Parts(html: HTMLSanitizer.text(bytes, 0..<bytes.count, images))
        }
        let quote = HTMLSanitizer.text(bytes, start..<bytes.count, images)
        return Parts(html: HTMLSanitizer.text(bytes, 0..<start, images), quote: quote.isEmpty ? nil : quote)
    }

    /// The source, cut at its quote; each part is sanitised on its own.
    static func parts(_ bytes: [UInt8], _ images: SanitizedImages) -> Parts {
        guard let cut = HTMLQuote.find(bytes) else {
            return Parts(html: HTMLSanitizer.text(bytes, 0..<bytes.count, images))
        }
        // White space next to the cut belongs to neither side.
        let end = bytes[..<cut.lowerBound].lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
        let start = bytes[cut.upperBound...].firstIndex { $0 > 0x20 } ?? bytes.count
        let quote = HTMLSanitizer.text(bytes, cut, images)
        let after = HTMLSanitizer.text(bytes, start..<bytes.count, images)
        return Parts(
            html: HTMLSanitizer.text(bytes, 0..<end, images), quote: quote.isEmpty ? nil : quote,
            after: after.isEmpty ? nil : after)
    }
}
