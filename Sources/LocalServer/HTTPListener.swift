internal import CMicrohttpd
internal import Glibc

/// A port on 127.0.0.1 that answers HTTP requests with a function.
final class HTTPListener: Sendable {
    private final class Handler: Sendable {
        let answer: @Sendable (ServerRequest) -> ServerAnswer
        let stalled = StalledConnections()
        init(_ answer: @escaping @Sendable (ServerRequest) -> ServerAnswer) { self.answer = answer }
    }

    /// The body of a request while it arrives.
    private final class Upload {
        var body: [UInt8] = []
        var isTooLong = false
        /// An answer that waits until its connection goes on.
        var late: ServerAnswer?
    }

    /// The longest body kept.
    private static let bodyMax = 64 << 20

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
                    HTTPListener.completed)
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

    private static let handle: MHD_AccessHandlerCallback = {
        context, connection, url, method, _, data, size, slot in
        guard let context, let connection, let url, let method, let slot else { return .NO }
        guard let pointer = slot.pointee else {
            slot.pointee = Unmanaged.passRetained(Upload()).toOpaque()
            return .YES
        }
        let upload = Unmanaged<Upload>.fromOpaque(pointer).takeUnretainedValue()
        if let size, size.pointee > 0 {
            if upload.body.count + size.pointee > bodyMax {
                upload.isTooLong = true
            } else if let data {
                upload.body.append(contentsOf: UnsafeRawBufferPointer(start: data, count: size.pointee))
            }
            size.pointee = 0
            return .YES
        }
        let handler = Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
        if let late = upload.late { return send(late, connection, handler.stalled) }
        var request = read(connection)
        request.method = String(cString: method)
        request.path = String(cString: url)
        request.body = upload.body
        let answer =
            upload.isTooLong
            ? ServerAnswer.failure(Refusal(status: 413, code: "ATTACHMENTS_TOO_LARGE", message: "Body too large."))
            : handler.answer(request)
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
        request.requestID = header("x-request-id")
        request.lastEventID = header("last-event-id")
        request.contentType = header("content-type")
        request.host = header("host") ?? ""
        withUnsafeMutablePointer(to: &request.query) { items in
            _ = MHD_get_connection_values(
                connection, .GET_ARGUMENT_KIND,
                { context, _, key, value in
                    guard let context, let key else { return .YES }
                    let item = QueryItem(
                        name: String(cString: key), value: value.map { String(cString: $0) } ?? "")
                    context.assumingMemoryBound(to: [QueryItem].self).pointee.append(item)
                    return .YES
                }, items)
        }
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
