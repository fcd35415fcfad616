internal import Glibc

/// Whether something comes true within `ceiling` seconds, asked again and again.
package func eventually(ceiling: Int = 10, _ isTrue: () async -> Bool) async -> Bool {
    let end = ContinuousClock.now.advanced(by: .seconds(ceiling))
    while true {
        if await isTrue() { return true }
        if .now >= end { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
}

/// The descriptors of this process that are connected to a loopback port.
package func connections(to port: UInt16) -> Int {
    (0..<4_096).count { descriptor in
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isPeer = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(Int32(descriptor), $0, &length) == 0
            }
        }
        return isPeer && address.sin_family == sa_family_t(AF_INET) && address.sin_port == port.bigEndian
    }
}

/// The memory of this process that is resident, in bytes; 0 when the system does not tell.
package func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var text = [UInt8](repeating: 0, count: 128)
    let count = fread(&text, 1, text.count, file)
    let words = String(decoding: text[..<count], as: UTF8.self).split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
}
