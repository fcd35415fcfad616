internal import Glibc
internal import Platform

/// Ways to run the program in surroundings that only the kernel can make, in namespaces of its own.
enum Surroundings {
    /// Whether they can be made here; says so when not, since tests are then skipped.
    static let areAllowed: Bool = {
        let probe = "unshare -m mount -t tmpfs tmpfs /mnt 2>/dev/null && unshare -n true 2>/dev/null"
        if geteuid() == 0, system(probe) == 0 { return true }
        Files.writeAll(2, Array("Skipped: disks and networks of a test's own need root and namespaces.\n".utf8))
        return false
    }()

    /// A directory that is a disk of so many kilobytes, after commands that may fill it.
    static func disk(_ path: String, kilobytes: Int, after commands: String = "true") -> [String] {
        shell("mkdir -p '\(path)' && mount -t tmpfs -o size=\(kilobytes)k tmpfs '\(path)' && { \(commands); }")
    }

    /// A directory that nobody can write to, as it is.
    static func readOnly(_ path: String) -> [String] {
        shell("mkdir -p '\(path)' && mount --bind '\(path)' '\(path)' && mount -o remount,ro,bind '\(path)'")
    }

    /// No network, not even loopback.
    static let noNetwork = ["/usr/bin/unshare", "-n"]

    private static func shell(_ commands: String) -> [String] {
        ["/usr/bin/unshare", "-m", "/bin/sh", "-c", commands + " && exec \"$@\"", "sh"]
    }
}
