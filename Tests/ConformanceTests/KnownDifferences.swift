/// The exchanges that are known to disagree, by file and name, each with its reason.
enum KnownDifferences {
    static let all: [String: [String: String]] = [:]

    /// The files whose routes are not complete; they are replayed and reported only.
    static let open: Set<String> = []
}
