import Glibc
import Platform
import Testing

/// Runs a shell script detached from the terminal and answers what it wrote to the file `$OUT`.
private func output(of script: String, input: ChildProcess.Input = .nothing) async throws -> (
    String, ChildProcess.Ending
) {
    let path = "/tmp/herald-child-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    defer { Files.remove(path) }
    let child = try ChildProcess(["sh", "-c", script], input: input, settings: ["OUT": path])
    let ending = await child.ended()
    let bytes = Files.exists(path) ? try Files.read(path) : []
    return (String(decoding: bytes, as: UTF8.self), ending)
}

/// Fails when an argument is split, unquoted or seen by a shell.
@Test func `arguments reach the program as they are`() async throws {
    let path = "/tmp/herald-child-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    defer { Files.remove(path) }
    let hostile = ["a b", "$(touch /tmp/x)", "'", "\"", ";", "*", "é", ""]
    let script = "for a in \"$@\"; do printf '[%s]' \"$a\"; done > \"$0\""
    let child = try ChildProcess(["sh", "-c", script, path] + hostile)
    #expect(await child.ended() == .exited(0))
    #expect(try Files.read(path) == Array(hostile.map { "[\($0)]" }.joined().utf8))
}

/// Fails when the program reads anything but what it was given, or waits for an input that never ends.
@Test func `input comes from nothing, from bytes of any size, or from a file`() async throws {
    #expect(try await output(of: "cat > $OUT").0.isEmpty)
    let text = String(repeating: "line of text\n", count: 40_000)
    #expect(try await output(of: "cat > $OUT", input: .bytes(Array(text.utf8))).0 == text)
    let file = "/tmp/herald-child-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    defer { Files.remove(file) }
    try Files.replace(file, with: Array("from a file".utf8))
    #expect(try await output(of: "cat > $OUT", input: .file(file)).0 == "from a file")
}

/// Fails when an exit code or signal is told wrongly, or asking twice or late hangs.
@Test func `the end is told as often as it is asked for`() async throws {
    let child = try ChildProcess(["sh", "-c", "exit 7"])
    async let first = child.ended()
    async let second = child.ended()
    let both = await (first, second)
    let late = await child.ended()
    #expect(both == (.exited(7), .exited(7)) && late == .exited(7))
    child.send(SIGKILL)
    let killed = try ChildProcess(["sh", "-c", "kill -9 $$"])
    #expect(await killed.ended() == .signalled(SIGKILL))
    let asleep = try ChildProcess(["sleep", "1000"])
    asleep.send(SIGTERM)
    #expect(await asleep.ended() == .signalled(SIGTERM))
}

/// Fails when the program shares this one's session, open files, or blocked and ignored signals.
@Test func `a detached program has nothing of ours`() async throws {
    let secret = open("/dev/null", O_RDONLY)
    defer { close(secret) }
    // Nothing but the shell itself looks, since a pipe or redirection of its own would count as open files.
    let look = "n=3; while [ $n -lt 100 ]; do if [ -e /proc/$$/fd/$n ]; then f=$f.$n; fi; n=$((n+1)); done"
    let session = "read -r _ _ _ _ _ s _ < /proc/$$/stat"
    let lines = try await output(of: "\(look); \(session); echo $$ $s $f > $OUT").0.split(separator: " ")
    #expect(lines.count == 2, "open files: \(lines.dropFirst(2))")
    #expect(lines.first == lines.dropFirst().first?.prefix { $0.isNumber } && secret > 2)
    let (signals, _) = try await output(of: "exec grep -E 'SigBlk|SigIgn' /proc/self/status > $OUT")
    let masks = signals.split(separator: "\n").compactMap { UInt64($0.suffix(16), radix: 16) }
    // The two above 31 are the C library's own.
    #expect(masks.count == 2 && masks.allSatisfy { $0 & 0x7FFF_FFFF == 0 })
}

/// Fails when a program that is not there is taken for started.
@Test func `a program that is not there cannot be started`() throws {
    #expect(throws: SystemError(call: "posix_spawn", code: ENOENT)) { _ = try ChildProcess(["no-such-program-here"]) }
    #expect(throws: SystemError(call: "posix_spawn", code: EINVAL)) { _ = try ChildProcess([]) }
    #expect(throws: SystemError(call: "open", code: ENOENT)) {
        _ = try ChildProcess(["cat"], input: .file("/no/such/file"))
    }
    #expect(ChildProcess.isThere("sh") && ChildProcess.isThere("/bin/sh"))
    #expect(!ChildProcess.isThere("no-such-program-here") && !ChildProcess.isThere("/tmp"))
}
