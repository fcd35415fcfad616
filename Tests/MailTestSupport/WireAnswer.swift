/// An answer of HTTP as it came over the socket.
package struct WireAnswer: Sendable {
    package let status: Int
    /// The header's fields in their order, their names in lower case.
    package let fields: [(name: String, value: String)]
    /// The body.
    package let bytes: [UInt8]

    /// Reads the first answer of a connection that has ended.
    ///
    /// - Throws: `WireError.cut` when its header has no end, `.noAnswer` when it has no status.
    package init(_ answer: [UInt8]) throws(WireError) {
        guard let head = MessageHead(of: answer) else { throw .cut }
        guard let status = head.firstLine.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw .noAnswer
        }
        self.status = status
        fields = head.fields
        bytes = Array(answer[head.end...])
    }

    /// The body as text.
    package var body: String { String(decoding: bytes, as: UTF8.self) }

    /// The values of the fields by their names in lower case; of two with one name, the last.
    package var headers: [String: String] {
        Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }

    /// Whether the body has the length the header announces, if it does.
    package var isComplete: Bool { headers["content-length"].flatMap { Int($0) }.map { bytes.count >= $0 } ?? true }
}
