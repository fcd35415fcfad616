internal import Glibc
package import MailAPI

/// What the event stream has to say.
package enum LiveEvent: Sendable, Hashable {
    /// The stream is open; what happened before is to be looked for.
    case opened
    /// Something changed.
    case changed
}

/// The account's live events, through every loss of the connection.
///
/// An event is a doorbell: it says that a pass is worth while, and the pass does the work.
package struct LiveEvents: Sendable {
    private let feed: any EventFeed
    private let lastEventID: String
    private let timing: ReconnectMachine.Timing
    private let listening: @Sendable (Bool) async -> Void
    private let note: @Sendable (String) async -> Void

    /// Events of a feed, from an id that an earlier run was told to note.
    ///
    /// `listening` is told when the stream opens and when it is lost or ends.
    package init(
        feed: any EventFeed, lastEventID: String = "", timing: ReconnectMachine.Timing = .init(),
        listening: @escaping @Sendable (Bool) async -> Void = { _ in },
        note: @escaping @Sendable (String) async -> Void = { _ in }
    ) {
        self.feed = feed
        self.lastEventID = lastEventID
        self.timing = timing
        self.listening = listening
        self.note = note
    }

    /// A stream of its own, for one reader; it opens when it is first read.
    ///
    /// Events that came while nobody read count as one. It ends when the server asks not to come back, and throws
    /// `EventFeedError` when it cannot go on. Cancelling the reading task, or dropping the stream, closes the
    /// connection at once.
    package func events() -> AsyncThrowingStream<LiveEvent, any Error> {
        let listener = Listener(
            feed: feed, machine: ReconnectMachine(lastEventID: lastEventID, timing: timing), listening: listening,
            note: note)
        return AsyncThrowingStream { try await listener.next() }
    }
}

/// Performs what the machine says.
private actor Listener {
    private let feed: any EventFeed
    private let listening: @Sendable (Bool) async -> Void
    private let note: @Sendable (String) async -> Void
    private var machine: ReconnectMachine
    private var connection: (any EventConnection)?
    private var waitMilliseconds: Int64 = 0
    private var isOver = false

    init(
        feed: any EventFeed, machine: ReconnectMachine, listening: @escaping @Sendable (Bool) async -> Void,
        note: @escaping @Sendable (String) async -> Void
    ) {
        self.feed = feed
        self.machine = machine
        self.listening = listening
        self.note = note
    }

    func next() async throws -> LiveEvent? {
        while !isOver {
            do {
                try Task.checkCancellation()
                if let event = try await advance() { return event }
            } catch let error as EventFeedError {
                try await lost(error)
            } catch {
                isOver = true
                await drop()
                await noteID(isEnd: true)
                throw error
            }
        }
        return nil
    }

    /// Takes one step: waits, opens, or reads.
    private func advance() async throws -> LiveEvent? {
        guard let connection else {
            if waitMilliseconds > 0 { try await Task.sleep(for: .milliseconds(waitMilliseconds)) }
            connection = try await feed.open(lastEventID: machine.lastEventID)
            machine.opened(at: Listener.clock())
            await listening(true)
            return .opened
        }
        guard let pulse = try await connection.next() else {
            try await lost(nil)
            return nil
        }
        let rings = machine.take(pulse)
        await noteID()
        return rings ? .changed : nil
    }

    /// Lets go of the connection, which closes it.
    private func drop() async {
        let wasOpen = connection != nil
        connection = nil
        if wasOpen { await listening(false) }
    }

    private func lost(_ error: EventFeedError?) async throws {
        await drop()
        switch machine.lost(error, at: Listener.clock(), jitter: .random(in: 0...1)) {
        case .wait(let milliseconds): waitMilliseconds = milliseconds
        case .stop(let error):
            isOver = true
            await noteID(isEnd: true)
            if error != .closed { throw error }
        }
    }

    private func noteID(isEnd: Bool = false) async {
        if let id = machine.idToNote(at: Listener.clock(), isEnd: isEnd) { await note(id) }
    }

    /// Milliseconds of a clock that never goes back and counts while the machine sleeps.
    private static func clock() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
