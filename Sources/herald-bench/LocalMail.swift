internal import Glibc
internal import HTTP
internal import HTTPTransport
internal import Platform

/// A local server with made-up mail, and the plain fetches that a bootstrap is compared with.
struct LocalMail {
    static let token = "hqb_access_owner"

    let origin: String
    let directory: String
    private let process: ChildProcess

    /// Starts `program` on `count` made-up messages and waits until it listens.
    init(program: String, count: Int, mail: MadeMail, directory: String) throws {
        var bytes: [UInt8] = []
        for number in 0..<count { bytes.append(contentsOf: mail.payload(number).utf8) }
        try self.init(program: program, importing: bytes, as: "mail.jsonl", directory: directory)
    }

    /// Starts `program` on the mail of a file and waits until it listens.
    init(program: String, importing bytes: [UInt8], as name: String, directory: String) throws {
        self.directory = directory
        Files.removeTree(directory)
        try Files.makeDirectory(directory)
        let file = directory + "/" + name
        try Files.replace(file, with: bytes)
        let portFile = directory + "/port"
        process = try ChildProcess(
            [
                program, "--port", "0", "--port-file", portFile, "--state", directory + "/server", "--demo-users",
                "--import", file, "--to", "info@example.test", "--exit-with-parent",
            ], environment: ["PATH=/usr/bin:/bin"])
        var port: Int?
        for _ in 0..<12_000 where port == nil {
            usleep(10_000)
            if let bytes = try? Files.read(portFile) {
                port = Int(String(decoding: bytes, as: UTF8.self).filter(\.isNumber))
            }
        }
        guard let port else {
            process.end()
            throw BenchError("the server did not start")
        }
        origin = "http://127.0.0.1:\(port)"
    }

    func end() { process.end() }

    /// The addresses of every page of a folder, in order.
    func chain(_ folder: String, _ client: CurlClient) async throws -> [String] {
        var urls: [String] = []
        var next: String? = "\(origin)/api/v1/messages?folder=\(folder)&limit=100"
        while let url = next, urls.count < 10_000 {
            urls.append(url)
            let headers = [HTTPHeader("Authorization", "Bearer \(LocalMail.token)")]
            let response = try await client.send(HTTPRequest(url: url, headers: headers))
            guard response.isSuccess else { throw BenchError("the server answered \(response.status)") }
            next = response.nextLink.map { $0.hasPrefix("/") ? origin + $0 : $0 }
        }
        return urls
    }

    /// `curl` fetching chains side by side, one process a chain, nothing kept; answers the time it took.
    func curl(_ chains: [[String]], method: String = "GET") throws -> Duration {
        var files: [String] = []
        for (index, urls) in chains.enumerated() {
            var text = "silent\nfail\nrequest = \"\(method)\"\nheader = \"Authorization: Bearer \(LocalMail.token)\"\n"
            for url in urls { text += "url = \"\(url)\"\noutput = \"/dev/null\"\n" }
            let path = "\(directory)/chain\(index)"
            try Files.replace(path, with: Array(text.utf8))
            files.append(path)
        }
        let started = ContinuousClock.now
        let children = try files.map {
            try ChildProcess(["/usr/bin/curl", "-K", $0], environment: ["PATH=/usr/bin:/bin"])
        }
        for child in children where child.wait() != 0 { throw BenchError("curl failed") }
        return ContinuousClock.now - started
    }
}
