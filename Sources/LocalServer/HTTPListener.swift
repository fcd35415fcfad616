internal import CMicrohttpd
internal import Glibc
internal import Synchronization

/// A port on 127.0.0.1 that answers HTTP requests with a function.
final class HTTPListener: Sendable {
    private final class Handler: Sendable {
        let answer: @Sendable (ServerRequest) -> ServerAnswer
        let stalled = StalledConnections()
        let budget = BodyBudget()
        init(_ answer: @escaping @Sendable (ServerRequest) -> ServerAnswer) { self.answer = answer }
    }

    /// A request while it arrives.
    private final class Upload {
        let target: RequestTarget
        var isBegun = false
        var body: [UInt8] = []
        /// The bytes of the body so far, kept or not.
        var received = 0
        var isTooLong = false
        /// An answer that waits until its connection goes on.
        var late: ServerAnswer?
        private let budget: BodyBudget

        init(_ target: RequestTarget, _ budget: BodyBudget) {
            self.target = target
            self.budget = budget
        }

        deinit { budget.give(back: body.count) }

        /// Takes a piece of the body; `false` when nobody would want to read on.
        func take(_ piece: UnsafeRawBufferPointer) -> Bool {
            received += piece.count
            if !isTooLong, body.count + piece.count <= HTTPListener.bodyMax, budget.take(piece.count) {
                body.append(contentsOf: piece)
                return true
            }
            // The rest is read and dropped, so that the client can read its answer.
            isTooLong = true
            budget.give(back: body.count)
            body = []
            return received <= HTTPListener.drainedMax
        }
    }

    /// The longest body kept: a file at its limit fits, with the form around it.
    private static let bodyMax = 64 << 20
    /// The longest body read to its end.
    private static let drainedMax = 256 << 20

    let port: Int
    private let handler: Handler
    /// The daemon's address as a number: pointers are not `Sendable`, and only `stop` uses it.
    private let daemon: UInt

    /// Listens on the loopback interface only.
    ///
    /// - Throws: `ServerError.cannotListen`.
    init(port: Int, threads: UInt32, answer: @escaping @Sendable (ServerRequest) -> ServerAnswer) throws(ServerError) {
        let handler = Handler(answer)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(truncatingIfNeeded: port)).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let daemon = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                herald_start_daemon(
                    $0, threads, HTTPListener.handle, Unmanaged.passUnretained(handler).toOpaque(),
                    HTTPListener.begin, HTTPListener.completed)
            }
        }
        guard let daemon else { throw .cannotListen(port: port) }
        self.handler = handler
        self.daemon = UInt(bitPattern: daemon)
        self.port = Int(herald_daemon_port(daemon))
    }

    /// Ends all connections and the threads.
    func stop() {
        handler.stalled.stop()
        MHD_stop_daemon(OpaquePointer(bitPattern: daemon))
    }

    private static let completed: MHD_RequestCompletedCallback = { _, _, slot, _ in
        guard let slot, let pointer = slot.pointee else { return }
        Unmanaged<Upload>.fromOpaque(pointer).release()
        slot.pointee = nil
    }

    private static let begin: herald_begin_callback = { context, target, _ in
        guard let context, let target else { return nil }
        let handler = Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
        let upload = Upload(RequestTarget(String(cString: target)), handler.budget)
        return Unmanaged.passRetained(upload).toOpaque()
    }

    private static let handle: MHD_AccessHandlerCallback = {
        context, connection, _, method, _, data, size, slot in
        guard let context, let connection, let method, let pointer = slot?.pointee else { return .NO }
        let upload = Unmanaged<Upload>.fromOpaque(pointer).takeUnretainedValue()
        guard upload.isBegun else {
            upload.isBegun = true
            return .YES
        }
        if let size, size.pointee > 0 {
            let isWanted = upload.take(UnsafeRawBufferPointer(start: data, count: size.pointee))
            size.pointee = 0
            return isWanted ? .YES : .NO
        }
        let handler = Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
        if let late = upload.late { return send(late, connection, handler.stalled) }
        var request = read(connection)
        request.method = String(cString: method)
        request.path = upload.target.path
        request.query = upload.target.query
        request.body = upload.body
        request.isBodyTooLong = upload.isTooLong
        let answer = handler.answer(request)
        if case .stalled(let milliseconds, bytes: nil) = answer.sending {
            upload.late = answer
            handler.stalled.hold(connection, milliseconds: milliseconds)
            return .YES
        }
        return send(answer, connection, handler.stalled)
    }

    private static func read(_ connection: OpaquePointer) -> ServerRequest {
        var request = ServerRequest()
        func header(_ name: String) -> String? {
            MHD_lookup_connection_value(connection, .HEADER_KIND, name).map { String(cString: $0) }
        }
        request.authorization = header("authorization")
        request.cookie = header("cookie")
        request.pageOrigin = header("origin")
        request.requestID = header("x-request-id")
        request.lastEventID = header("last-event-id")
        request.contentType = header("content-type")
        request.host = header("host") ?? ""
        return request
    }

    private static func send(
        _ answer: ServerAnswer, _ connection: OpaquePointer, _ stalled: StalledConnections
    ) -> MHD_Result {
        var body = answer.body
        let response: OpaquePointer?
        switch answer.sending {
        case .none: return .NO
        case .whole where answer.stream != nil, .stalled where answer.stream != nil:
            response = answer.stream.flatMap { streamedResponse($0, connection) }
        case .whole:
            response = body.withUnsafeMutableBytes {
                MHD_create_response_from_buffer($0.count, $0.baseAddress, .RESPMEM_MUST_COPY)
            }
        case .cut, .stalled: response = BodyFeed.response(answer, connection, stalled)
        }
        guard let response else { return .NO }
        defer { MHD_destroy_response(response) }
        if let type = answer.contentType { MHD_add_response_header(response, "content-type", type) }
        for header in answer.headers { MHD_add_response_header(response, header.name, header.value) }
        return MHD_queue_response(connection, answer.status, response)
    }
}

/// The memory that the bodies of all requests under way may take.
private final class BodyBudget: Sendable {
    private static let bytesMax = 512 << 20
    private let taken = Atomic(0)

    /// Takes bytes; `false` when there are too few.
    func take(_ count: Int) -> Bool {
        let (_, sum) = taken.add(count, ordering: .relaxed)
        guard sum > BodyBudget.bytesMax else { return true }
        give(back: count)
        return false
    }

    func give(back count: Int) { taken.subtract(count, ordering: .relaxed) }
}
