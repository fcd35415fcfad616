internal import Glibc

/// What a socket has for its reader.
enum Received {
    case bytes([UInt8])
    /// The other side has closed, orderly or not.
    case end
    /// The time the socket allows is over.
    case nothingInTime
}

extension Loopback {
    /// The next bytes; `nil` when the other side has closed, or the socket's time for it is over.
    package static func read(_ connection: Int32) -> [UInt8]? {
        guard case .bytes(let bytes) = receive(connection) else { return nil }
        return bytes
    }

    static func receive(_ connection: Int32) -> Received {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(connection, &buffer, buffer.count, 0)
            if count > 0 { return .bytes(Array(buffer[..<count])) }
            if count < 0, errno == EINTR { continue }
            return count < 0 && errno == EAGAIN ? .nothingInTime : .end
        }
    }

    /// Sends bytes; `false` when the other side takes no more.
    @discardableResult
    package static func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Sends text as it is; `false` when the other side takes no more.
    @discardableResult
    package static func write(_ text: String, to connection: Int32) -> Bool {
        write(Array(text.utf8), to: connection)
    }

    /// Reads a request's header and the body it announces; `nil` when the other side has closed before.
    package static func readRequest(_ connection: Int32) -> String? {
        var bytes: [UInt8] = []
        while true {
            if let head = MessageHead(of: bytes), bytes.count - head.end >= head.bodyLength ?? 0 {
                return String(decoding: bytes, as: UTF8.self)
            }
            guard let more = read(connection) else { return nil }
            bytes += more
        }
    }

    /// Sends what comes on one socket to another until either ends; `change` answers what is sent for each piece.
    package static func pump(_ from: Int32, _ to: Int32, change: ([UInt8]) -> [UInt8]?) {
        while let piece = read(from) {
            if let bytes = change(piece), !write(bytes, to: to) { break }
        }
        shutdown(from, Int32(SHUT_RDWR))
        shutdown(to, Int32(SHUT_RDWR))
    }
}

/// The first line and the fields of a request or an answer.
struct MessageHead {
    let firstLine: Substring
    /// The fields in their order, their names in lower case.
    let fields: [(name: String, value: String)]
    /// Where the body begins.
    let end: Int

    /// `nil` while the blank line that ends it is missing.
    init?(of bytes: [UInt8]) {
        guard let blank = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        end = blank.upperBound
        let lines = String(decoding: bytes[..<blank.lowerBound], as: UTF8.self).split(separator: "\r\n")
        firstLine = lines.first ?? ""
        fields = lines.dropFirst().compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (line[..<colon].lowercased(), String(line[line.index(after: colon)...].drop { $0 == " " }))
        }
    }

    /// The length of the body; `nil` when the fields do not tell.
    var bodyLength: Int? { fields.first { $0.name == "content-length" }.flatMap { Int($0.value) } }
}
