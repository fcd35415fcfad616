internal import Glibc

/// An answer as it came over the socket.
struct WireAnswer {
    let status: Int
    let headers: [String: String]
    let body: String
}

/// One HTTP exchange over a loopback socket.
func exchange(
    _ port: Int, _ target: String, bearer: String? = nil, method: String = "GET", body: String = ""
) -> WireAnswer? {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard socket >= 0 else { return nil }
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port)).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
    guard isConnected else { return nil }
    var head = "\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
    if let bearer { head += "Authorization: Bearer hqb_access_\(bearer)\r\n" }
    let request = Array((head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body).utf8)
    guard write(socket, request, request.count) == request.count else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = read(socket, &buffer, buffer.count)
        guard count > 0 else { break }
        bytes.append(contentsOf: buffer[0..<count])
    }
    return parsed(String(decoding: bytes, as: UTF8.self))
}

private func parsed(_ text: String) -> WireAnswer? {
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
