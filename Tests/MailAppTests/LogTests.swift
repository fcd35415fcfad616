import Glibc
import MailTestSupport
import Platform
import Testing

@testable import MailApp

struct LogTests {
    @Test func `a line has time, level, process, sentence and fields`() {
        let event = LogEvent(
            .info, "pass finished",
            [.number("rows", -3), .flag("bootstrap", true), .code("reason", "busy"), .mark("account", 255)])

        let line = event.line(milliseconds: 1_796_083_200_123, processID: 42)

        #expect(
            String(decoding: line, as: UTF8.self)
                == "2026-12-01T00:00:00.123Z info 42 pass finished rows=-3 bootstrap=true reason=busy account=#ff\n")
    }

    @Test(arguments: [
        (LogLevel.off, []), (.error, [LogLevel.error]), (.info, [.error, .info]), (.debug, [.error, .info, .debug]),
    ])
    func `a level tells itself and what is worse`(_ setting: LogLevel, _ told: [LogLevel]) {
        #expect(LogLevel.allCases.filter { $0.isTold(at: setting) } == told)
    }

    @Test func `events come out in order and only those that are wanted`() throws {
        let scratch = try Scratch()
        let log = Log()
        log.note(.error, "before it is open")
        log.open(scratch.path + "/state/herald.log", level: .info)
        for number in 0..<500 { log.note(number % 2 == 0 ? .info : .debug, "event", .number("n", number)) }
        log.flush()

        let numbers = scratch.lines("state/herald.log").compactMap { $0.split(separator: "=").last.flatMap { Int($0) } }
        #expect(numbers == (0..<250).map { $0 * 2 })
    }

    @Test func `no file is made where nothing is told`() throws {
        let scratch = try Scratch()
        let log = Log()
        log.open(scratch.path + "/herald.log", level: .error)
        log.note(.info, "event")
        log.flush()

        #expect(Files.names(in: scratch.path).isEmpty)
    }

    @Test func `a full file becomes the older one`() throws {
        let scratch = try Scratch()
        let file = LogFile(path: scratch.path + "/herald.log", bytesMax: 100)
        for number in 0..<25 { file.append(Array("line \(number) of ten\n".utf8)) }

        let older = scratch.lines("herald.log.1")
        let newer = scratch.lines("herald.log")
        #expect(Files.names(in: scratch.path) == ["herald.log", "herald.log.1"])
        #expect(newer.last == "line 24 of ten")
        #expect((older + newer).count < 14 && older.joined().utf8.count <= 100)
    }

    /// Fails when two processes tear each other's lines or one's rotation loses the other's file.
    @Test func `writers that share the file keep every line whole`() async throws {
        let scratch = try Scratch()
        let path = scratch.path + "/herald.log"
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let file = LogFile(path: path, bytesMax: 60_000)
                    for number in 0..<1_000 { file.append(Array("writer \(writer) line \(number) end\n".utf8)) }
                }
            }
        }

        let lines = scratch.lines("herald.log.1") + scratch.lines("herald.log")
        #expect(lines.count > 1_500)
        #expect(lines.allSatisfy { $0.hasPrefix("writer ") && $0.hasSuffix(" end") })
        for writer in 0..<4 {
            let numbers = lines.filter { $0.hasPrefix("writer \(writer) ") }.compactMap {
                Int($0.split(separator: " ")[3])
            }
            #expect(numbers == numbers.sorted())
            #expect(numbers.last == 999)
        }
    }

    @Test func `a file that is taken away is made again`() throws {
        let scratch = try Scratch()
        let file = LogFile(path: scratch.path + "/herald.log")
        file.append(Array("one\n".utf8))
        Files.remove(scratch.path + "/herald.log")
        file.append(Array("two\n".utf8))

        #expect(scratch.lines("herald.log") == ["two"])
    }

    @Test(arguments: ["directory", "pipe", "link"])
    func `something else in the file's place is left alone`(_ kind: String) throws {
        let scratch = try Scratch()
        let path = scratch.path + "/herald.log"
        switch kind {
        case "directory": try Files.makeDirectory(path)
        case "pipe": #expect(mkfifo(path, 0o600) == 0)
        default: #expect(symlink(scratch.path + "/target", path) == 0)
        }
        LogFile(path: path).append(Array("line\n".utf8))

        #expect(!Files.exists(scratch.path + "/target"))
        #expect(!Files.exists(path + ".1"))
    }
}
