internal import Glibc
internal import MailTestSupport
internal import Platform
internal import TerminalTestSupport
internal import Testing

/// Whom the program talks to while mail is read.
///
/// Program and server run in a network of their own that has nothing but loopback, and every call that could reach
/// anybody is written down by strace, those of child processes too.
struct OriginOnlyTests {
    /// Mail that loads a picture from elsewhere when asked, and that names it when not.
    private static let letter = """
        From: Ann <ann@example.org>\r
        To: support@example.test\r
        Subject: A letter with a picture from elsewhere\r
        Date: Mon, 30 Nov 2099 10:00:00 +0000\r
        Message-ID: <picture@example.org>\r
        MIME-Version: 1.0\r
        Content-Type: text/html; charset=utf-8\r
        \r
        <p>Hello</p><p><img src="http://192.0.2.1/pixel.png" alt="far"></p>\r

        """

    /// Whether the kernel lets a test have a network and watch a program; says so when not.
    private static let isAllowed: Bool = {
        guard Surroundings.areAllowed else { return false }
        let probe =
            "PATH=$PATH:/usr/sbin:/sbin unshare -n sh -c 'ip link set lo up && strace -f -qq -e trace=connect -o /dev/null true' 2>/dev/null"
        if system(probe) == 0 { return true }
        Files.writeAll(2, Array("Skipped: watching the network needs ip and strace that may trace.\n".utf8))
        return false
    }()

    /// Fails when opening mail reaches anybody but the account's own server, or when nobody would notice that.
    @Test(.enabled(if: isAllowed)) func `opening mail talks to the origin only`() throws {
        let herald = try Herald(origin: nil)
        let count = try Self.writeMail(herald.home.path)
        guard count > 1 else {
            print("skipped: the payloads are not there; set HERALD_SHARED to the folder with payloads")
            return
        }
        let calls = herald.home.path + "/calls"
        let terminal = try Self.open(herald, calls: calls)
        #expect(terminal.waitFor("A letter with a picture", ceiling: 120), "\(terminal.screen)")
        terminal.send("\r")
        #expect(terminal.waitFor("1 of other servers, not loaded", ceiling: 60), "\(terminal.screen)")
        var opened = 1
        while !terminal.screen.contains("This is the last conversation"), opened < count + 10 {
            terminal.send("n")
            opened += 1
            guard terminal.waitForIdle(ceiling: 60) else {
                Issue.record("\(terminal.screen)")
                return
            }
        }
        #expect(opened > count / 2, "\(opened) of \(count): \(terminal.screen)")
        let port = String(decoding: try Files.read(herald.home.path + "/port"), as: UTF8.self).filter(\.isNumber)
        let foreign = try Self.calls(calls).filter { !$0.contains("htons(\(port)), sin_addr=inet_addr(\"127.0.0.1\")") }
        #expect(try !Self.calls(calls).isEmpty)
        #expect(foreign.isEmpty, "\(foreign.prefix(5))")
        // Asked for, the same picture is tried: so the test would have seen it.
        terminal.send("qgg\r")
        #expect(terminal.waitFor("1 of other servers, not loaded", ceiling: 60), "\(terminal.screen)")
        terminal.send("zi")
        #expect(terminal.waitFor("The other server did not send", ceiling: 60), "\(terminal.screen)")
        #expect(try Self.calls(calls).contains { $0.contains("192.0.2.1") })
        terminal.send("Q")
        #expect(terminal.waitForExit(ceiling: 60) == 0)
    }

    /// Writes mail for the server: the letter, payloads with pictures of other servers, and some of all others.
    private static func writeMail(_ directory: String) throws -> Int {
        try Files.replace(directory + "/letter.eml", with: Array(letter.utf8))
        let folder = (Environment.value("HERALD_SHARED") ?? "../shared") + "/payloads"
        var chosen: [UInt8] = []
        var count = 1
        let mark = Array("\"hasRemoteImages\":true".utf8)
        for name in ["modern-html", "dev", "spamassassin"] {
            guard let bytes = try? Files.read("\(folder)/\(name).jsonl") else { continue }
            for (number, line) in bytes.split(separator: 0x0A).enumerated()
            where number.isMultiple(of: 100) || (number.isMultiple(of: 7) && line.hasBytes(mark)) {
                chosen += line + [0x0A]
                count += 1
            }
        }
        try Files.replace(directory + "/some.jsonl", with: chosen)
        return count
    }

    private static func open(_ herald: Herald, calls: String) throws -> VirtualTerminal {
        let home = herald.home.path
        let script = """
            PATH=$PATH:/usr/sbin:/sbin
            ip link set lo up || exit 1
            '\(builtProgram("herald-server"))' --port 0 --port-file '\(home)/port' --state '\(home)/server' \
            --demo-users --exit-with-parent --import '\(home)/letter.eml' --to support@example.test \
            --import '\(home)/some.jsonl' --to support@example.test >/dev/null 2>&1 </dev/null &
            while [ ! -s '\(home)/port' ]; do sleep 0.1; done
            HERALD_ORIGIN=http://127.0.0.1:$(cat '\(home)/port') HERALD_TOKEN=hqb_access_owner
            export HERALD_ORIGIN HERALD_TOKEN
            strace -f -qq --seccomp-bpf -e trace=connect,sendto,sendmsg,sendmmsg -o '\(calls)' '\(Herald.program)'
            """
        return try VirtualTerminal(
            "/usr/bin/unshare", arguments: ["-n", "/bin/sh", "-c", script], environment: herald.environment,
            columns: 120, rows: 40, tellsIdle: true)
    }

    /// The calls that name an address of the network.
    private static func calls(_ path: String) throws -> [String] {
        let lines = try Files.read(path).split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        return lines.filter { $0.contains("AF_INET") }
    }
}

extension ArraySlice<UInt8> {
    fileprivate func hasBytes(_ wanted: [UInt8]) -> Bool { firstRange(of: wanted) != nil }
}
