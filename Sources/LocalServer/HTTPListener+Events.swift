internal import CMicrohttpd

extension HTTPListener {
    /// A body that goes on: libmicrohttpd asks the hub for the next bytes whenever it can send some.
    static func streamedResponse(
        _ subscription: EventSubscription, _ connection: OpaquePointer
    ) -> OpaquePointer? {
        subscription.hub.attach(
            subscription.id, connection: connection, socket: herald_connection_socket(connection))
        let context = Unmanaged.passRetained(subscription)
        let response = MHD_create_response_from_callback(
            // A body of unknown size, in pieces of at most this many bytes.
            UInt64.max, 4_096,
            { context, _, buffer, size in
                guard let context, let buffer else { return -2 }
                let subscription = Unmanaged<EventSubscription>.fromOpaque(context).takeUnretainedValue()
                return subscription.hub.read(
                    subscription.id, into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
            }, context.toOpaque(),
            { context in
                if let context { Unmanaged<EventSubscription>.fromOpaque(context).release() }
            })
        if response == nil { context.release() }
        return response
    }
}
