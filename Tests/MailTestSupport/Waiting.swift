internal import Glibc

/// Whether something comes true within `ceiling` seconds, asked again and again.
package func eventually(ceiling: Int = 600, _ isTrue: () async throws -> Bool) async rethrows -> Bool {
    let end = ContinuousClock.now.advanced(by: .seconds(ceiling))
    while true {
        if try await isTrue() { return true }
        if .now >= end { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
}

/// Whether something comes true within `ceiling` seconds, for a caller that may hold its thread.
package func comesTrue(ceiling: Int = 600, _ isTrue: () throws -> Bool) rethrows -> Bool {
    let end = ContinuousClock.now.advanced(by: .seconds(ceiling))
    while true {
        if try isTrue() { return true }
        if .now >= end { return false }
        poll(nil, 0, 10)
    }
}
