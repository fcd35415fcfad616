internal import Glibc
internal import Platform

extension MailServer {
    /// Runs the server as a program until a signal, or its parent's end, ends it; answers the exit code.
    package static func run(arguments: [String]) -> Int32 {
        do {
            let options = try ServerOptions(arguments: arguments)
            return try serve(options)
        } catch {
            Files.writeAll(2, Array("herald-server: \(error.message)\n".utf8))
            return error.exitCode
        }
    }

    private static func serve(_ options: ServerOptions) throws(ServerError) -> Int32 {
        let parent = getppid()
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, signal) }
        // Blocked before any thread starts, so that only the wait below takes them.
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
        defer { if let directory = options.removedOnExit { Files.removeTree(directory) } }
        let server = try start(options)
        defer { server.stop() }
        try announce(server, options)
        while true {
            var wait = timespec(tv_sec: options.endsWithParent ? 0 : 3_600, tv_nsec: 200_000_000)
            if sigtimedwait(&signals, nil, &wait) > 0 { return 0 }
            if options.endsWithParent, getppid() != parent { return 0 }
        }
    }

    private static func announce(_ server: RunningServer, _ options: ServerOptions) throws(ServerError) {
        for report in server.imports { Files.writeAll(2, Array("\(report.sentence)\n".utf8)) }
        for (file, port) in [(options.controlFile, server.controlPort), (options.portFile, server.port)] {
            guard let file else { continue }
            do {
                try Files.replace(file, with: Array("\(port)\n".utf8))
            } catch {
                throw .cannotCreate(path: file, reason: error.message)
            }
        }
        var lines = server.origin + "\n"
        if let file = server.tokenFile { lines += "token file: \(file)\n" }
        Files.writeAll(1, Array(lines.utf8))
    }
}
