internal import HTTP
internal import JSON
package import MailModel
internal import MailWire

extension HTTPMailAPIClient: DraftWriting {
    package func draft(_ id: DraftID) async throws -> Draft {
        let request = HTTPRequest(
            url: try url(of: id), headers: [HTTPHeader("Accept", "application/json")],
            responseBytesMax: HTTPMailAPIClient.jsonBytesMax)
        return try own(try await answer(to: request), id)
    }

    package func createDraft(_ draft: DraftUpload, requestID: String) async throws -> Draft {
        let request = HTTPRequest(
            method: "POST", url: base + "/drafts", headers: HTTPMailAPIClient.headers(requestID),
            body: draft.json(version: nil), responseBytesMax: HTTPMailAPIClient.jsonBytesMax)
        return try own(try await answer(to: request), nil)
    }

    package func replaceDraft(
        _ id: DraftID, version: Int, with draft: DraftUpload, requestID: String
    ) async throws -> Draft {
        // Should the transport repeat it, the version keeps it from being done twice.
        let request = HTTPRequest(
            method: "PATCH", url: try url(of: id), headers: HTTPMailAPIClient.headers(requestID),
            body: draft.json(version: version), responseBytesMax: HTTPMailAPIClient.jsonBytesMax)
        return try own(try await answer(to: request), id)
    }

    package func deleteDraft(_ id: DraftID) async throws {
        _ = try await answer(to: deletion(try url(of: id)), isJSON: false)
    }

    package func deleteAttachment(_ id: AttachmentID, of draft: DraftID) async throws {
        let path = try url(of: draft) + "/attachments/" + (try HTTPMailAPIClient.name(id, "ATTACHMENT_NOT_FOUND"))
        _ = try await answer(to: deletion(path), isJSON: false)
    }

    package func upload(
        path: String, filename: String, contentType: String, sizeBytes: Int, to draft: DraftID,
        progress: @escaping @Sendable (Int) -> Void
    ) async throws -> DraftAttachment {
        let form = FileForm(filename: filename, contentType: contentType)
        let body = HTTPFileBody(
            head: form.head, path: path, sizeBytes: sizeBytes, tail: form.tail, progress: HTTPProgress(progress))
        let headers = [HTTPHeader("Accept", "application/json"), HTTPHeader("Content-Type", form.contentType)]
        let request = HTTPRequest(
            method: "POST", url: try url(of: draft) + "/attachments", headers: headers, fileBody: body,
            responseBytesMax: HTTPMailAPIClient.jsonBytesMax)
        let response = try await answer(to: request)
        do {
            let wire = try HTTPMailAPIClient.decode(response) { reader throws(JSONError) in
                try AttachmentWire(from: &reader)
            }
            guard !wire.id.isEmpty else { throw MailAPIError.implausible }
            return DraftAttachment(
                id: AttachmentID(wire.id), filename: wire.filename, contentType: wire.contentType,
                sizeBytes: wire.sizeBytes)
        } catch {
            throw WriteFailure(.done, (error as? MailAPIError) ?? .implausible, status: response.status)
        }
    }

    /// The draft of an answer, which must be the one that was asked for.
    private func own(_ response: HTTPResponse, _ id: DraftID?) throws -> Draft {
        let draft: Draft
        do {
            draft = try HTTPMailAPIClient.decode(response) { reader throws(JSONError) in
                Draft(try DraftWire(from: &reader))
            }
        } catch {
            throw WriteFailure(.done, error, status: response.status)
        }
        guard id == nil || draft.id == id else { throw WriteFailure(.done, .implausible, status: response.status) }
        return draft
    }

    private func url(of draft: DraftID) throws(WriteFailure) -> String {
        base + "/drafts/" + (try HTTPMailAPIClient.name(draft, "DRAFT_NOT_FOUND"))
    }

    /// An identifier as one segment of a path; nothing has a name that would climb out of it.
    private static func name(_ id: some Identifier, _ code: String) throws(WriteFailure) -> String {
        do {
            return try segment(id)
        } catch {
            throw WriteFailure(.refused, error, status: 404, code: code)
        }
    }

    private func deletion(_ url: String) -> HTTPRequest {
        HTTPRequest(
            method: "DELETE", url: url, headers: [HTTPHeader("Accept", "application/json")],
            responseBytesMax: HTTPMailAPIClient.jsonBytesMax)
    }

    private static func headers(_ requestID: String) -> [HTTPHeader] {
        [
            HTTPHeader("Accept", "application/json"), HTTPHeader("Content-Type", "application/json"),
            HTTPHeader("X-Request-Id", requestID),
        ]
    }
}

extension DraftUpload {
    /// The body of a save; without a version, of the first one.
    func json(version: Int?) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("mailboxId", mailbox?.rawValue)
            writer.member("replyToMessageId", replyTo?.rawValue)
            writer.member("forwardOfMessageId", forwardOf?.rawValue)
            writer.member("from", from)
            writer.member("to", to)
            writer.member("cc", cc)
            writer.member("bcc", bcc)
            writer.member("subject", subject)
            writer.member("text", text)
            writer.member("html", html)
            if let version { writer.member("version", version) }
        }
        return writer.bytes
    }
}

/// A form of one file (RFC 7578), around bytes that are sent on their way.
///
/// A name goes as UTF-8 in `filename`, with quotes and line ends as browsers write them; RFC 7578 §4.2 forbids
/// `filename*`.
struct FileForm {
    private let boundary: String
    let head: [UInt8]
    let tail: [UInt8]

    init(filename: String, contentType: String) {
        // Longer than any line that a file could have by chance; each request has its own.
        let numbers = (0..<4).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 36) }
        boundary = "herald-" + numbers.joined()
        head = Array(
            """
            --\(boundary)\r
            Content-Disposition: form-data; name="file"; filename="\(FileForm.escaped(filename))"\r
            Content-Type: \(FileForm.line(contentType))\r
            \r

            """.utf8)
        tail = Array("\r\n--\(boundary)--\r\n".utf8)
    }

    /// The `Content-Type` of the request.
    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    private static func escaped(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": text += "%22"
            case "\r": text += "%0D"
            case "\n": text += "%0A"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// A value that cannot end its line.
    private static func line(_ value: String) -> String {
        value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value < 0x7F }) && !value.isEmpty
            ? value : "application/octet-stream"
    }
}
