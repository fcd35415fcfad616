internal import Platform

/// Writes the parts of the pages that are made from the program's own tables.
///
/// A page is a file with prose and, between two marked lines, parts that belong to this program.
enum Pages {
    /// The pages with the parts each of them has.
    private static let all: [(path: String, form: PageForm)] = [
        ("README.md", .markdown), ("docs/outbox.md", .markdown), ("docs/sending.md", .markdown),
        ("Resources/man/herald.1", .manual),
        ("Resources/man/herald-config.5", .manual), ("Resources/man/herald-filter.7", .manual),
        ("Resources/man/herald-keys.7", .manual), ("Resources/completions/herald.bash", .shell),
        ("Resources/completions/_herald", .shell), ("Resources/completions/herald.fish", .shell),
    ]

    /// Brings the pages below a root up to date, or with `--check` only names those that are not.
    ///
    /// Answers the exit code: 0 when all are right, 1 when one is stale or cannot be made.
    static func run(_ arguments: ArraySlice<String>) -> Int32 {
        let isCheck = arguments.contains("--check")
        let root = arguments.first { !$0.hasPrefix("-") } ?? "."
        var isRight = true
        for page in all {
            let path = root + "/" + page.path
            do {
                let old = String(decoding: try Files.read(path), as: UTF8.self)
                let new = try PageText.renewed(old, form: page.form)
                if new == old { continue }
                if isCheck {
                    isRight = false
                    say("\(page.path) is stale; run “make docs”.")
                } else {
                    try Files.replace(path, with: Array(new.utf8))
                    say("\(page.path) was made anew.")
                }
            } catch {
                isRight = false
                say("\(page.path) cannot be made: \(error).")
            }
        }
        return isRight ? 0 : 1
    }

    private static func say(_ line: String) { Files.writeAll(2, Array("herald-docs: \(line)\n".utf8)) }
}
