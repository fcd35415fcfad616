import Glibc
import JSON
import MailModel
import MailTestSupport
import MailText
import Testing

/// A mail of a payload file, as far as its body goes.
private struct Payload {
    var text = ""
    var html: MessageHTML?

    init(line: [UInt8]) throws(JSONError) {
        var reader = JSONReader(line)
        try reader.object { (reader, name) throws(JSONError) in
            switch name {
            case "detail": text = try Payload.text(&reader)
            case "html": html = try Payload.html(&reader)
            default: try reader.skip()
            }
        }
    }

    private static func text(_ reader: inout JSONReader) throws(JSONError) -> String {
        var text = ""
        try reader.object { (reader, name) throws(JSONError) in
            if name == "textBody" { text = try reader.string() } else { try reader.skip() }
        }
        return text
    }

    private static func html(_ reader: inout JSONReader) throws(JSONError) -> MessageHTML? {
        if try reader.takeNull() { return nil }
        var html = MessageHTML(
            html: "", quotedHTML: nil, afterQuotedHTML: nil, hasRemoteImages: false, remoteMediaTrusted: false)
        try reader.object { (reader, name) throws(JSONError) in
            switch name {
            case "html": html.html = try reader.string()
            case "quotedHtml": html.quotedHTML = try reader.optionalString()
            case "afterQuotedHtml": html.afterQuotedHTML = try reader.optionalString()
            default: try reader.skip()
            }
        }
        return html
    }
}

@Suite struct CorpusTests {
    @Test(arguments: ["modern-html.jsonl", "dev.jsonl", "spamassassin.jsonl"])
    func `real mail stays in its lines`(file: String) throws {
        guard let bytes = SharedFolder.read("payloads/" + file) else { return }
        let lines = bytes.split(separator: 0x0A)
        let step = max(1, lines.count / CorpusTests.sampleSize)
        for (index, line) in lines.enumerated() where index % step == 0 {
            let payload = try Payload(line: Array(line))
            let name = "\(file) \(index)"
            // Each mail at the ends and one width between, so that all mails together see all widths.
            let widths = [30, 31 + index % 169, 200]
            let texts = widths.map { renderText(payload.text, columns: $0, showQuotes: true) }
            for (body, columns) in zip(texts, widths) { expectSafe(body, columns: columns, name) }
            // Long addresses are cut in narrow windows.
            if !texts.contains(where: { $0.text.contains("…") }) { expectSameText(texts, name) }
            guard let html = payload.html else { continue }
            let pages = widths.map { renderHTML(html, columns: $0, showQuotes: true) }
            for (body, columns) in zip(pages, widths) { expectSafe(body, columns: columns, name) }
            expectSameText(pages, name)
            expectNoMarkup(pages[1], html, name)
        }
    }

    /// Nothing that a wide window shows is missing in a narrow one.
    private func expectSameText(_ bodies: [RenderedBody], _ name: String) {
        let counts = bodies.map { CorpusTests.letters($0.text) }
        guard let wide = counts.last else { return }
        for narrow in counts.dropLast() {
            let lost = wide.filter { narrow[$0.key, default: 0] < $0.value }
            #expect(lost.isEmpty, "\(name) lacks \(lost.keys)")
        }
    }

    private static func letters(_ text: String) -> [Unicode.Scalar: Int] {
        var counts: [Unicode.Scalar: Int] = [:]
        // The words of an image are left out where the text below it is the same, which depends on the width.
        var rest = String(
            String.UnicodeScalarView(text.unicodeScalars.filter { !" \u{3000}\n│─".unicodeScalars.contains($0) }))[...]
        while let image = rest.firstRange(of: "[image:") {
            for scalar in rest[..<image.lowerBound].unicodeScalars { counts[scalar, default: 0] += 1 }
            rest = rest[image.upperBound...].drop { $0 != "]" }.dropFirst()
        }
        for scalar in rest.unicodeScalars { counts[scalar, default: 0] += 1 }
        return counts
    }

    /// No tag or style of the source is shown that its text does not hold itself.
    private func expectNoMarkup(_ body: RenderedBody, _ html: MessageHTML, _ name: String) {
        let source = html.html + (html.quotedHTML ?? "") + (html.afterQuotedHTML ?? "")
        let text = body.text.lowercased()
        let marks = [
            "<div", "<td", "<span", "<table", "<br", "<img", "</", "font-family:", "font-size:", "@media", "mso-",
            "display:none", "line-height:", "&nbsp;", "<!--", "-->", "![endif]",
        ]
        let found = marks.filter { text.contains($0) }
        guard !found.isEmpty else { return }
        let own = CorpusTests.withoutTags(source).lowercased()
            .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
        let leaked = found.filter { !own.contains($0) }
        #expect(leaked.isEmpty, "\(name) shows \(leaked)")
    }

    private static func withoutTags(_ source: String) -> String {
        var text: [UInt8] = []
        var isInTag = false
        for byte in source.utf8 {
            if byte == 0x3C { isInTag = true }
            if !isInTag { text.append(byte) }
            if byte == 0x3E { isInTag = false }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// How many mails of a file are looked at; `HERALD_ALL_MAIL` asks for all.
    private static var sampleSize: Int { getenv("HERALD_ALL_MAIL") == nil ? 40 : .max }
}

extension String {
    /// The text with each occurrence of a word replaced.
    fileprivate func replacing(_ word: String, with other: String) -> String {
        var result = ""
        var rest = self[...]
        while let place = rest.firstRange(of: word) {
            result += rest[..<place.lowerBound] + other
            rest = rest[place.upperBound...]
        }
        return result + rest
    }
}
