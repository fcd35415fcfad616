/// A complete answer: its body was received to the last byte.
package struct HTTPResponse: Sendable, Hashable {
    package var status: Int
    package var headers: [HTTPHeader]
    package var body: [UInt8]

    package init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Whether the status is in the 200s.
    package var isSuccess: Bool { (200..<300).contains(status) }

    /// The value of the first header field with this name, in any case of letters.
    package func value(of name: String) -> String? { headers.value(of: name) }

    /// The address of the next page, when the server named one in a `Link` header.
    package var nextLink: String? {
        for value in headers.values(of: "Link") {
            if let link = LinkValue.parse(value).first(where: { $0.hasRelation("next") }) { return link.target }
        }
        return nil
    }
}

extension HTTPResponse {
    /// The media type of the body in lower case, without parameters; empty when the server named none.
    package var mediaType: String { headers.mediaType }
}

extension [HTTPHeader] {
    /// The value of `Content-Type` in lower case, without parameters; empty when there is none.
    var mediaType: String {
        let type = (value(of: "Content-Type") ?? "").prefix { $0 != ";" }
        return String(type).filter { $0 != " " && $0 != "\t" }.asciiLowercased
    }
}
