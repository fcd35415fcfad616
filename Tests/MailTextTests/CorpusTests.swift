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
    @Test(arguments: ["modern-html.jsonl", "dev.jsonl"])
    func `real mail stays in its lines`(file: String) throws {
        guard let bytes = SharedFolder.read("payloads/" + file) else { return }
        let lines = bytes.split(separator: 0x0A)
        let step = max(1, lines.count / CorpusTests.sampleSize)
        let clock = ContinuousClock()
        var slowest = Duration.zero
        for (index, line) in lines.enumerated() where index % step == 0 {
            let payload = try Payload(line: Array(line))
            for columns in [40, 80] {
                let start = clock.now
                var bodies = [renderText(payload.text, columns: columns, showQuotes: true)]
                if let html = payload.html { bodies.append(renderHTML(html, columns: columns, showQuotes: true)) }
                slowest = max(slowest, clock.now - start)
                for body in bodies { expectSafe(body, columns: columns, "\(file) \(index)") }
            }
        }
        print("\(file): slowest mail \(slowest)")
    }

    /// How many mails of a file are looked at; `HERALD_ALL_MAIL` asks for all.
    private static var sampleSize: Int { getenv("HERALD_ALL_MAIL") == nil ? 75 : .max }
}
