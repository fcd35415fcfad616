internal import Glibc
internal import Platform

/// The directories of the program, and the room in them.
struct PlaceChecks {
    private let places: Places

    init(_ places: Places) { self.places = places }

    /// Less than this, in mebibytes, and the next pass may fail.
    private static let roomMin: UInt64 = 50
    private static let roomLow: UInt64 = 500

    func all() -> [Finding] {
        [("state", places.state), ("cache", places.cache)].map { finding("\($0.0) directory", $0.1) }
    }

    private func finding(_ topic: String, _ path: String) -> Finding {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { return .bad(topic, "cannot be looked at", "See who owns it.") }
            return .good(topic, "not there yet; made when it is needed")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            return .bad(topic, "something else has its name", "Move that away.")
        }
        guard status.st_uid == geteuid(), access(path, R_OK | W_OK | X_OK) == 0 else {
            return .bad(topic, "cannot be written to", "Give it to yourself, with all rights.")
        }
        guard status.st_mode & 0o077 == 0 else {
            return .fair(topic, "others may look into it", "chmod 700 it.")
        }
        var room = statvfs()
        guard statvfs(path, &room) == 0 else { return .good(topic, "yours alone") }
        let free = (UInt64(room.f_bavail) * UInt64(room.f_frsize)) >> 20
        let text = "yours alone, \(free >> 10 > 9 ? "\(free >> 10) GiB" : "\(free) MiB") free"
        if free < PlaceChecks.roomMin { return .bad(topic, text, "Make room; mail cannot be kept without.") }
        return free < PlaceChecks.roomLow ? .fair(topic, text, "Make room soon.") : .good(topic, text)
    }
}
