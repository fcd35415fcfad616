import Glibc
import Platform
import Testing

@testable import MailApp

/// Which program shows which file.
struct MailcapTests {
    private static let text = """
        # a comment
        image/*; display %s; test=test -n "$DISPLAY"
        image/png; feh '%s'
        text/html; w3m -T text/html %s; copiousoutput; nametemplate=%s.html
        application/pdf; sh -c "zathura \\
        %s"; needsterminal ; description="a\\;b"
        text; less
        ; nothing
        broken line
        """

    /// Fails when fields, flags, continued lines or the order of entries are read wrongly.
    @Test func `entries are read as the file says them`() {
        let mailcap = Mailcap(Self.text)
        #expect(mailcap.entries.map(\.type) == ["image/*", "image/png", "text/html", "application/pdf", "text/*"])
        #expect(mailcap.entries(for: "IMAGE/PNG").map(\.command) == ["feh '%s'", "display %s"])
        #expect(mailcap.entries(for: "image/gif").first?.test == "test -n \"$DISPLAY\"")
        let html = mailcap.entries(for: "text/html")[0]
        #expect(html.isCopious && html.nameTemplate == "%s.html" && !html.needsTerminal)
        let pdf = mailcap.entries(for: "application/pdf")[0]
        #expect(pdf.needsTerminal && pdf.command.hasPrefix("sh -c \"zathura"))
        #expect(mailcap.entries(for: "video/mp4").isEmpty)
    }

    /// Fails when a path breaks out of its word in any kind of quotes.
    @Test(arguments: ["%s", "'%s'", "\"%s\"", "x-%s", "'a'%s\"b\"", "echo \\'%s"])
    func `a shell takes the path as one word`(template: String) async throws {
        let path = "/tmp/a b'c\"d$(touch /tmp/herald-escaped)`e`;&|\\f"
        let out = "/tmp/herald-mailcap-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        defer { Files.remove(out) }
        let (word, namesFile) = Mailcap.command(template, path: path, type: "text/plain")
        #expect(namesFile)
        let child = try ChildProcess(["/bin/sh", "-c", "printf '%s' \(word) > \(out)"])
        #expect(await child.ended() == .exited(0))
        let printed = try Files.read(out)
        #expect(String(decoding: printed, as: UTF8.self).contains(path))
        #expect(!Files.exists("/tmp/herald-escaped"))
    }

    /// Fails when the parts of a command that are not the file are lost or changed.
    @Test func `other parts of a command stay`() {
        let made = Mailcap.command("a %t %{charset} \\% %% '%t'", path: "/x", type: "text/plain")
        #expect(made.text == "a 'text/plain'  % % 'text/plain'")
        #expect(!made.namesFile)
    }

    private static func opener(_ own: String, hasDesktop: Bool = false) -> FileOpener {
        FileOpener(own: [own], system: [], hasDesktop: hasDesktop)
    }

    /// Fails when a test that does not hold is taken for one that does, or the kind of program is told wrongly.
    @Test func `the first entry that holds shows the file`() async throws {
        let directory = "/tmp/herald-mailcap-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        try Files.makeDirectory(directory)
        defer { Files.removeTree(directory) }
        let mailcap = directory + "/mailcap"
        let lines = [
            "image/png; wrong %s; test=false", "image/png; right %s; test=test -f %s",
            "text/plain; pager; needsterminal",
            "text/html; render %s; nametemplate=%s.html; copiousoutput",
        ]
        try Files.replace(mailcap, with: Array(lines.joined(separator: "\n").utf8))
        let file = directory + "/a"
        try Files.replace(file, with: [1])
        let opener = Self.opener(mailcap)
        #expect(
            await opener.plan(path: file, type: "image/png; name=x")
                == .window(["/bin/sh", "-c", "right '\(file)'"], input: nil))
        #expect(
            await opener.plan(path: file, type: "text/plain") == .terminal(["/bin/sh", "-c", "pager"], input: file))
        guard case .terminal(let arguments, nil) = await opener.plan(path: file, type: "text/html") else {
            Issue.record("an entry with much output is for the terminal")
            return
        }
        #expect(arguments.last?.hasPrefix("{ render '\(file).html'\n} | ") == true && Files.exists(file + ".html"))
    }

    /// Fails when a file that acts is taken for one that is only looked at.
    @Test func `programs and starters are told by name, type and content`() {
        for name in ["run.sh", "X.DESKTOP", "a.pdf.exe", "setup.AppImage", "a.jar", "b.pdf\u{202E}.lnk"] {
            #expect(FileDanger.isDangerous(name: name, type: "application/octet-stream"))
        }
        for type in ["application/x-desktop", "text/x-shellscript; charset=utf-8", "Application/X-Executable"] {
            #expect(FileDanger.isDangerous(name: "a", type: type))
        }
        for content in ["#!/bin/sh", "\u{7F}ELF", "MZ", "\u{FEFF}#!x", "# c\n[Desktop Entry]\nExec=x"] {
            #expect(FileDanger.isDangerous(Array(content.utf8)))
        }
        #expect(!FileDanger.isDangerous(name: "report.pdf", type: "application/pdf"))
        #expect(!FileDanger.isDangerous(Array("%PDF-1.7".utf8)))
    }
}
