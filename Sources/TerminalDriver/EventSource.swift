internal import CSystem
internal import Glibc
internal import TerminalUI

/// Waits for the terminal, signals and the wake descriptor, and says what happened.
struct EventSource {
    /// How long a lone ESC waits for the rest of a sequence, in milliseconds.
    static let escapeTimeout: Int32 = 25

    private var input: Int32
    /// Whether the terminal's keys are read; otherwise they are another program's.
    var isReading = true
    private let wakeDescriptor: Int32
    private let signalDescriptor: Int32
    private var parser = InputParser()
    /// How many bytes of input were read so far.
    private(set) var inputBytes = 0
    private var buffer = [UInt8](repeating: 0, count: 16_384)

    init(input: Int32, wakeDescriptor: Int32) {
        self.input = input
        self.wakeDescriptor = wakeDescriptor
        var set = Self.signals()
        signalDescriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
    }

    static func signals() -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGTSTP, SIGCONT, SIGUSR1] { sigaddset(&set, number) }
        return set
    }

    func close() {
        _ = Glibc.close(signalDescriptor)
    }

    /// Waits for something or the deadline.
    mutating func wait(until deadline: ContinuousClock.Instant?) -> [LoopEvent] {
        var polled = descriptors
        let timeout = Self.milliseconds(until: deadline)
        let isShort = parser.hasPending && (timeout < 0 || timeout >= Self.escapeTimeout)
        let ready = poll(&polled, nfds_t(polled.count), isShort ? Self.escapeTimeout : timeout)
        if ready == 0, parser.hasPending {
            return isShort ? Self.inputEvent(parser.timeout()) : []
        }
        guard ready > 0 else { return [] }
        if polled[0].revents != 0 { clearWake() }
        let signals = polled[1].revents != 0 ? readSignals() : []
        let input = polled[2].revents != 0 ? readInput() : []
        // Who made the window larger and then typed, typed into the new one; but what ends the program comes after
        // the keys that were typed before it.
        return signals.filter(Self.isFirst) + input + signals.filter { !Self.isFirst($0) }
    }

    /// Whether an event goes before the keys that were read together with it.
    private static func isFirst(_ event: LoopEvent) -> Bool {
        switch event {
        case .resized, .signal(SIGINT): true
        default: false
        }
    }

    private var descriptors: [pollfd] {
        [wakeDescriptor, signalDescriptor, isReading ? input : -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
    }

    /// Whether no input, no signal and no wake-up is there, and no key is half read.
    var isQuiet: Bool {
        var polled = descriptors
        return !parser.hasPending && poll(&polled, nfds_t(polled.count), 0) == 0
    }

    private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return 0 }
        guard left < .seconds(3600) else { return 3_600_000 }
        let parts = left.components
        return Int32(parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000) + 1
    }

    private static func inputEvent(_ events: [InputEvent]) -> [LoopEvent] {
        events.isEmpty ? [] : [.input(events)]
    }

    private func clearWake() {
        var value: UInt64 = 0
        _ = read(wakeDescriptor, &value, 8)
    }

    private mutating func readInput() -> [LoopEvent] {
        let count = read(input, &buffer, buffer.count)
        if count > 0 {
            inputBytes += count
            return Self.inputEvent(parser.feed(buffer[..<count]))
        }
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        input = -1
        return Self.inputEvent(parser.timeout()) + [.hangup]
    }

    private func readSignals() -> [LoopEvent] {
        var events: [LoopEvent] = []
        var info = signalfd_siginfo()
        while read(signalDescriptor, &info, MemoryLayout<signalfd_siginfo>.size) > 0 {
            let number = Int32(bitPattern: info.ssi_signo)
            if number != SIGWINCH {
                events.append(.signal(number))
            } else if let size = Terminal.currentSize() {
                events.append(.resized(size))
            }
        }
        return events
    }
}
