internal import Glibc
internal import JSON
internal import LocalServer
internal import MailTestSupport
internal import Platform

/// Mail made to steer a terminal, in every field that a person sees.
enum HostileMail {
    /// What terminals take for orders.
    static let sequences = [
        "\u{1B}[2J\u{1B}[H", "\u{1B}]0;owned\u{7}", "\u{1B}]2;owned\u{1B}\\", "\u{1B}]52;c;b3duZWQ=\u{7}",
        "\u{1B}]8;;http://owned.example\u{1B}\\", "\u{1B}P+q544e\u{1B}\\", "\u{1B}_Gowned\u{1B}\\", "\u{1B}c",
        "\u{1B}[?1003h",
        "\u{1B}[21t", "\u{1B}[6n", "\u{1B}[c", "\u{1B}(0lqk\u{1B}(B", "\u{9B}2J", "\u{9D}0;owned\u{9C}",
        "\u{90}owned\u{9C}",
        "\u{7}\u{8}\u{B}\u{C}\u{E}\u{F}\u{7F}", "\u{202E}fdp.exe\u{2066}\u{2067}\u{61C}\u{200F}",
        "\u{E000}\u{FFFE}\u{E0041}\u{FEFF}\u{200B}\u{AD}",
        "\r\n\u{85}\u{2028}\u{2029}next", "\u{1B}\u{1B}[31m\u{1B}", "\u{1B}[200~Q\u{1B}[201~",
    ]

    /// Writes a mail for each sequence into a directory.
    static func write(to scratch: Scratch) throws {
        for (number, sequence) in sequences.enumerated() {
            try scratch.write("m\(number).eml", mail(sequence, number))
        }
    }

    private static func encoded(_ text: String) -> String {
        "=?utf-8?q?"
            + text.utf8.map { "=" + (String($0, radix: 16).count < 2 ? "0" : "") + String($0, radix: 16).uppercased() }
            .joined() + "?="
    }

    private static func references(_ text: String) -> String { text.unicodeScalars.map { "&#\($0.value);" }.joined() }

    private static func mail(_ sequence: String, _ number: Int) -> String {
        let word = encoded("s" + sequence + "e")
        let raw = String(sequence.unicodeScalars.filter { $0 != "\r" && $0 != "\n" && $0.value < 0x80 })
        return """
            From: \(encoded("n" + sequence)) <from\(number)@client.example>
            To: \(encoded("t" + sequence)) <info@example.test>
            Cc: \(raw)copy@client.example
            Subject: Hostile \(number) \(word)\(raw)
            Date: Mon, 02 Nov 2026 10:\(number < 10 ? "0" : "")\(number):00 +0000
            Message-ID: <hostile\(number)@client.example>
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary="cut"

            --cut
            Content-Type: multipart/alternative; boundary="either"

            --either
            Content-Type: text/plain; charset=utf-8

            b\(sequence)e
            > q\(sequence)e https://owned.example/\(sequence)x
            -- 
            \(sequence)
            --either
            Content-Type: text/html; charset=utf-8

            <title>\(references(sequence))</title><p>h\(references(sequence))e<a href="http://x.example/\(references(sequence))">link</a>
            <img alt="\(references(sequence))" src="http://x.example/p.png"><pre>\(sequence)</pre>
            --either--
            --cut
            Content-Type: application/octet-stream; name="\(word)"
            Content-Disposition: attachment; filename="\(word)"
            Content-Transfer-Encoding: base64

            JVBERi0xLjQK
            --cut--

            """
    }
}

/// A server with mail of a directory, and a program that has all of it.
struct ImportedMail {
    let server: RunningServer
    var herald: Herald

    init(_ paths: [String], settings: String = "sync.bodies = \"all\"\n") throws {
        var options = ServerOptions()
        options.hasDemoUsers = true
        options.hasEvents = false
        options.imports = paths.map { ServerOptions.Import(path: $0, address: "info@example.test") }
        server = try MailServer.start(options)
        herald = try Herald(origin: server.origin)
        try Files.makeDirectory(herald.home.path + "/h/config")
        try herald.home.write("h/config/config.toml", settings)
    }

    /// Where the shared mail is; `nil` says why not, and the test is skipped.
    static func shared(_ name: String) -> String? {
        let path = (Environment.value("HERALD_SHARED") ?? "../shared") + "/" + name
        if Files.exists(path) { return path }
        print("skipped: \(name) is not there; set HERALD_SHARED to the folder with it")
        return nil
    }

    /// The identifiers of all messages, with their subjects as the program prints them.
    func messages() throws -> [(id: String, subject: String)] {
        try ImportedMail.messages(herald.run("list", "messages", "--all", "--json").output, in: "items")
    }

    static func messages(_ bytes: [UInt8], in member: String) throws(JSONError) -> [(id: String, subject: String)] {
        var found: [(id: String, subject: String)] = []
        var reader = JSONReader(bytes)
        try reader.object { reader, name throws(JSONError) in
            guard name == member else { return try reader.skip() }
            try reader.array { reader throws(JSONError) in
                var row = (id: "", subject: "")
                try reader.object { reader, name throws(JSONError) in
                    switch name {
                    case "id": row.id = try reader.string()
                    case "subject": row.subject = try reader.string()
                    default: try reader.skip()
                    }
                }
                found.append(row)
            }
        }
        return found
    }
}
