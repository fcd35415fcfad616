internal import Glibc
package import Platform

/// Sockets on 127.0.0.1.
package enum Loopback {
    /// A socket that listens; port 0 asks for a free one.
    package static func listen(
        port: Int = 0, backlog: Int32 = 256
    ) throws(SystemError) -> (descriptor: Int32, port: Int) {
        let bound = try bind(port)
        guard Glibc.listen(bound.descriptor, backlog) == 0 else { throw failure("listen", bound.descriptor) }
        return bound
    }

    /// A socket connected to a port.
    package static func connect(_ port: Int) throws(SystemError) -> Int32 {
        let descriptor = try stream()
        guard connect(descriptor, to: port) else { throw failure("connect", descriptor) }
        return descriptor
    }

    /// A socket whose connecting has begun and may never end.
    package static func beginConnecting(_ port: Int) throws(SystemError) -> Int32 {
        let descriptor = try stream(flags: Int32(SOCK_NONBLOCK.rawValue))
        _ = connect(descriptor, to: port)
        return descriptor
    }

    /// Whether somebody listens on a port.
    package static func isOpen(_ port: Int) -> Bool {
        guard let descriptor = try? connect(port) else { return false }
        close(descriptor)
        return true
    }

    /// A port on which nothing listens, nor will while this process lasts.
    package static func deadPort() throws(SystemError) -> Int { try dead.get().port }

    private static let dead: Result<(descriptor: Int32, port: Int), SystemError> = Result { () throws(SystemError) in
        try bind(0)
    }

    private static func bind(_ port: Int) throws(SystemError) -> (descriptor: Int32, port: Int) {
        let descriptor = try stream()
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = address(port)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                Glibc.bind(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard isBound else { throw failure("bind", descriptor) }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    private static func stream(flags: Int32 = 0) throws(SystemError) -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | flags, 0)
        guard descriptor >= 0 else { throw SystemError(call: "socket", code: errno) }
        return descriptor
    }

    private static func connect(_ descriptor: Int32, to port: Int) -> Bool {
        withUnsafePointer(to: address(port)) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func address(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(truncatingIfNeeded: port)).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// The reason of the last call's failure; the socket is closed.
    private static func failure(_ call: String, _ descriptor: Int32) -> SystemError {
        defer { close(descriptor) }
        return SystemError(call: call, code: errno)
    }
}
