internal import JSON
internal import MIME
internal import MailTestSupport
internal import MailWire
internal import Platform
internal import Testing

@testable internal import LocalServer

/// What a payload line says about a message's HTML, with the images when it was asked for so.
private struct Payload: Sendable {
    var source = ""
    var id = ""
    var answer: [String: String] = [:]
    var hasImages = false
    var inline: [String: String] = [:]

    init(_ line: [UInt8]) throws(JSONError) {
        var found = (source: "", id: "", answer: [String: String](), hasImages: false, inline: [String: String]())
        var reader = JSONReader(line)
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "source": found.source = try reader.string()
            case "detail":
                let detail = try MessageDetailWire(from: &reader)
                found.id = detail.summary.id
                for attachment in detail.attachments {
                    if let id = attachment.contentId { found.inline[SanitizedImages.key(id)] = attachment.id }
                }
            case "html" where try reader.kind() == .object, "htmlRemote" where try reader.kind() == .object:
                found.hasImages = name == "htmlRemote"
                found.answer = try Payload.answer(&reader)
            default: try reader.skip()
            }
        }
        (source, id, answer, hasImages, inline) = found
    }

    /// The members of an answer about HTML; its parts without the line ends after them.
    static func answer(_ reader: inout JSONReader) throws(JSONError) -> [String: String] {
        var answer: [String: String] = [:]
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "html", "quotedHtml", "afterQuotedHtml":
                let text = try reader.optionalString() ?? ""
                answer[name] = String(text.reversed().drop { $0.isNewline }.reversed())
            case "hasRemoteImages": answer[name] = String(try reader.bool())
            default: try reader.skip()
            }
        }
        return answer
    }

    /// What the local server makes of the same mail; `nil` when the mail has no HTML for it.
    func local(_ raw: [UInt8]) throws(JSONError) -> [String: String]? {
        guard let html = MIMEParser.parse(raw)?.html else { return nil }
        var images = SanitizedImages(message: id, origin: "http://127.0.0.1:8801", loadsRemote: hasImages)
        images.attachments = inline
        var reader = JSONReader(HTMLAnswer.text(html, images, isTrusted: false).bytes)
        return try Payload.answer(&reader)
    }
}

struct SanitizerCorpusTests {
    /// How many mails of the sample differ.
    private static let knownMax = 8

    /// Fails when the sanitised HTML of more real mails differs from the real server's than is known.
    ///
    /// The known ones are mails that the two servers take apart differently before any HTML is looked at.
    @Test func `real mail comes out as the real server gave it`() throws {
        guard let bytes = SharedFolder.read("payloads/dev.jsonl") else { return }
        var total = 0
        var differing: [String] = []
        for (number, line) in bytes.split(separator: 0x0A).enumerated() where number % 4 == 0 {
            let payload = try Payload(Array(line))
            guard !payload.answer.isEmpty, let raw = try? Files.read(SharedFolder.path + "/mail/" + payload.source),
                let local = try payload.local(raw)
            else { continue }
            total += 1
            if local != payload.answer { differing.append(payload.source) }
        }
        print("dev.jsonl: \(total - differing.count)/\(total) alike")
        #expect(differing.count <= SanitizerCorpusTests.knownMax, "\(differing)")
    }
}
