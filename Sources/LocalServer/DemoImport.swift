internal import Glibc
internal import JSON
internal import Platform
internal import SQLite
internal import Synchronization

/// Loads the demo's file.
enum DemoImport {
    /// Loads the file; answers the messages that arrive later.
    ///
    /// - Throws: `ServerError.badImport` or `SQLiteError`.
    static func run(_ path: String, _ store: Store) throws -> [DemoMessage] {
        guard let bytes = try? Files.read(path) else {
            throw ServerError.badImport(path: path, reason: "the file cannot be read.")
        }
        guard let file = try? DemoFile(bytes) else {
            throw ServerError.badImport(path: path, reason: "it is not the demo's JSON.")
        }
        try store.once("demo \(path)") {
            for mailbox in file.mailboxes {
                _ = try store.makeMailbox(mailbox.address, displayName: mailbox.displayName)
            }
            for message in file.messages { try store.deliver(message) }
            for draft in file.drafts { try store.deliver(draft) }
        }
        return file.arrivals
    }
}

extension Store {
    private static func threadID(_ key: String) -> String { key.isEmpty ? id("thr") : "thr_demo_" + key }

    /// Stores a message of the demo.
    ///
    /// - Throws: `SQLiteError`.
    func deliver(_ demo: DemoMessage) throws(SQLiteError) {
        let stamp = TimeText.text(Environment.millisecondsSinceEpoch - Int64(demo.minutesAgo) * 60_000)
        var message = NewMessage()
        message.thread = Store.threadID(demo.thread)
        message.mailbox = if let address = demo.mailbox { try mailbox(havingAddress: address) } else { nil }
        message.isOutbound = demo.folder == "sent"
        message.folder = message.mailbox == nil ? "catchall" : demo.folder
        message.from = demo.from
        message.to = demo.to
        message.cc = demo.cc
        if !demo.subject.isEmpty { message.subject = demo.subject }
        message.snippet = Snippet.text(demo.text, html: demo.html)
        message.createdAt = stamp
        message.receivedAt = message.isOutbound ? nil : stamp
        message.sentAt = message.isOutbound ? stamp : nil
        message.readAt = demo.isRead || message.isOutbound ? stamp : nil
        message.starredAt = demo.isStarred ? stamp : nil
        message.deliveredTo = message.isOutbound ? nil : demo.mailbox
        message.text = demo.text
        message.htmlSource = demo.html
        message.messageIDHeader = "<\(message.id)@demo.example>"
        message.attachments = demo.attachments
        try insert(message)
    }

    /// Stores a draft of the demo.
    ///
    /// - Throws: `SQLiteError`.
    func deliver(_ demo: DemoDraft) throws(SQLiteError) {
        var draft = StoredDraft()
        draft.id = Store.id("drf")
        draft.mailbox = if let address = demo.mailbox { try mailbox(havingAddress: address) } else { nil }
        if let thread = demo.replyToThread {
            draft.replyTo = try text(
                "SELECT id FROM messages WHERE threadId = ? ORDER BY activityAt DESC LIMIT 1", Store.threadID(thread))
        }
        draft.from = demo.from
        draft.toJSON = JSONText.array(demo.to)
        draft.ccJSON = JSONText.array(demo.cc)
        draft.subject = demo.subject
        draft.text = demo.text
        draft.updatedAt = now()
        try save(draft, user: "usr_local_owner")
    }
}

/// Delivers the demo's later messages, one from time to time, on a thread of its own.
final class DemoArrivals: Sendable {
    private static let secondsBetween = 45
    private let arrivals: [DemoMessage]
    private let service: Service
    private let isStopped = Atomic(false)

    /// Starts the thread; `stop` ends it within a second.
    init(_ arrivals: [DemoMessage], _ service: Service) {
        self.arrivals = arrivals
        self.service = service
        var thread = pthread_t()
        let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            if let context { Unmanaged<DemoArrivals>.fromOpaque(context).takeRetainedValue().deliver() }
            return nil
        }
        if pthread_create(&thread, nil, body, Unmanaged.passRetained(self).toOpaque()) == 0 { pthread_detach(thread) }
    }

    func stop() { isStopped.store(true, ordering: .releasing) }

    private func deliver() {
        for arrival in arrivals {
            for _ in 0..<DemoArrivals.secondsBetween {
                Glibc.sleep(1)
                if isStopped.load(ordering: .acquiring) { return }
            }
            try? service.withStore { try $0.deliver(arrival) }
        }
    }
}
