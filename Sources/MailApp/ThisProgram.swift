internal import Glibc
internal import Platform

/// This program itself, to be begun anew in the same process.
enum ThisProgram {
    /// Begins anew with other arguments; returns only when that fails.
    static func begin(_ arguments: [String]) {
        var pointers: [UnsafeMutablePointer<CChar>?] = (["herald"] + arguments).map { strdup($0) }
        pointers.append(nil)
        execv(Environment.executablePath, &pointers)
        // The file may have been replaced by a newer one since the start; the system still knows this one.
        execv("/proc/self/exe", &pointers)
        for pointer in pointers { free(pointer) }
    }
}
