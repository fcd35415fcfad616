internal import LocalServer
internal import MailTestSupport

/// A server with a little imported mail, and the program pointed at it.
struct Setting {
    let server: RunningServer
    var herald: Herald
    private let mail: Scratch

    static let subject = "Plans for the harbour"
    static let body = "The boats leave at nine sharp."

    init(hasEvents: Bool = true, body: String = Setting.body) throws {
        mail = try Scratch()
        try mail.write("small.mbox", Setting.mbox(body))
        var options = ServerOptions()
        options.hasDemoUsers = true
        options.hasEvents = hasEvents
        options.imports = [ServerOptions.Import(path: mail.path, address: "info@example.test")]
        server = try MailServer.start(options)
        herald = try Herald(origin: server.origin)
    }

    func control(_ verb: String, body: String = "") throws {
        _ = try ask(server.controlPort, verb, method: "POST", body: body)
    }

    private static func mbox(_ newest: String) -> String {
        let messages = [
            (1, "First light", "Good morning.", ""),
            (2, "Re: First light", "Good morning to you.", "In-Reply-To: <m1@client.example>\n"),
            (3, "An invoice", "Please find it attached.", ""),
            (4, subject, newest, ""),
        ]
        return messages.map { number, subject, body, extra in
            let isPlain = number != 3
            let type = isPlain ? "text/plain; charset=utf-8" : "multipart/mixed; boundary=\"cut\""
            let attached = """
                --cut\nContent-Type: text/plain\n\n\(body)\n--cut\nContent-Type: application/pdf; name="a.pdf"
                Content-Disposition: attachment; filename="a.pdf"\nContent-Transfer-Encoding: base64\n
                JVBERi0xLjQK\n--cut--
                """
            return """
                From ann@client.example Mon Nov  2 10:0\(number):00 2026
                From: Ann Berg <ann@client.example>
                To: info@example.test
                Subject: \(subject)
                Date: Mon, 02 Nov 2026 10:0\(number):00 +0000
                Message-ID: <m\(number)@client.example>
                \(extra)MIME-Version: 1.0
                Content-Type: \(type)

                \(isPlain ? body : attached)


                """
        }.joined()
    }
}
