internal import Glibc
internal import JSON
internal import MailModel
internal import MailText
internal import Platform

/// Laying out the HTML mail of a payload file, beside the programs that pagers are fed with.
struct RenderBench {
    /// What was measured, over the same mails.
    struct Found {
        var count = 0
        var ours = Samples()
        /// Of all mails of the file, not only those that the peers were given.
        var slowest = 0.0
        var peers: [(name: String, total: Double, starts: Double)] = []
        var total: Double { ours.values.reduce(0, +) }
    }

    static let files = ["modern-html", "spamassassin"]
    /// The peers are started once a mail; of a longer file only so many mails are taken.
    private static let mailsMax = 400
    private static let columns = 80
    private static let runs = 3

    let directory: String

    /// The folder with payloads; `nil` when it is not there.
    static var payloads: String? {
        let shared = Environment.value("HERALD_SHARED") ?? "../shared"
        return Files.names(in: shared + "/payloads").isEmpty ? nil : shared + "/payloads"
    }

    func run(_ file: String, in payloads: String) throws -> Found {
        let lines = try RenderBench.contents(of: "\(payloads)/\(file).jsonl").split(separator: 0x0A)
        let mails = try lines.compactMap { try RenderBench.html(Array($0)) }
        let step = max(1, mails.count / RenderBench.mailsMax)
        let taken = mails.enumerated().filter { $0.offset % step == 0 }.map(\.element)
        var found = Found(count: taken.count)
        for (index, mail) in mails.enumerated() {
            let samples = RenderBench.time(mail)
            if index % step == 0 { found.ours.add(.microseconds(Int64(samples.median * 1_000))) }
            // What the machine does meanwhile is no part of the work.
            found.slowest = max(found.slowest, samples.values.min() ?? 0)
        }
        let paths = try write(taken)
        defer { for path in paths { unlink(path) } }
        for peer in RenderBench.peers {
            let (total, starts) = try time(peer.arguments, paths)
            found.peers.append((peer.name, total, starts))
        }
        return found
    }

    private static func time(_ mail: MessageHTML) -> Samples {
        let clock = ContinuousClock()
        var samples = Samples()
        for _ in 0..<runs {
            samples.add(clock.measure { _ = renderHTML(mail, columns: columns, showQuotes: true) })
        }
        return samples
    }

    private static let peers: [(name: String, arguments: [String])] = [
        ("w3m", ["/usr/bin/w3m", "-dump", "-cols", "80", "-I", "UTF-8", "-O", "UTF-8", "-T", "text/html"]),
        ("lynx", ["/usr/bin/lynx", "-dump", "-width=80", "-force_html", "-display_charset=utf-8", "-nolist"]),
    ]
    private static let environment = ["PATH=/usr/bin:/bin", "LANG=C.UTF-8", "HOME=/nonexistent", "TERM=dumb"]

    private func write(_ mails: [MessageHTML]) throws -> [String] {
        try Files.makeDirectory(directory)
        return try mails.enumerated().map { index, mail in
            let path = "\(directory)/\(index).html"
            let head = "<meta http-equiv=content-type content='text/html; charset=utf-8'>"
            let source = head + mail.html + (mail.quotedHTML ?? "") + (mail.afterQuotedHTML ?? "")
            try Files.replace(path, with: Array(source.utf8), isSynced: false)
            return path
        }
    }

    /// How long a peer takes for the files one by one, and how much of that are its starts.
    ///
    /// A document of one word goes before each, so that what else the machine does falls on both alike.
    private func time(_ arguments: [String], _ paths: [String]) throws -> (total: Double, starts: Double) {
        let word = directory + "/start.html"
        try Files.replace(word, with: Array("<p>x".utf8), isSynced: false)
        defer { unlink(word) }
        var (total, starts) = (Samples(), Samples())
        for path in paths {
            starts.add(try time(arguments + [word]))
            total.add(try time(arguments + [path]))
        }
        return (total.values.reduce(0, +), starts.values.reduce(0, +))
    }

    private func time(_ command: [String]) throws -> Duration {
        let clock = ContinuousClock()
        let start = clock.now
        let process = try ChildProcess(command, environment: RenderBench.environment)
        guard process.wait() == 0 else { throw BenchError("\(command[0]) failed") }
        return clock.now - start
    }

    private static func html(_ line: [UInt8]) throws(JSONError) -> MessageHTML? {
        var reader = JSONReader(line)
        var found: MessageHTML?
        try reader.object { (reader, name) throws(JSONError) in
            guard name == "html" else { return try reader.skip() }
            if try reader.takeNull() { return }
            var html = MessageHTML(
                html: "", quotedHTML: nil, afterQuotedHTML: nil, hasRemoteImages: false, remoteMediaTrusted: false)
            try reader.object { (reader, name) throws(JSONError) in
                switch name {
                case "html": html.html = try reader.string()
                case "quotedHtml": html.quotedHTML = try reader.optionalString()
                case "afterQuotedHtml": html.afterQuotedHTML = try reader.optionalString()
                default: try reader.skip()
                }
            }
            found = html
        }
        return found
    }

    private static func contents(of path: String) throws -> [UInt8] {
        guard let stream = fopen(path, "r") else { throw BenchError("\(path) cannot be read") }
        defer { fclose(stream) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = fread(&buffer, 1, buffer.count, stream)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }
}
