@testable internal import LocalServer
internal import MailTestSupport

/// What an intervention works with.
struct ReplayContext {
    let store: Store
    var seed: WorldSeed
    /// The port of the API.
    let port: Int
    /// The port of the server's verbs for tests.
    let controlPort: Int
    /// The file's place among the files.
    let place: Int

    /// Sends a verb to the server.
    func control(_ target: String) throws {
        _ = try WireClient(port: controlPort).send("POST", target, body: [])
    }
}

/// What the recorder did to the real server beside the recorded requests.
struct Intervention: Sendable {
    let file: String
    /// The exchange before which it happens.
    let exchange: Int
    let act: @Sendable (inout ReplayContext) throws -> Void

    init(_ file: String, _ exchange: Int, _ act: @escaping @Sendable (inout ReplayContext) throws -> Void) {
        self.file = file
        self.exchange = exchange
        self.act = act
    }

    /// All of them.
    static let all: [Intervention] = readSide + writeSide + signIn

    /// Messages that came in the middle of a file.
    static let arrivals = [
        Arrival(file: "04", exchange: 5, subject: "Same second"),
        Arrival(file: "06", exchange: 28, subject: "Plain text", mailbox: "mbx_local_billing"),
        Arrival(file: "12", exchange: 3, subject: "Change one"),
        Arrival(file: "12", exchange: 5, subject: "Change two"),
        Arrival(file: "12", exchange: 31, subject: "New catch-all 2"),
        Arrival(file: "12", exchange: 36, subject: "Bulk "),
        Arrival(file: "24", exchange: 1, subject: "Order "),
    ]
}

/// Messages that came in the middle of a file: the exchange before which they did, and what they are known by.
struct Arrival: Sendable {
    let file: String
    let exchange: Int
    /// How the subject begins.
    let subject: String
    var mailbox: String?

    /// Whether a message is one of them.
    func includes(_ message: JSONTree) -> Bool {
        guard message["subject"]?.text?.hasPrefix(subject) == true else { return false }
        return mailbox == nil || message["mailboxId"]?.text == mailbox
    }
}
