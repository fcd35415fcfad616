internal import Synchronization

/// A body that is read from a file while it is sent, between two pieces of memory; never held whole.
package struct HTTPFileBody: Sendable, Hashable {
    /// What comes before the file.
    package var head: [UInt8]
    /// A regular file, which must not change while it is sent.
    package var path: String
    /// The length of the file in bytes, which is told to the server first.
    package var sizeBytes: Int
    /// What comes after the file.
    package var tail: [UInt8]
    /// Silence beyond it means that nobody is there; a body may take as long as it needs.
    package var silenceMax: Duration
    /// Hears of the file's bytes while they are sent; `nil` for nobody.
    package var progress: HTTPProgress?

    package init(
        head: [UInt8], path: String, sizeBytes: Int, tail: [UInt8], silenceMax: Duration = .seconds(60),
        progress: HTTPProgress? = nil
    ) {
        self.head = head
        self.path = path
        self.sizeBytes = sizeBytes
        self.tail = tail
        self.silenceMax = silenceMax
        self.progress = progress
    }

    /// The length of the whole body in bytes.
    package var count: Int { head.count + sizeBytes + tail.count }
}

/// Hears how many bytes of a file were handed to the network, from a thread of the transport.
///
/// The numbers never become smaller. Two are equal only when they are the same one.
package final class HTTPProgress: Sendable, Hashable {
    private let report: @Sendable (Int) -> Void
    private let sent = Mutex(0)

    /// Reports each number that is larger than the one before; must not block.
    package init(_ report: @escaping @Sendable (Int) -> Void) { self.report = report }

    /// Notes how many bytes of the file have been handed on.
    package func note(_ count: Int) {
        let isNews = sent.withLock { sent in
            defer { sent = max(sent, count) }
            return count > sent
        }
        if isNews { report(count) }
    }

    package static func == (one: HTTPProgress, other: HTTPProgress) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
