internal import Glibc
internal import Platform
internal import SQLite
internal import Synchronization

/// A server that runs in this process.
package final class RunningServer: Sendable {
    /// The port of the API on 127.0.0.1.
    package let port: Int
    /// The port of the verbs for tests.
    package let controlPort: Int
    /// The file with the owner's bearer, when there are no demo users.
    package let tokenFile: String?
    private let listener: HTTPListener
    private let control: HTTPListener
    private let demo: DemoArrivals?
    private let events: EventHub?
    private let temporaryDirectory: String?
    /// What each import did.
    package let imports: [ImportReport]
    private let lock: Mutex<FileLock?>
    private let isStopped = Atomic(false)

    init(
        listener: HTTPListener, control: HTTPListener, demo: DemoArrivals?, events: EventHub?, tokenFile: String?,
        temporaryDirectory: String?, imports: [ImportReport], lock: consuming FileLock?
    ) {
        self.imports = imports
        self.lock = Mutex(lock)
        self.listener = listener
        self.control = control
        self.demo = demo
        self.events = events
        self.tokenFile = tokenFile
        self.temporaryDirectory = temporaryDirectory
        port = listener.port
        controlPort = control.port
    }

    /// The origin that clients use.
    package var origin: String { "http://127.0.0.1:\(port)" }

    /// Ends the server and removes its temporary directory; a second call does nothing.
    package func stop() {
        guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
        demo?.stop()
        events?.close()
        listener.stop()
        control.stop()
        if let temporaryDirectory { Files.removeTree(temporaryDirectory) }
        lock.withLock { $0 = nil }
    }
}

/// The local server, which speaks the mail API over loopback HTTP.
package enum MailServer {
    private static let threads: UInt32 = 4

    /// Starts a server in this process, its imports done.
    ///
    /// - Throws: `ServerError`.
    package static func start(_ options: ServerOptions) throws(ServerError) -> RunningServer {
        let (directory, temporary) = try stateDirectory(options)
        do {
            return try start(options, in: directory, temporary: temporary)
        } catch let error as ServerError {
            if let temporary { Files.removeTree(temporary) }
            throw error
        } catch let error as SystemError {
            if let temporary { Files.removeTree(temporary) }
            throw .storage(error.message)
        } catch {
            if let temporary { Files.removeTree(temporary) }
            throw .storage("the database cannot be used.")
        }
    }

    private static func stateDirectory(_ options: ServerOptions) throws(ServerError) -> (String, String?) {
        if let state = options.state {
            do {
                try Files.makeDirectory(state)
            } catch {
                throw .storage(error.message)
            }
            return (state, nil)
        }
        var template = Array(((Environment.value("TMPDIR") ?? "/tmp") + "/herald-server-XXXXXX").utf8CString)
        let isMade = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { mkdtemp($0) != nil } ?? false
        }
        guard isMade else {
            throw .storage("no temporary directory can be made.")
        }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return (path, path)
    }

    private static func start(
        _ options: ServerOptions, in directory: String, temporary: String?
    ) throws -> RunningServer {
        let lock = try FileLock.take(directory + "/server.lock")
        guard lock != nil else { throw ServerError.inUse(path: directory) }
        let store = try Store(directory + "/server.sqlite")
        var tokenFile: String?
        if options.hasDemoUsers { try store.seedUsers() } else { tokenFile = try ownerToken(directory, store) }
        if options.hasDemoUsers, options.demo == nil { try store.seedMailboxes() }
        var imports: [ImportReport] = []
        for source in options.imports {
            var report = ImportReport(path: source.path)
            report.isOld = try !store.once("import \(source.path) \(source.address)") {
                report = try MailImport.run(source.path, to: source.address, store)
            }
            imports.append(report)
        }
        var arrivals: [DemoMessage] = []
        if let demo = options.demo { arrivals = try DemoImport.run(demo, store) }
        let events = options.hasEvents ? EventHub(options) : nil
        let service = Service(store, tier: options.tier, events: events)
        let listener = try HTTPListener(port: options.port, threads: threads) { request in
            var answer = service.faults.answer(request) { Router.answer($0, service) }
            if let date = service.date { answer.headers.append(QueryItem(name: "Date", value: date)) }
            return answer
        }
        let control = try HTTPListener(port: 0, threads: 1) { ControlRouter.answer($0, service) }
        let origin = "http://127.0.0.1:\(listener.port)"
        try service.withStore { store in
            store.origin = origin
            store.ordersAsText = options.ordersAsText
            store.tier = options.tier
        }
        events?.start(service)
        return RunningServer(
            listener: listener, control: control,
            demo: arrivals.isEmpty ? nil : DemoArrivals(arrivals, service), events: events, tokenFile: tokenFile,
            temporaryDirectory: temporary, imports: imports, lock: lock)
    }

    /// Writes the owner's bearer to a file of its own, or takes the one there.
    private static func ownerToken(_ directory: String, _ store: Store) throws -> String {
        let path = directory + "/owner.token"
        if !Files.exists(path) {
            let token = "hqb_access_" + Cursor.encode(Environment.randomBytes(24))
            try Files.replace(path, with: Array((token + "\n").utf8))
        }
        let token = String(decoding: try Files.read(path).filter { $0 > 0x20 }, as: UTF8.self)
        try store.seedOwner(token: token)
        return path
    }
}
