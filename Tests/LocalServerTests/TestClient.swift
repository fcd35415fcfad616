internal import Glibc

/// An answer as it came over the socket.
struct WireAnswer {
    let status: Int
    let headers: [String: String]
    let body: String
}

/// One HTTP exchange over a loopback socket.
func exchange(
    _ port: Int, _ target: String, bearer: String? = nil, method: String = "GET", body: String = "",
    type: String? = nil
) -> WireAnswer? {
    exchange(port, bytes: request(port, target, bearer, method, body, type)).flatMap(parsed)
}

private func request(
    _ port: Int, _ target: String, _ bearer: String?, _ method: String, _ body: String, _ type: String?
) -> [UInt8] {
    var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
    if let bearer { head += "Authorization: Bearer hqb_access_\(bearer)\r\n" }
    if let type { head += "Content-Type: \(type)\r\n" }
    return Array((head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body).utf8)
}

/// Sends bytes over a new loopback connection; answers all that comes back until the server closes it.
///
/// `isCut` ends the sending side, so that a server that waits for more can give up at once.
func exchange(_ port: Int, bytes request: [UInt8], isCut: Bool = false) -> String? {
    guard let socket = beginExchange(port, bytes: request) else { return nil }
    defer { close(socket) }
    if isCut { shutdown(socket, Int32(SHUT_WR)) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = read(socket, &buffer, buffer.count)
        guard count > 0 else { break }
        bytes.append(contentsOf: buffer[0..<count])
    }
    return String(decoding: bytes, as: UTF8.self)
}

/// Sends a request; answers the socket the answer will come from, to be closed by the caller.
func beginExchange(_ port: Int, _ target: String, bearer: String) -> Int32? {
    beginExchange(port, bytes: request(port, target, bearer, "GET", "", nil))
}

private func beginExchange(_ port: Int, bytes request: [UInt8]) -> Int32? {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port)).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
    guard isConnected else {
        close(socket)
        return nil
    }
    var sent = 0
    while sent < request.count {
        let count = request.withUnsafeBytes {
            send(socket, $0.baseAddress?.advanced(by: sent), $0.count - sent, Int32(MSG_NOSIGNAL))
        }
        // A server that answers before the end may have closed its side; its answer is still to be read.
        guard count > 0 else { break }
        sent += count
    }
    return socket
}

/// The first answer of a connection's bytes.
func parsed(_ text: String) -> WireAnswer? {
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    guard let first = lines.first, let end = lines.firstIndex(of: ""),
        let status = first.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return nil }
    var headers: [String: String] = [:]
    for line in lines[1..<end] {
        guard let colon = line.firstIndex(of: ":") else { continue }
        headers[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    return WireAnswer(status: status, headers: headers, body: lines[(end + 1)...].joined(separator: "\r\n"))
}
