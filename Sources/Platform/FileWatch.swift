internal import CSystem
internal import Glibc

/// Tells when files of one directory are written, made, replaced or removed, by any process.
///
/// A thread of its own waits for the kernel's word (inotify(7)), so nothing polls. Where the kernel refuses a
/// watch, or while the directory is missing, it looks once a second instead.
package final class FileWatch: Sendable {
    /// One value at the start, and after each burst of changes; a slow reader gets one for many.
    package let changes: AsyncStream<Void>
    private let stopSignal = eventfd(0, Int32(EFD_CLOEXEC))

    /// Starts to watch; `isRelevant` picks files by their name within the directory and runs on the watch's thread.
    package init(directory: String, isRelevant: @escaping @Sendable (String) -> Bool) {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        changes = stream
        let loop = WatchLoop(
            directory: directory, isRelevant: isRelevant, stopSignal: stopSignal, report: { continuation.yield() },
            end: { continuation.finish() })
        var thread = pthread_t()
        let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            guard let context else { return nil }
            Unmanaged<WatchLoop>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }
        let context = Unmanaged.passRetained(loop)
        if pthread_create(&thread, nil, body, context.toOpaque()) == 0 {
            pthread_detach(thread)
        } else {
            context.release()
            continuation.finish()
        }
    }

    deinit { stop() }

    /// Ends the watch and the stream.
    package func stop() {
        var one: UInt64 = 1
        _ = write(stopSignal, &one, 8)
    }
}

/// The thread of a watch.
private final class WatchLoop {
    private let directory: String
    private let isRelevant: @Sendable (String) -> Bool
    private let stopSignal: Int32
    private let report: @Sendable () -> Void
    private let end: @Sendable () -> Void
    private let notifier = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    private var isWatching = false

    private static let mask = UInt32(
        IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF)
    /// How often to look where the kernel does not tell.
    private static let pollMilliseconds: Int32 = 1_000

    init(
        directory: String, isRelevant: @escaping @Sendable (String) -> Bool, stopSignal: Int32,
        report: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void
    ) {
        self.directory = directory
        self.isRelevant = isRelevant
        self.stopSignal = stopSignal
        self.report = report
        self.end = end
    }

    func run() {
        watch()
        // What was written before the kernel was asked to tell is found by looking once more.
        report()
        while true {
            var descriptors = [
                pollfd(fd: stopSignal, events: Int16(POLLIN), revents: 0),
                pollfd(fd: notifier, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&descriptors, 2, isWatching ? -1 : WatchLoop.pollMilliseconds)
            if descriptors[0].revents != 0 { break }
            if count == 0 {
                watch()
                report()
            } else if count > 0, descriptors[1].revents != 0, readEvents() {
                report()
            }
        }
        if notifier >= 0 { close(notifier) }
        close(stopSignal)
        end()
    }

    private func watch() {
        guard notifier >= 0 else { return }
        isWatching = inotify_add_watch(notifier, directory, WatchLoop.mask) >= 0
    }

    /// Takes what is waiting; answers whether any of it matters.
    private func readEvents() -> Bool {
        let header = MemoryLayout<inotify_event>.size
        var matters = false
        withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 8) { buffer in
            while true {
                let count = read(notifier, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                var offset = 0
                while offset + header <= count {
                    let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let name = UnsafeRawBufferPointer(buffer)[(offset + header)..<(offset + header + Int(event.len))]
                    if takes(event, String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)) { matters = true }
                    offset += header + Int(event.len)
                }
            }
        }
        return matters
    }

    private func takes(_ event: inotify_event, _ name: String) -> Bool {
        // The directory itself is gone: look for it until it is back.
        if event.mask & UInt32(IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF) != 0 {
            isWatching = false
            return true
        }
        return event.mask & UInt32(IN_Q_OVERFLOW) != 0 || isRelevant(name)
    }
}
