internal import CMicrohttpd
internal import Glibc
internal import Platform
internal import Synchronization

/// Connections that keep silent for a while, without holding a thread of the server.
final class StalledConnections: Sendable {
    private struct State {
        /// When each goes on, by its address as a number: pointers are not `Sendable`.
        var due: [UInt: Int64] = [:]
        var isRunning = false
        var isStopped = false
    }

    private let state = Mutex(State())

    /// Suspends a connection from within its handler; it is called again when the time is over.
    func hold(_ connection: OpaquePointer, milliseconds: Int) {
        let key = UInt(bitPattern: connection)
        let starts = state.withLock { state in
            guard !state.isStopped else { return false }
            MHD_suspend_connection(connection)
            state.due[key] = Environment.monotonicMilliseconds + Int64(milliseconds)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { start() }
    }

    /// Lets every connection go on at once, and every later one.
    func stop() { release(all: true) }

    private func start() {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        let answer = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let stalled = Unmanaged<StalledConnections>.fromOpaque(context).takeRetainedValue()
                while stalled.release(all: false) { usleep(2_000) }
                return nil
            }, context)
        if answer == 0 { pthread_detach(thread) } else { stop() }
    }

    /// Lets connections go on whose time is over; `false` when none is left.
    @discardableResult
    private func release(all: Bool) -> Bool {
        let now = Environment.monotonicMilliseconds
        return state.withLock { state in
            if all { state.isStopped = true }
            for (key, due) in state.due where all || due <= now {
                state.due[key] = nil
                if let connection = OpaquePointer(bitPattern: key) { MHD_resume_connection(connection) }
            }
            state.isRunning = !state.due.isEmpty
            return state.isRunning
        }
    }
}

/// A body that is sent piece by piece, to be cut or to pause.
final class BodyFeed {
    private let body: [UInt8]
    private let connection: OpaquePointer
    private let stalled: StalledConnections
    private let sending: ServerAnswer.Sending
    private var hasPaused = false

    private init(_ answer: ServerAnswer, _ connection: OpaquePointer, _ stalled: StalledConnections) {
        body = answer.body
        sending = answer.sending
        self.connection = connection
        self.stalled = stalled
    }

    /// A response that reads from a feed.
    static func response(
        _ answer: ServerAnswer, _ connection: OpaquePointer, _ stalled: StalledConnections
    ) -> OpaquePointer? {
        let feed = Unmanaged.passRetained(BodyFeed(answer, connection, stalled)).toOpaque()
        return MHD_create_response_from_callback(
            UInt64(answer.body.count), 16_384,
            { context, position, buffer, room in
                guard let context, let buffer else { return -2 }
                let feed = Unmanaged<BodyFeed>.fromOpaque(context).takeUnretainedValue()
                return feed.read(Int(position), UnsafeMutableRawBufferPointer(start: buffer, count: room))
            }, feed,
            { context in
                if let context { Unmanaged<BodyFeed>.fromOpaque(context).release() }
            })
    }

    /// Copies bytes from a position on; -2 ends the connection, 0 waits.
    private func read(_ position: Int, _ room: UnsafeMutableRawBufferPointer) -> Int {
        var end = body.count
        switch sending {
        case .cut(let bytes):
            end = min(end, bytes)
            if position >= end { return -2 }
        case .stalled(let milliseconds, let bytes):
            guard !hasPaused, let bytes, bytes < body.count else { break }
            if position >= bytes {
                hasPaused = true
                stalled.hold(connection, milliseconds: milliseconds)
                return 0
            }
            end = bytes
        case .whole, .none: break
        }
        let count = min(room.count, end - position)
        guard count > 0 else { return -2 }
        room.copyBytes(from: body[position..<(position + count)])
        return count
    }
}
