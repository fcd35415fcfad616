internal import Glibc
internal import MailTestSupport
internal import Platform
internal import Testing

/// The completions of the shells, as far as the shells are here.
@Suite(.ownThread)
struct CompletionTests {
    private static let folder =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Resources/completions"

    /// What bash offers for the last word of a line.
    private func offered(_ line: [String]) throws -> [String] {
        let script = """
            compopt() { printf '<%s>\\n' "$2"; }
            . "\(CompletionTests.folder)/herald.bash"
            COMP_WORDS=("$@") COMP_CWORD=$(( $# - 1 ))
            _herald
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let scratch = try Scratch()
        let ended = try #require(
            try RunningHerald(
                ["/bin/bash", "--norc", "-c", script, "bash", "herald"] + line, environment: ["PATH": "/usr/bin:/bin"],
                directory: scratch.path
            ).wait())
        #expect(ended.code == 0 && ended.errors.isEmpty, "\(ended.errors)")
        return ended.text.split(separator: "\n").map(String.init)
    }

    @Test(arguments: [
        (["st"], ["status"]), (["--s"], ["--sync-once"]), (["list", "m"], ["mailboxes", "messages"]),
        (["list", "messages", "--fol"], ["--folder"]), (["list", "--folder", "sta"], ["starred"]),
        (["list", "--limit", ""], []), (["serve", "--tier", ""], ["main", "1.2"]),
        (["serve", "--state", ""], ["<dirnames>"]), (["serve", "--port-file", "x"], ["<default>"]),
        (["account", "re"], ["remove"]), (["outbox", "re"], ["retry"]),
        (["serve", "--import", "x", "--t"], ["--to", "--tier"]), (["config", "p"], ["path"]),
        (["--sync-once", "--quiet", "--"], ["--account", "--json", "--deadline"]), (["--help", "reb"], []),
        (["--help", "--reb"], ["--rebuild-cache"]), (["--version", ""], []),
    ])
    func `bash offers what can follow`(_ line: [String], _ expected: [String]) throws {
        #expect(try Set(offered(line)) == Set(expected))
    }

    /// Fails when the file has a fault that its shell sees as soon as it reads it.
    @Test(arguments: [
        (["/bin/bash", "-n"], "herald.bash"), (["/bin/zsh", "-n"], "_herald"),
        (["/usr/bin/fish", "-n"], "herald.fish"),
    ])
    func `a shell reads its file`(_ shell: [String], _ file: String) throws {
        guard access(shell[0], X_OK) == 0 else {
            print("skipped: \(shell[0]) is not there")
            return
        }
        let scratch = try Scratch()
        let ended = try #require(
            try RunningHerald(
                shell + ["\(CompletionTests.folder)/\(file)"], environment: ["HOME": scratch.path],
                directory: scratch.path
            ).wait())
        #expect(ended.code == 0 && ended.errors.isEmpty, "\(ended.errors)")
    }
}
