import Glibc

/// The environment with this process's options of the sanitizers, so that a program under test obeys them too.
package func environmentWithSanitizers(_ environment: [String: String]) -> [String: String] {
    var environment = environment
    for name in ["ASAN_OPTIONS", "TSAN_OPTIONS"] {
        if let value = getenv(name) { environment[name] = String(cString: value) }
    }
    return environment
}
