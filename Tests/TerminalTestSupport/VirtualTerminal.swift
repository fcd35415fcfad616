internal import CSystem
internal import CVterm
internal import Glibc

/// A program in a pseudo-terminal whose screen libvterm keeps.
package final class VirtualTerminal {
    /// Why no program could be started.
    package enum StartError: Error {
        case noTerminal
        case notStarted(Int32)
    }

    /// Every byte the program wrote.
    package private(set) var log: [UInt8] = []
    /// The process id of the program.
    package let processID: Int32

    /// Whether sequences about pictures are kept from the emulator, which prints what it does not understand.
    package var hidesPictures = false

    private let terminal: Int32
    private var isInPicture = false
    private var endsInEscape = false
    private let emulator: OpaquePointer
    private let display: OpaquePointer
    private var size: (columns: Int, rows: Int)
    private var status: Int32?
    private var isOpen = true
    /// The end of a pipe on which a debug build tells that it is idle; -1 when it was not asked to.
    private var idle: Int32 = -1
    private var lastIdle: UInt8?
    private var sentBytes = 0
    private let kept: AnyObject?

    /// The descriptor that the program is told of, as `HERALD_IDLE_FD`.
    private static let idleDescriptor: Int32 = 9

    /// Starts a program with exactly this environment; `tellsIdle` makes `waitForIdle` work.
    ///
    /// `kept` stays until the program has ended, which the end of this object sees to.
    package init(
        _ program: String, arguments: [String] = [], environment: [String: String] = ["TERM": "xterm-256color"],
        columns: Int = 80, rows: Int = 24, tellsIdle: Bool = false, keeping kept: AnyObject? = nil
    ) throws {
        self.kept = kept
        var ends: (ours: Int32, theirs: Int32) = (-1, -1)
        guard openpty(&ends.ours, &ends.theirs, nil, nil, nil) == 0 else { throw StartError.noTerminal }
        terminal = ends.ours
        _ = fcntl(terminal, F_SETFD, FD_CLOEXEC)
        size = (columns, rows)
        guard let emulator = vterm_new(Int32(rows), Int32(columns)), let display = vterm_obtain_screen(emulator)
        else { throw StartError.noTerminal }
        self.emulator = emulator
        self.display = display
        vterm_set_utf8(emulator, 1)
        vterm_screen_enable_altscreen(display, 1)
        vterm_screen_reset(display, 1)
        Self.setSize(of: terminal, columns: columns, rows: rows)
        defer { close(ends.theirs) }
        // setsid makes the pseudo-terminal the controlling one and then becomes the program.
        let words = ["/usr/bin/setsid", "-c", program] + arguments
        var variables = environment
        var idleEnds: [Int32] = [-1, -1]
        if tellsIdle {
            guard pipe(&idleEnds) == 0 else { throw StartError.noTerminal }
            for end in idleEnds { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            _ = fcntl(idleEnds[0], F_SETFL, O_NONBLOCK)
            variables["HERALD_IDLE_FD"] = String(Self.idleDescriptor)
        }
        idle = idleEnds[0]
        defer { if idleEnds[1] >= 0 { close(idleEnds[1]) } }
        processID = try Self.spawn(
            words, environment: environmentWithSanitizers(variables).map { "\($0.key)=\($0.value)" },
            terminal: ends.theirs, idle: idleEnds[1])
    }

    deinit {
        if status == nil {
            kill(processID, SIGKILL)
            waitpid(processID, nil, 0)
        }
        close(terminal)
        if idle >= 0 { close(idle) }
        vterm_free(emulator)
    }

    /// Types text, escape sequences included.
    package func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            sentBytes += count
            rest = rest.dropFirst(count)
            read(milliseconds: 0)
        }
    }

    /// Whether `text` comes to stand on the screen within `ceiling` seconds.
    package func waitFor(_ text: String, ceiling: Int = 300) -> Bool {
        wait(ceiling: ceiling) { $0.screen.contains(text) }
    }

    /// Whether the program has read every key typed so far and has nothing more to do, within `ceiling` seconds.
    package func waitForIdle(ceiling: Int = 300) -> Bool {
        let end = ContinuousClock.now.advanced(by: .seconds(ceiling))
        var isIdle = false
        while true {
            readIdle()
            isIdle = lastIdle == UInt8(truncatingIfNeeded: sentBytes)
            guard !isIdle, isOpen, .now < end else { break }
            var polled = [terminal, idle].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            poll(&polled, 2, 50)
            if polled[0].revents != 0 { read(milliseconds: 0) }
        }
        // What it painted before it said so is here already.
        while isOpen, read(milliseconds: 0) {}
        return isIdle
    }

    private func readIdle() {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = Glibc.read(idle, &bytes, bytes.count)
            guard count > 0 else { return }
            lastIdle = bytes[count - 1]
        }
    }

    /// Whether something comes true within `ceiling` seconds, asked after each output.
    package func wait(ceiling: Int = 300, until isDone: (VirtualTerminal) -> Bool) -> Bool {
        let end = ContinuousClock.now.advanced(by: .seconds(ceiling))
        while true {
            if isDone(self) { return true }
            guard isOpen, .now < end else { return false }
            read(milliseconds: 50)
        }
    }

    /// The exit code, 128 and the number after a signal; `nil` while the program runs on.
    package func waitForExit(ceiling: Int = 300) -> Int32? {
        let end = ContinuousClock.now.advanced(by: .seconds(ceiling))
        while status == nil, .now < end {
            var raw: Int32 = 0
            if waitpid(processID, &raw, WNOHANG) == processID {
                status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + (raw & 0x7F)
            } else if isOpen {
                read(milliseconds: 20)
            } else {
                poll(nil, 0, 5)
            }
        }
        while isOpen, read(milliseconds: 0) {}
        return status
    }

    /// Gives the terminal another size; the program gets SIGWINCH.
    package func resize(columns: Int, rows: Int) {
        readIdle()
        lastIdle = nil
        size = (columns, rows)
        vterm_set_size(emulator, Int32(rows), Int32(columns))
        Self.setSize(of: terminal, columns: columns, rows: rows)
    }

    /// Sends a signal to the program.
    package func signal(_ number: Int32) {
        if status == nil { kill(processID, number) }
    }

    /// Whether the terminal echoes and joins lines, as a shell leaves it.
    package var isCooked: Bool {
        var settings = termios()
        guard tcgetattr(terminal, &settings) == 0 else { return false }
        let wanted = tcflag_t(ICANON | ECHO | ISIG)
        return settings.c_lflag & wanted == wanted
    }
}

// The screen.
extension VirtualTerminal {
    /// A row without its trailing blanks.
    package func line(_ row: Int) -> String {
        var text = String.UnicodeScalarView()
        var column = 0
        while column < size.columns {
            let cell = cell(row: row, column: column)
            text.append(contentsOf: cell.scalars)
            column += max(1, cell.width)
        }
        while text.last == " " { text.removeLast() }
        return String(text)
    }

    /// All rows, joined by line feeds.
    package var screen: String {
        (0..<size.rows).map(line).joined(separator: "\n")
    }

    /// Where the cursor is.
    package var cursor: (row: Int, column: Int) {
        var position = VTermPos()
        vterm_state_get_cursorpos(vterm_obtain_state(emulator), &position)
        return (Int(position.row), Int(position.col))
    }

    /// Whether a cell is shown reversed, and whether it is bold.
    package func look(row: Int, column: Int) -> (reverse: Bool, bold: Bool) {
        var cell = VTermScreenCell()
        vterm_screen_get_cell(display, VTermPos(row: Int32(row), col: Int32(column)), &cell)
        return (cell.attrs.reverse != 0, cell.attrs.bold != 0)
    }

    /// What one cell shows; a blank in the second half of a wide character.
    package func text(row: Int, column: Int) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: cell(row: row, column: column).scalars)
        return String(text)
    }

    private func cell(row: Int, column: Int) -> (scalars: [Unicode.Scalar], width: Int) {
        var cell = VTermScreenCell()
        vterm_screen_get_cell(display, VTermPos(row: Int32(row), col: Int32(column)), &cell)
        let values = withUnsafeBytes(of: cell.chars) { Array($0.bindMemory(to: UInt32.self)) }
        let scalars = values.prefix { $0 != 0 && $0 != .max }.compactMap(Unicode.Scalar.init)
        return (scalars.isEmpty ? [" "] : scalars, Int(cell.width))
    }
}

// The pseudo-terminal.
extension VirtualTerminal {
    /// Reads what is there, or what comes in time; `false` when nothing came.
    @discardableResult
    private func read(milliseconds: Int32) -> Bool {
        var polled = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, milliseconds) > 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(terminal, &buffer, buffer.count)
        guard count > 0 else {
            isOpen = false
            return false
        }
        log += buffer[..<count]
        let shown = hidesPictures ? withoutPictures(buffer[..<count]) : Array(buffer[..<count])
        shown.withUnsafeBytes { bytes in
            _ = vterm_input_write(emulator, bytes.bindMemory(to: CChar.self).baseAddress, shown.count)
        }
        answer()
        return true
    }

    /// The bytes but for strings that begin with ESC and `_`, also those that a read cuts in two.
    private func withoutPictures(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var shown: [UInt8] = []
        for byte in bytes {
            if endsInEscape {
                endsInEscape = false
                if byte == 0x5F { isInPicture = true } else if !isInPicture { shown += [0x1B, byte] }
                if byte == 0x5C { isInPicture = false }
            } else if byte == 0x1B {
                endsInEscape = true
            } else if !isInPicture {
                shown.append(byte)
            }
        }
        return shown
    }

    /// Sends what the terminal answers to questions of the program.
    private func answer() {
        var buffer = [CChar](repeating: 0, count: 1024)
        let count = vterm_output_read(emulator, &buffer, buffer.count)
        if count > 0 { sentBytes += max(0, write(terminal, buffer, count)) }
    }

    private static func setSize(of terminal: Int32, columns: Int, rows: Int) {
        var size = winsize(
            ws_row: UInt16(clamping: rows), ws_col: UInt16(clamping: columns), ws_xpixel: 0, ws_ypixel: 0)
        herald_test_set_size(terminal, &size)
    }

    private static func spawn(
        _ words: [String], environment: [String], terminal: Int32, idle: Int32
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for end: Int32 in 0...2 { posix_spawn_file_actions_adddup2(&actions, terminal, end) }
        posix_spawn_file_actions_addclose(&actions, terminal)
        if idle >= 0 { posix_spawn_file_actions_adddup2(&actions, idle, idleDescriptor) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // Tests that run in the background ignore what a key sends.
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let argv = words.map { strdup($0) } + [nil]
        let envp = environment.map { strdup($0) } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var child: pid_t = 0
        let answer = posix_spawn(&child, words[0], &actions, &attributes, argv, envp)
        guard answer == 0 else { throw StartError.notStarted(answer) }
        return child
    }
}

/// The path of a program this package builds, next to the tests that run.
package func builtProgram(_ name: String) -> String {
    for argument in CommandLine.arguments where argument.contains(".xctest") {
        // The bundle may be named by itself or by a file in it.
        var parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        while let last = parts.popLast(), !last.hasSuffix(".xctest") {}
        return (parts + [name[...]]).joined(separator: "/")
    }
    return ".build/debug/\(name)"
}
