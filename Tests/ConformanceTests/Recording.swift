internal import MailTestSupport
internal import Platform

/// One exchange with the real server.
struct RecordedExchange: Sendable {
    let name: String
    let method: String
    let path: String
    let requestHeaders: [String: String]
    let requestBody: JSONTree
    let status: Int
    let headers: [(name: String, value: String)]
    let body: JSONTree

    init(_ tree: JSONTree) {
        func pairs(_ tree: JSONTree?) -> [String: String] {
            guard case .object(let members)? = tree else { return [:] }
            return members.compactMapValues(\.text)
        }
        name = tree["name"]?.text ?? ""
        method = tree["method"]?.text ?? "GET"
        path = tree["path"]?.text ?? ""
        requestHeaders = pairs(tree["request"]?["headers"])
        requestBody = tree["request"]?["body"] ?? .null
        status = tree["status"]?.int ?? 0
        headers = (tree["response"]?["headers"]?.items ?? []).map { pair in
            (name: pair.texts.first ?? "", value: pair.texts.last ?? "")
        }
        body = tree["response"]?["body"] ?? .null
    }

    /// The path without its query.
    var bare: String { String(path.prefix { $0 != "?" }) }

    /// The value of a response header.
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// The recordings, which lie outside the project.
struct Recordings: Sendable {
    /// The files in the order in which they were recorded, each with its number.
    let files: [(number: String, name: String, exchanges: [RecordedExchange])]

    /// The origin that the real server had.
    static let origin = "http://127.0.0.1:8798"

    /// The recordings, read once; `nil` when the folder is absent.
    static let shared = Recordings()

    /// The exchanges of a file.
    func exchanges(_ number: String) -> [RecordedExchange] {
        files.first { $0.number == number }?.exchanges ?? []
    }

    private init?() {
        guard let index = SharedFolder.read("recordings/index.json").flatMap({ JSONTree($0) }) else { return nil }
        files = index.items.compactMap { entry in
            guard let name = entry["file"]?.text, let tree = Recordings.tree(name) else { return nil }
            return (String(name.prefix(2)), name, tree.items.map(RecordedExchange.init))
        }
    }

    private static func tree(_ name: String) -> JSONTree? {
        (try? Files.read(SharedFolder.path + "/recordings/" + name)).flatMap { JSONTree($0) }
    }
}
