internal import Glibc

/// What the test's own process holds.
package enum ThisProcess {
    /// The descriptors that are connected to a loopback port.
    package static func connections(to port: Int) -> Int { descriptors(to: port).count }

    /// Those of them that a program started now would get as well.
    package static func inheritedConnections(to port: Int) -> Int {
        descriptors(to: port).count { fcntl($0, F_GETFD) & FD_CLOEXEC == 0 }
    }

    private static func descriptors(to port: Int) -> [Int32] {
        // As many as a process of tests may have open at once.
        (0..<65_536).filter { (descriptor: Int32) in
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isPeer = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getpeername(descriptor, $0, &length) == 0
                }
            }
            return isPeer && address.sin_family == sa_family_t(AF_INET)
                && Int(UInt16(bigEndian: address.sin_port)) == port
        }
    }

    /// The memory that is resident, in bytes; 0 when the system does not tell.
    package static var residentBytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 128)
        let count = fread(&text, 1, text.count, file)
        let words = String(decoding: text[..<count], as: UTF8.self).split(separator: " ")
        return words.count > 1 ? (Int(words[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }
}
