internal import JSON
internal import MailWire
internal import Platform
internal import SQLite

/// Imports the answers of a real server, one a line: its HTML is kept word for word.
enum PayloadImport {
    private struct Line {
        var detail = MessageDetailWire()
        var html: [UInt8]?
        var remote: [UInt8]?
    }

    /// Imports a file into a mailbox; answers the number of messages.
    ///
    /// - Throws: `ServerError.badImport` or `SQLiteError`.
    static func run(_ path: String, mailbox: String, _ store: Store) throws -> Int {
        guard let bytes = try? Files.read(path) else {
            throw ServerError.badImport(path: path, reason: "the file cannot be read.")
        }
        var threads: [String: String] = [:]
        var count = 0
        do {
            for (number, line) in bytes.split(separator: 0x0A).enumerated() {
                let line = Array(line)
                guard let parsed = try? parse(line) else {
                    throw ServerError.badImport(path: path, reason: "line \(number + 1) is not a payload.")
                }
                let old = parsed.detail.summary.threadId
                let thread = threads[old] ?? Store.id("thr")
                threads[old] = thread
                try store.insert(message(parsed, thread: thread, mailbox: mailbox))
                count += 1
            }
        }
        return count
    }

    private static func parse(_ bytes: [UInt8]) throws(JSONError) -> Line {
        var line = Line()
        var reader = JSONReader(bytes)
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "detail": line.detail = try MessageDetailWire(from: &reader)
            case "html": line.html = try object(&reader, bytes)
            case "htmlRemote": line.remote = try object(&reader, bytes)
            default: try reader.skip()
            }
        }
        if line.detail.summary.id.isEmpty { throw .missing("detail") }
        return line
    }

    /// The text of the next value; `nil` when it is no object.
    private static func object(_ reader: inout JSONReader, _ bytes: [UInt8]) throws(JSONError) -> [UInt8]? {
        let isObject = try reader.kind() == .object
        let start = reader.position
        try reader.skip()
        return isObject ? Array(bytes[start..<reader.position]) : nil
    }

    private static func message(_ line: Line, thread: String, mailbox: String) -> NewMessage {
        let summary = line.detail.summary
        var message = NewMessage()
        message.thread = thread
        message.mailbox = mailbox
        message.isOutbound = summary.direction == "outbound"
        message.folder = summary.folder
        message.from = summary.fromAddress
        message.to = summary.to
        message.cc = line.detail.cc
        message.bcc = line.detail.bcc
        message.subject = summary.subject
        message.snippet = summary.snippet
        message.receivedAt = summary.receivedAt
        message.sentAt = summary.sentAt
        message.readAt = summary.readAt
        message.starredAt = summary.starredAt
        message.createdAt = summary.createdAt
        message.deliveredTo = line.detail.deliveredToAddress
        message.text = line.detail.textBody
        message.messageIDHeader = line.detail.messageId
        message.inReplyTo = line.detail.inReplyTo
        message.references = line.detail.references
        var ids: [(old: String, new: String)] = [(summary.id, message.id)]
        for wire in line.detail.attachments {
            var attachment = NewAttachment()
            attachment.filename = wire.filename
            attachment.contentType = wire.contentType
            attachment.sizeBytes = wire.sizeBytes
            attachment.contentID = wire.contentId
            attachment.content = made(wire.sizeBytes, seed: wire.filename)
            ids.append((wire.id, attachment.id))
            message.attachments.append(attachment)
        }
        message.htmlAnswer = line.html.map { rewritten($0, ids) }
        message.htmlRemoteAnswer = line.remote.map { rewritten($0, ids) }
        return message
    }

    /// The largest content that is made up; what is larger keeps only its description.
    private static let contentMax = 64 << 20

    /// Bytes in place of an attachment's own, which payloads do not carry: always the same for one name and size.
    private static func made(_ size: Int, seed: String) -> [UInt8]? {
        guard (0...contentMax).contains(size) else { return nil }
        let line = Array("made up: \(seed)\n".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + line.count)
        while bytes.count < size { bytes.append(contentsOf: line) }
        return Array(bytes.prefix(size))
    }

    /// An HTML answer whose inline URLs carry the new ids and the mark for the origin.
    private static func rewritten(_ json: [UInt8], _ ids: [(old: String, new: String)]) -> String {
        let route = Array("/api/v1/messages/\(ids[0].old)/inline/".utf8)
        var out: [UInt8] = []
        out.reserveCapacity(json.count)
        var isChanged = false
        var index = 0
        while index < json.count {
            if json[index] == 0x2F, ByteSearch.starts(json, at: index, with: route) {
                while let last = out.last, last != 0x22 { out.removeLast() }
                out.append(contentsOf: (Store.originMark + "/api/v1/messages/\(ids[0].new)/inline/").utf8)
                index += route.count
                isChanged = true
            } else {
                out.append(json[index])
                index += 1
            }
        }
        guard isChanged else { return String(decoding: json, as: UTF8.self) }
        for pair in ids.dropFirst() { out = ByteSearch.replacing(pair.old, with: pair.new, in: out) }
        return String(decoding: out, as: UTF8.self)
    }
}
