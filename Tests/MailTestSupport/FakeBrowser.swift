/// A person with a browser: opens a page of the local server, decides there, and goes where it sends them.
package struct FakeBrowser: Sendable {
    /// Why the browser got nowhere.
    package enum Lost: Error {
        case badAddress(String)
        case noRedirect(Int)
    }

    private let email: String
    private let password: String

    /// The browser of a demo user.
    package init(email: String = "owner@hqbase.test", password: String = "correct-horse-battery") {
        self.email = email
        self.password = password
    }

    /// Where the server sends the browser once the person has decided.
    package func decide(_ address: String, approve: Bool = true) throws -> String {
        let (port, target) = try parts(address)
        let server = WireClient(port: port)
        let first = try server.send("GET", target)
        guard let page = first.headers["location"], let query = page.split(separator: "?", maxSplits: 1).last else {
            throw Lost.noRedirect(first.status)
        }
        let form = [
            ("oauth_query", String(query)), ("email", email), ("password", password),
            ("decision", approve ? "approve" : "deny"),
        ]
        let body = form.map { "\($0.0)=\(FakeBrowser.encoded($0.1))" }.joined(separator: "&")
        let decided = try server.send(
            "POST", "/oauth/consent", headers: [("Content-Type", "application/x-www-form-urlencoded")],
            body: Array(body.utf8))
        guard let back = decided.headers["location"] else { throw Lost.noRedirect(decided.status) }
        return back
    }

    /// Opens an address; answers the status and the page.
    package func open(_ address: String) throws -> WireAnswer {
        let (port, target) = try parts(address)
        return try WireClient(port: port).send("GET", target)
    }

    private func parts(_ address: String) throws -> (port: Int, target: String) {
        let start = "http://127.0.0.1:"
        guard address.hasPrefix(start) else { throw Lost.badAddress(address) }
        let rest = address.dropFirst(start.count)
        guard let port = Int(rest.prefix { $0.isNumber }) else { throw Lost.badAddress(address) }
        let target = rest.drop { $0.isNumber }
        return (port, target.isEmpty ? "/" : String(target))
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            if isPlain { return String(UnicodeScalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}
