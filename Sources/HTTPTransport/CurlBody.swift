internal import HTTP
internal import Synchronization

/// Carries the answer of a stream from the client's thread to its reader, through a buffer that is bounded.
///
/// The thread puts bytes in until the buffer is full and then pauses the transfer; the reader who makes room asks the
/// thread to go on. Whoever waits is resumed outside the lock.
final class CurlBody: Sendable {
    /// Bytes that may wait for the reader; one more piece of libcurl's may come on top.
    static let bytesMax = 256 * 1024

    private struct State {
        var head: CheckedContinuation<(Head, CurlBody), any Error>?
        var reader: CheckedContinuation<[UInt8]?, any Error>?
        var bytes: [UInt8] = []
        /// How the transfer ended; `nil` while it goes on.
        var end: Result<Void, any Error>?
        var isPaused = false
        var isCancelled = false
    }

    /// What is known before the body.
    struct Head: Sendable {
        var status: Int
        var fields: [HTTPHeader]
    }

    private let state: Mutex<State>

    init(head: CheckedContinuation<(Head, CurlBody), any Error>) {
        state = Mutex(State(head: head))
    }
}

// The thread's side.
extension CurlBody {
    /// Hands over the header, once.
    func begin(_ head: Head) {
        takeHead()?.resume(returning: (head, self))
    }

    /// Takes bytes; `false` when there is no room, and the transfer has to pause.
    func append(_ piece: UnsafeRawBufferPointer) -> Bool {
        let (isTaken, reader) = state.withLock { state -> (Bool, CheckedContinuation<[UInt8]?, any Error>?) in
            guard state.bytes.count < CurlBody.bytesMax else {
                state.isPaused = true
                return (false, nil)
            }
            state.bytes.append(contentsOf: piece)
            defer { state.reader = nil }
            return (true, state.reader)
        }
        if let reader { reader.resume(returning: takeBytes()) }
        return isTaken
    }

    /// Ends the body; bytes already here are read first.
    func end(_ outcome: Result<Void, any Error>) {
        let reader = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
            if state.end == nil { state.end = outcome }
            defer { state.reader = nil }
            return state.reader
        }
        // A transfer that ends before its header was complete has no answer.
        takeHead()?.resume(throwing: outcome.failure ?? HTTPError.interrupted)
        if let reader { reader.resume(with: outcome.map { nil }) }
    }

    private func takeHead() -> CheckedContinuation<(Head, CurlBody), any Error>? {
        state.withLock { state in
            defer { state.head = nil }
            return state.head
        }
    }

    private func takeBytes() -> [UInt8] {
        state.withLock { state in
            defer { state.bytes = [] }
            return state.bytes
        }
    }
}

// The reader's side.
extension CurlBody {
    /// The next bytes, as many as are here, or `nil` at the end; a paused transfer goes on, a cancelled one is closed.
    func next(_ lease: CurlLease) async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            let bytes: [UInt8]? = try await withCheckedThrowingContinuation { continuation in
                let answer = state.withLock { state -> Result<[UInt8]?, any Error>? in
                    if state.isCancelled { return .failure(CancellationError()) }
                    if !state.bytes.isEmpty {
                        defer { state.bytes = [] }
                        return .success(state.bytes)
                    }
                    if let end = state.end { return end.map { nil } }
                    // A second reader at a time would take pieces from the first.
                    guard state.reader == nil else { return .failure(HTTPError.badRequest) }
                    state.reader = continuation
                    return nil
                }
                if let answer { continuation.resume(with: answer) }
            }
            let wasPaused = state.withLock { state in
                defer { state.isPaused = false }
                return state.isPaused
            }
            if wasPaused { lease.resume() }
            return bytes
        } onCancel: {
            cancel()
            lease.close()
        }
    }

    /// Ends the reading at once.
    private func cancel() {
        let reader = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
            state.isCancelled = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(throwing: CancellationError())
    }
}

/// The reader's hold on a stream: the transfer ends with it.
///
/// Holds the client too, so that a stream outlives the last other reference to its client.
final class CurlLease: Sendable {
    private let client: CurlClient
    private let queue: CurlQueue
    private let id: UInt64

    init(client: CurlClient, queue: CurlQueue, id: UInt64) {
        self.client = client
        self.queue = queue
        self.id = id
    }

    deinit {
        queue.cancel(id)
        queue.forget(id)
    }

    /// Closes the connection.
    func close() { queue.cancel(id) }

    /// Lets a paused transfer go on.
    func resume() { queue.resume(id) }
}

extension Result where Success == Void {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { return error }
        return nil
    }
}
