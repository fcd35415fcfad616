package import HTTP
internal import JSON
package import MailModel
internal import MailWire
internal import Synchronization

/// The read routes over HTTP for one account.
///
/// The token goes to the account's own origin only; addresses the server names are never followed.
package final class HTTPMailAPIClient: MailAPIClient {
    /// The largest JSON answer taken.
    package static let jsonBytesMax = 16 * 1_024 * 1_024
    /// The largest file taken.
    package static let fileBytesMax = 64 * 1_024 * 1_024
    static let pageRows = 100

    let base: String
    /// The parts of `base`, with which every request is compared.
    let home: URLParts?
    let source: any BearerSource
    private let client: any HTTPClient
    private let counted = Mutex(Traffic())

    /// A client of the account at `origin` (scheme, host and port; no slash at the end).
    package init(origin: String, bearers source: any BearerSource, client: any HTTPClient) {
        base = (URLParts(origin)?.origin ?? origin) + "/api/v1"
        home = URLParts(base)
        self.source = source
        self.client = client
    }

    /// A client whose bearer never changes.
    package convenience init(origin: String, token: String, client: any HTTPClient) {
        self.init(origin: origin, bearers: StaticBearer(token), client: client)
    }

    package var traffic: Traffic { counted.withLock { $0 } }

    package func features() async throws -> ServerFeatures {
        do {
            let (response, _) = try await get("/openapi.json", isAuthenticated: false)
            return try HTTPMailAPIClient.decode(response, OpenAPIPaths.features)
        } catch MailAPIError.notFound {
            throw MailAPIError.tooOld
        }
    }

    package func mailboxes() async throws -> [Mailbox] {
        let (response, _) = try await get("/mailboxes")
        return try HTTPMailAPIClient.rows(response) { reader throws(JSONError) in
            Mailbox(try MailboxWire(from: &reader))
        }
    }

    package func messages(listing: Listing, next: String?, limit: Int) async throws -> MessagePage {
        let (response, asked) = try await get(
            "/messages", listing.queryItems + [("limit", String(limit))] + HTTPMailAPIClient.cursor(next))
        let messages = try HTTPMailAPIClient.rows(response) { reader throws(JSONError) in
            MessageSummary(try MessageSummaryWire(from: &reader))
        }
        return MessagePage(messages: messages, next: try PageCursor.next(in: response, asked: asked))
    }

    package func changes(cursor: String?) async throws -> ChangePage {
        do {
            let (response, _) = try await get(
                "/changes", [("limit", String(HTTPMailAPIClient.pageRows))] + HTTPMailAPIClient.cursor(cursor))
            return try HTTPMailAPIClient.decode(response) { reader throws(JSONError) in
                ChangePage(try ChangePageWire(from: &reader))
            }
        } catch MailAPIError.notFound where cursor == nil {
            throw MailAPIError.tooOld
        }
    }

    package func drafts(next: String?) async throws -> DraftPage {
        let (response, asked) = try await get(
            "/drafts", [("limit", String(HTTPMailAPIClient.pageRows))] + HTTPMailAPIClient.cursor(next))
        let drafts = try HTTPMailAPIClient.rows(response) { reader throws(JSONError) in
            Draft(try DraftWire(from: &reader))
        }
        return DraftPage(drafts: drafts, next: try PageCursor.next(in: response, asked: asked))
    }

    package func message(_ id: MessageID) async throws -> MessageDetail {
        let (response, _) = try await get("/messages/\(try HTTPMailAPIClient.segment(id))")
        return try HTTPMailAPIClient.decode(response) { reader throws(JSONError) in
            MessageDetail(try MessageDetailWire(from: &reader))
        }
    }

    package func thread(of id: MessageID) async throws -> [MessageDetail] {
        let (response, _) = try await get("/messages/\(try HTTPMailAPIClient.segment(id))/thread")
        return try HTTPMailAPIClient.rows(response) { reader throws(JSONError) in
            MessageDetail(try MessageDetailWire(from: &reader))
        }
    }

    package func html(of id: MessageID, loadRemoteImages: Bool) async throws -> MessageHTML? {
        do {
            let (response, _) = try await get(
                "/messages/\(try HTTPMailAPIClient.segment(id))/html",
                loadRemoteImages ? [("loadRemoteImages", "1")] : [])
            return try HTTPMailAPIClient.decode(response) { reader throws(JSONError) in
                MessageHTML(try MessageHTMLWire(from: &reader))
            }
        } catch MailAPIError.notFound("MESSAGE_HTML_NOT_FOUND") {
            return nil
        }
    }

    /// Lets a sender's images of other servers load from now on, for this user and in every client.
    ///
    /// There is no way back (contract §3.6). Asking again changes nothing, so a lost answer may be asked for again.
    package func trustRemoteImages(of id: MessageID) async throws {
        let path = "/messages/\(try HTTPMailAPIClient.segment(id))/remote-media/trust"
        guard let asked = URLParts(base + path) else { throw MailAPIError.transport(.badURL) }
        let response = try await send(
            asked, base + path, method: "POST", accept: "application/json",
            bytesMax: HTTPMailAPIClient.jsonBytesMax, true)
        guard ResponseStatus.isJSON(response) else { throw MailAPIError.notJSON }
    }

    package func attachment(_ id: AttachmentID) async throws -> [UInt8] {
        try await file("/attachments/\(try HTTPMailAPIClient.segment(id))")
    }

    package func inline(message: MessageID, attachment: AttachmentID) async throws -> [UInt8] {
        let message = try HTTPMailAPIClient.segment(message)
        return try await file("/messages/\(message)/inline/\(try HTTPMailAPIClient.segment(attachment))")
    }
}

extension HTTPMailAPIClient {
    /// Asks for JSON; answers a success that declares itself as such, and the address that was asked.
    func get(
        _ path: String, _ query: [(name: String, value: String)] = [], isAuthenticated: Bool = true
    ) async throws -> (HTTPResponse, URLParts) {
        let url = base + path + (query.isEmpty ? "" : "?" + PercentEncoding.query(query))
        guard let asked = URLParts(url) else { throw MailAPIError.transport(.badURL) }
        let response = try await send(
            asked, url, accept: "application/json", bytesMax: HTTPMailAPIClient.jsonBytesMax, isAuthenticated)
        guard ResponseStatus.isJSON(response) else { throw MailAPIError.notJSON }
        return (response, asked)
    }

    private func file(_ path: String) async throws -> [UInt8] {
        guard let asked = URLParts(base + path) else { throw MailAPIError.transport(.badURL) }
        return try await send(
            asked, base + path, accept: "*/*", bytesMax: HTTPMailAPIClient.fileBytesMax, true
        ).body
    }

    /// One exchange, again with another bearer when the first is refused; throws for every status but success.
    private func send(
        _ asked: URLParts, _ url: String, method: String = "GET", accept: String, bytesMax: Int,
        _ isAuthenticated: Bool
    ) async throws -> HTTPResponse {
        let request = HTTPRequest(
            method: method, url: url, headers: [HTTPHeader("Accept", accept)], responseBytesMax: bytesMax)
        guard isAuthenticated, let origin = home else { return try await success(request) }
        return try await source.attempt(isRefusal: HTTPMailAPIClient.isRefusal) { bearer in
            var authorized = request
            _ = authorized.authorize(bearer: bearer, for: origin)
            return try await success(authorized)
        }
    }

    private func success(_ request: HTTPRequest) async throws -> HTTPResponse {
        let response = try await exchange(request)
        try ResponseStatus.check(response)
        return response
    }

    /// Whether the server took the bearer for none of its own.
    static func isRefusal(_ error: any Error) -> Bool {
        guard case .signInNeeded? = error as? MailAPIError else { return false }
        return true
    }

    /// One exchange with any status.
    func exchange(_ request: HTTPRequest) async throws -> HTTPResponse {
        counted.withLock { $0.requests += 1 }
        let response: HTTPResponse
        do {
            response = try await client.send(request)
        } catch let error as HTTPError {
            throw MailAPIError.transport(error)
        }
        counted.withLock { $0.bytes += response.body.count }
        let bytesMax = request.responseBytesMax
        guard response.body.count <= bytesMax else { throw MailAPIError.transport(.tooLarge(limit: bytesMax)) }
        return response
    }

    private static func cursor(_ value: String?) -> [(name: String, value: String)] {
        value.map { [("cursor", $0)] } ?? []
    }

    /// An identifier as one segment of a path; one that would climb out of its route names nothing.
    static func segment(_ id: some Identifier) throws(MailAPIError) -> String {
        let text = id.rawValue
        guard !text.isEmpty, text != ".", text != ".." else { throw .notFound("") }
        return PercentEncoding.encode(text)
    }

    static func decode<Value>(
        _ response: HTTPResponse, _ read: (inout JSONReader) throws(JSONError) -> Value
    ) throws(MailAPIError) -> Value {
        var reader = JSONReader(response.body)
        do {
            let value = try read(&reader)
            try reader.end()
            return value
        } catch {
            throw .malformed(error)
        }
    }

    static func rows<Row>(
        _ response: HTTPResponse, _ read: (inout JSONReader) throws(JSONError) -> Row
    ) throws(MailAPIError) -> [Row] {
        try decode(response) { reader throws(JSONError) in
            var rows: [Row] = []
            rows.reserveCapacity(pageRows)
            try reader.array { reader throws(JSONError) in rows.append(try read(&reader)) }
            return rows
        }
    }
}
