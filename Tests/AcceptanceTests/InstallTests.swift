internal import Glibc
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// What `make install` puts where.
@Suite(.ownThread, .enabled(if: access("/usr/bin/make", X_OK) == 0, "needs /usr/bin/make"))
struct InstallTests {
    private static let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    private static let files: Set<String> = [
        "bin/herald", "lib/systemd/user/herald-sync.service", "lib/systemd/user/herald-sync.timer",
        "libexec/herald-server", "share/bash-completion/completions/herald",
        "share/fish/vendor_completions.d/herald.fish", "share/herald/demo.json", "share/herald/herald.crontab",
        "share/man/man1/herald.1", "share/man/man5/herald-config.5", "share/man/man7/herald-filter.7",
        "share/man/man7/herald-keys.7",
        "share/zsh/site-functions/_herald",
    ]

    @discardableResult
    private func make(_ target: String, into root: Scratch) throws -> String {
        let programs = absolutePath(
            Herald.program.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/"))
        let words = [
            "/usr/bin/make", "-s", "-C", InstallTests.package, target, "PROGRAMS=\(programs)", "PREFIX=/opt/her",
            "DESTDIR=\(root.path)",
        ]
        let environment = ["PATH": "/usr/bin:/bin", "HOME": root.path]
        let ended = try #require(try RunningHerald(words, environment: environment, directory: root.path).wait())
        #expect(ended.code == 0, "\(ended.errors)")
        return ended.text
    }

    /// Fails when the Makefile no longer finds the one place that has the version.
    @Test func `a package has the program's version`() throws {
        let version = try make("version", into: Scratch())

        #expect(try Herald(origin: nil).run("--version").text == "herald " + version)
    }

    /// Fails when a file is forgotten, lands elsewhere, or stays behind.
    @Test func `every part is installed below the prefix and removed again`() throws {
        let root = try Scratch()
        let prefix = root.path + "/opt/her"

        try make("install-files", into: root)

        #expect(InstallTests.files(below: prefix) == InstallTests.files)
        let unit = try Files.read(prefix + "/lib/systemd/user/herald-sync.service")
        #expect(String(decoding: unit, as: UTF8.self).contains("ExecStart=/opt/her/bin/herald --sync-once"))

        try make("uninstall", into: root)

        #expect(InstallTests.files(below: prefix).isEmpty)
    }

    /// Fails when an installed program does not find its server or the demo's mail.
    @Test func `an installed program opens the demo`() throws {
        let root = try Scratch()
        try make("install-files", into: root)
        let environment = [
            "TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "TMPDIR": root.path,
            "HOME": root.path,
        ]

        let terminal = try VirtualTerminal(
            root.path + "/opt/her/bin/herald", arguments: ["--demo"], environment: environment, columns: 100)

        #expect(terminal.waitFor("support@kestr"), "\(terminal.screen)")
        terminal.send("q")
        #expect(terminal.waitForExit() == 0)
    }

    /// The paths of all files below a directory.
    private static func files(below directory: String, _ prefix: String = "") -> Set<String> {
        var found: Set<String> = []
        for name in Files.names(in: directory) {
            let path = directory + "/" + name
            if Files.isDirectory(path) {
                found.formUnion(files(below: path, prefix + name + "/"))
            } else {
                found.insert(prefix + name)
            }
        }
        return found
    }
}
