internal import CMicrohttpd
internal import CSystem
internal import Glibc
internal import Platform
internal import Synchronization

/// Every open event stream of the server, fed by one thread.
///
/// A stream without news is suspended in libmicrohttpd, so it occupies none of its threads. The store is asked only
/// while no lock of the hub is held, and never while something is sent.
final class EventHub: Sendable {
    /// What a stream says when nothing happens; proxies cut silent connections.
    static let heartbeat = Array(":\n\n".utf8)
    /// More than this waits for no reader: what waits rings the bell anyway, once it is read.
    private static let pendingMax = 4_096

    private struct Stream {
        var watch: EventWatch
        var pending: [UInt8]
        /// The connection's address, as a number because pointers are not `Sendable`; valid while the stream is here.
        var connection: UInt = 0
        var socket: Int32 = -1
        var isSuspended = false
        var isEnding = false
        var isHungUp = false
        var lastSentAt = Environment.monotonicMilliseconds
    }

    private struct State {
        var streams: [UInt64: Stream] = [:]
        var lastID: UInt64 = 0
        var isDirty = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let wake = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    private let heartbeatMilliseconds: Int64
    private let retryMilliseconds: Int64

    init(_ options: ServerOptions) {
        heartbeatMilliseconds = options.heartbeatMilliseconds
        retryMilliseconds = options.retryMilliseconds
    }

    deinit { Glibc.close(wake) }

    /// The streams that are open.
    var count: Int { state.withLock { $0.streams.count } }

    /// Adds a stream that begins with the wait to keep before a reconnect, and `greeting`.
    func add(_ watch: EventWatch, greeting: String) -> EventSubscription {
        let greeting = Array("retry: \(retryMilliseconds)\n\(greeting)".utf8)
        let id = state.withLock { state in
            state.lastID += 1
            state.streams[state.lastID] = Stream(watch: watch, pending: greeting)
            // What happened since the watch was made is looked for at once.
            state.isDirty = true
            return state.lastID
        }
        signal()
        return EventSubscription(hub: self, id: id)
    }

    func remove(_ id: UInt64) {
        state.withLock { _ = $0.streams.removeValue(forKey: id) }
    }

    /// Notes that the store may have changed.
    func noteChange() {
        let hasStreams = state.withLock { state in
            state.isDirty = true
            return !state.streams.isEmpty
        }
        if hasStreams { signal() }
    }

    /// Ends every stream after what it still has to say.
    func dropAll() {
        state.withLock { state in
            for id in state.streams.keys {
                state.streams[id]?.isEnding = true
                EventHub.resume(id, &state)
            }
        }
    }

    /// Ends every stream and the thread.
    ///
    /// To be called before the listener stops, which may have no suspended connection.
    func close() {
        state.withLock { state in
            state.isClosed = true
            for id in state.streams.keys { EventHub.resume(id, &state) }
        }
        signal()
    }

    private func signal() {
        var one: UInt64 = 1
        _ = write(wake, &one, 8)
    }

    /// Wakes a suspended connection, so that libmicrohttpd asks again what to send.
    private static func resume(_ id: UInt64, _ state: inout State) {
        guard let stream = state.streams[id], stream.isSuspended else { return }
        state.streams[id]?.isSuspended = false
        MHD_resume_connection(OpaquePointer(bitPattern: stream.connection))
    }
}

// What libmicrohttpd's threads call.
extension EventHub {
    /// Ties a stream to its connection, before its answer is queued.
    func attach(_ id: UInt64, connection: OpaquePointer, socket: Int32) {
        state.withLock { state in
            state.streams[id]?.connection = UInt(bitPattern: connection)
            state.streams[id]?.socket = socket
        }
    }

    /// Gives the next bytes of a stream; 0 with the connection suspended, or libmicrohttpd's codes of an end.
    func read(_ id: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        state.withLock { state in
            guard let stream = state.streams[id], !stream.isHungUp else { return -2 }
            if !stream.pending.isEmpty {
                let count = min(buffer.count, stream.pending.count)
                buffer.copyBytes(from: stream.pending[..<count])
                state.streams[id]?.pending.removeFirst(count)
                return count
            }
            if stream.isEnding || state.isClosed { return -1 }
            state.streams[id]?.isSuspended = true
            MHD_suspend_connection(OpaquePointer(bitPattern: stream.connection))
            // From here on it is the hub's thread that has to notice when the reader goes.
            signal()
            return 0
        }
    }
}

// The hub's thread.
extension EventHub {
    private final class Work: Sendable {
        let hub: EventHub
        let service: Service
        init(_ hub: EventHub, _ service: Service) { (self.hub, self.service) = (hub, service) }
    }

    /// Starts the thread; `close` ends it.
    func start(_ service: Service) {
        var thread = pthread_t()
        let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            guard let context else { return nil }
            let work = Unmanaged<Work>.fromOpaque(context).takeRetainedValue()
            work.hub.run(work.service)
            return nil
        }
        let context = Unmanaged.passRetained(Work(self, service))
        if pthread_create(&thread, nil, body, context.toOpaque()) == 0 {
            pthread_detach(thread)
        } else {
            context.release()
        }
    }

    private func run(_ service: Service) {
        while waitForWork() {
            let now = Environment.monotonicMilliseconds
            let isDirty = state.withLock { state in
                defer { state.isDirty = false }
                return state.isDirty
            }
            // A token that ran out leaves no trace in the store, so access is looked at with each heartbeat too.
            if isDirty || state.withLock({ self.isHeartbeatDue(&$0, at: now) }) { tellNews(service, at: now) }
        }
    }

    private func isHeartbeatDue(_ state: inout State, at now: Int64) -> Bool {
        state.streams.values.contains { now - $0.lastSentAt >= heartbeatMilliseconds }
    }

    /// Waits for a signal, a connection that hangs up or the next heartbeat; `false` when the hub is closed.
    private func waitForWork() -> Bool {
        let now = Environment.monotonicMilliseconds
        let (watched, timeout) = state.withLock { state -> ([(id: UInt64, socket: Int32)], Int64) in
            let suspended = state.streams.filter { $0.value.isSuspended && !$0.value.isHungUp }
            let next = state.streams.values.map { $0.lastSentAt + heartbeatMilliseconds - now }.min()
            return (suspended.map { ($0.key, $0.value.socket) }, next.map { max(0, $0) } ?? -1)
        }
        // POLLRDHUP, which the Glibc module lacks: libmicrohttpd does not look at a suspended connection.
        let hangup = Int16(0x2000)
        var descriptors = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
        descriptors += watched.map { pollfd(fd: $0.socket, events: hangup, revents: 0) }
        _ = poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: timeout))
        var count: UInt64 = 0
        _ = Glibc.read(wake, &count, 8)
        return state.withLock { state in
            guard !state.isClosed else { return false }
            for (entry, descriptor) in zip(watched, descriptors.dropFirst()) where descriptor.revents != 0 {
                // Another connection may have got the number meanwhile; its own stream is then only asked in vain.
                guard state.streams[entry.id]?.socket == entry.socket else { continue }
                state.streams[entry.id]?.isHungUp = true
                EventHub.resume(entry.id, &state)
            }
            return true
        }
    }

    /// Asks the store for each stream's news and passes them on.
    private func tellNews(_ service: Service, at now: Int64) {
        let watches = state.withLock { $0.streams.mapValues(\.watch) }
        for (id, watch) in watches {
            var watch = watch
            var isAllowed = true
            var hasNews = false
            do {
                hasNews = try service.withStore { try $0.look(for: &watch) }
            } catch is Refusal {
                isAllowed = false
            } catch {
                // The store cannot answer now; the next change or heartbeat asks again.
                continue
            }
            state.withLock { state in
                guard !state.isClosed, var stream = state.streams[id] else { return }
                stream.watch = watch
                stream.isEnding = stream.isEnding || !isAllowed
                let isSilent = now - stream.lastSentAt >= heartbeatMilliseconds
                let text = hasNews ? Array(watch.event.utf8) : isSilent ? EventHub.heartbeat : []
                if !text.isEmpty {
                    stream.lastSentAt = now
                    if stream.pending.count < EventHub.pendingMax { stream.pending += text }
                }
                state.streams[id] = stream
                if !text.isEmpty || stream.isEnding { EventHub.resume(id, &state) }
            }
        }
    }
}

/// One stream's place in the hub; the stream is gone with the last hold on it.
final class EventSubscription: Sendable {
    let hub: EventHub
    let id: UInt64

    init(hub: EventHub, id: UInt64) {
        self.hub = hub
        self.id = id
    }

    deinit { hub.remove(id) }
}
