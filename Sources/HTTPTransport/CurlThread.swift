internal import CCurl
internal import Glibc
internal import HTTP

/// The thread that owns every libcurl handle of one client.
///
/// Lives on that thread only, from `run` to its end; callers reach it through the queue.
final class CurlThread {
    private let queue: CurlQueue
    private let multi: UnsafeMutableRawPointer
    private var live: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    private var handles: [UInt64: UnsafeMutableRawPointer] = [:]
    private var idle: [UnsafeMutableRawPointer] = []
    private var streams: Set<UnsafeMutableRawPointer> = []
    private let connectionsPerHostMax: Int
    private static let idleMax = 16

    /// libcurl wants to be set up once in a process; a static constant is, on whatever thread comes first.
    private static let isLibraryReady =
        herald_curl_load() != 0 && herald_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private init(multi: UnsafeMutableRawPointer, queue: CurlQueue, connectionsPerHostMax: Int) {
        self.multi = multi
        self.queue = queue
        self.connectionsPerHostMax = max(1, connectionsPerHostMax)
        allowConnections()
    }

    /// Starts a thread and returns the queue that feeds it.
    static func start(connectionsPerHostMax: Int) throws(HTTPError) -> CurlQueue {
        guard isLibraryReady, let multi = herald_multi_init() else { throw .transportFailed }
        _ = herald_multi_setopt_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        let queue = CurlQueue(multi: multi)
        let client = CurlThread(multi: multi, queue: queue, connectionsPerHostMax: connectionsPerHostMax)
        let context = Unmanaged.passRetained(client)
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { @Sendable context in
                guard let context else { return nil }
                Unmanaged<CurlThread>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard result == 0 else {
            context.release()
            herald_multi_cleanup(multi)
            throw .transportFailed
        }
        pthread_detach(thread)
        return queue
    }

    private func run() {
        Self.blockSignals()
        while handleCommands() {
            var running: Int32 = 0
            herald_multi_perform(multi, &running)
            finishCompleted()
            // Without a descriptor to wait on, a short pause keeps a failing poll from spinning.
            if herald_multi_poll(multi, endSilentStreams()) != CURLM_OK { poll(nil, 0, 20) }
        }
        shutDown()
    }

    /// Carries out what was asked since the last turn; returns false when asked to stop.
    private func handleCommands() -> Bool {
        var keepsRunning = true
        for command in queue.take() {
            switch command {
            case .start(let order):
                start(order)
            case .cancel(let id):
                if let easy = handles[id] { detach(easy)?.fail(CancellationError()) }
            case .resume(let id):
                if let easy = handles[id] { live[easy]?.resume(easy) }
            case .stop:
                keepsRunning = false
            }
        }
        return keepsRunning
    }

    private func start(_ order: CurlOrder) {
        guard let easy = idle.popLast() ?? herald_easy_init() else {
            order.receiver.fail(HTTPError.transportFailed)
            return
        }
        let transfer = CurlTransfer(order)
        live[easy] = transfer
        handles[order.id] = easy
        if transfer.isStream {
            streams.insert(easy)
            allowConnections()
        }
        guard transfer.configure(easy), herald_multi_add_handle(multi, easy) == CURLM_OK else {
            let failure = transfer.failure ?? .transportFailed
            detach(easy)?.fail(failure)
            return
        }
    }

    private func finishCompleted() {
        var completed: UnsafeMutableRawPointer?
        var code = CURLE_OK
        while herald_multi_next_done(multi, &completed, &code) != 0 {
            guard let easy = completed, let transfer = live[easy] else { continue }
            let outcome = transfer.outcome(code: code, easy: easy)
            _ = detach(easy)
            transfer.finish(outcome)
        }
    }

    /// Takes a transfer away from libcurl and makes its handle ready for the next one.
    private func detach(_ easy: UnsafeMutableRawPointer) -> CurlTransfer? {
        guard let transfer = live[easy] else { return nil }
        herald_multi_remove_handle(multi, easy)
        herald_easy_reset(easy)
        live[easy] = nil
        handles[transfer.id] = nil
        if streams.remove(easy) != nil { allowConnections() }
        if idle.count < Self.idleMax { idle.append(easy) } else { herald_easy_cleanup(easy) }
        return transfer
    }

    /// Lets every stream have a connection on top of those for ordinary requests, which would wait for one otherwise.
    private func allowConnections() {
        _ = herald_multi_setopt_long(
            multi, CURLMOPT_MAX_HOST_CONNECTIONS, connectionsPerHostMax + streams.count)
    }

    /// Ends the streams that were silent for too long; returns the milliseconds until the next may be.
    private func endSilentStreams() -> Int32 {
        var next = Duration.seconds(60)
        for easy in streams {
            guard let deadline = live[easy]?.silenceEnds else { continue }
            let left = deadline - .now
            if left > .zero {
                next = min(next, left)
            } else {
                detach(easy)?.fail(HTTPError.timedOut)
            }
        }
        return Int32(clamping: CurlTransfer.milliseconds(next) + 1)
    }

    private func shutDown() {
        queue.close()
        _ = handleCommands()
        for easy in Array(live.keys) { detach(easy)?.fail(HTTPError.stopped) }
        for easy in idle { herald_easy_cleanup(easy) }
        herald_multi_cleanup(multi)
    }

    /// Leaves signals to the threads that read them; a broken socket must not raise SIGPIPE here.
    ///
    /// Those of a crash stay open, so that a handler can still give the terminal back.
    private static func blockSignals() {
        var signals = sigset_t()
        sigfillset(&signals)
        for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { sigdelset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
