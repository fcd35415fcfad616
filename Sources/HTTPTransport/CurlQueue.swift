internal import CCurl
internal import HTTP
internal import Synchronization

/// A request on its way to the thread, with the caller that waits for it.
struct CurlOrder: Sendable {
    let id: UInt64
    let request: HTTPRequest
    let target: URLParts
    let settings: CurlClient.Settings
    let receiver: CurlReceiver
}

/// Who waits for the answer, and in which form.
enum CurlReceiver: Sendable {
    case whole(CheckedContinuation<HTTPResponse, any Error>)
    case stream(CurlBody, silenceMax: Duration)

    /// Tells the one who waits that there is no answer, or no more of it.
    func fail(_ error: any Error) {
        switch self {
        case .whole(let continuation): continuation.resume(throwing: error)
        case .stream(let body, _): body.end(.failure(error))
        }
    }
}

/// What callers ask of the thread.
enum CurlCommand: Sendable {
    case start(CurlOrder)
    case cancel(UInt64)
    /// A paused stream has room again.
    case resume(UInt64)
    case stop
}

/// Carries commands from callers to the thread, and wakes it.
///
/// The multi handle is kept as bits because callers use it for one call only, `herald_multi_wakeup`, which is safe on
/// any thread. The call is made under the lock, and the thread closes the queue under the same lock before it frees
/// the handle, so the handle is alive whenever it is used.
final class CurlQueue: Sendable {
    private struct State {
        var commands: [CurlCommand] = []
        var lastID: UInt64 = 0
        var posted: Set<UInt64> = []
        var cancelledEarly: Set<UInt64> = []
        var isStopping = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let multiBits: UInt

    init(multi: UnsafeMutableRawPointer) { multiBits = UInt(bitPattern: multi) }

    func makeID() -> UInt64 {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    /// Hands an order to the thread; returns why it was refused, if it was.
    func post(_ order: CurlOrder) -> (any Error)? {
        state.withLock { state -> (any Error)? in
            if state.cancelledEarly.contains(order.id) { return CancellationError() }
            if state.isStopping { return HTTPError.stopped }
            state.posted.insert(order.id)
            append(.start(order), to: &state)
            return nil
        }
    }

    /// Ends a request; one that was not posted yet is refused when it is.
    func cancel(_ id: UInt64) {
        state.withLock { state in
            if state.posted.contains(id) {
                append(.cancel(id), to: &state)
            } else {
                state.cancelledEarly.insert(id)
            }
        }
    }

    /// Lets a paused stream go on.
    func resume(_ id: UInt64) {
        state.withLock { append(.resume(id), to: &$0) }
    }

    /// Drops what is known of a request whose caller has its answer.
    func forget(_ id: UInt64) {
        state.withLock { state in
            state.posted.remove(id)
            state.cancelledEarly.remove(id)
        }
    }

    func stop() {
        state.withLock { state in
            guard !state.isStopping else { return }
            state.isStopping = true
            append(.stop, to: &state)
        }
    }

    /// Takes every command posted so far, in order.
    func take() -> [CurlCommand] {
        state.withLock { state in
            defer { state.commands.removeAll(keepingCapacity: true) }
            return state.commands
        }
    }

    /// Ends all use of the multi handle by callers.
    func close() {
        state.withLock { $0.isClosed = true }
    }

    private func append(_ command: CurlCommand, to state: inout State) {
        guard !state.isClosed else { return }
        state.commands.append(command)
        herald_multi_wakeup(UnsafeMutableRawPointer(bitPattern: multiBits))
    }
}
