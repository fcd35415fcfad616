internal import MailModel
internal import MailStorage
internal import Platform

/// A cache of made-up mail on the disk, made once and kept for later runs.
struct SeededCache {
    static let origin = "http://127.0.0.1:1"
    static let token = "bench"

    let count: Int
    let mail: MadeMail
    /// What `HERALD_HOME` is to be.
    let home: String

    var path: String { SeededCache.path(home, SeededCache.origin) }
    var owner: String { SeededCache.owner(SeededCache.origin, SeededCache.token) }
    private var mark: String { home + "/seeded" }

    init(count: Int, mail: MadeMail, directory: String) {
        self.init(count: count, mail: mail, home: "\(directory)/\(count)")
    }

    init(count: Int, mail: MadeMail, home: String) {
        self.count = count
        self.mail = mail
        self.home = home
    }

    /// Where the program keeps the cache of an origin on the loopback.
    static func path(_ home: String, _ origin: String) -> String {
        let port = origin.split(separator: ":").last ?? ""
        return "\(home)/cache/127.0.0.1-\(port)/cache.sqlite"
    }

    /// The cache's owner as the program names it: the origin and an FNV-1a mark of the token.
    static func owner(_ origin: String, _ token: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in token.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return "\(origin) \(String(hash, radix: 16))"
    }

    /// Makes the cache unless it is there, whole, from this seed and readable by this program.
    func prepare() async throws {
        if let bytes = try? Files.read(mark), String(decoding: bytes, as: UTF8.self) == "\(mail.seed)",
            try MailReader(path: path, owner: owner) != nil
        {
            return
        }
        Files.removeTree(home)
        Report.note("Making a cache of \(count) messages; it is kept for later runs.")
        try Files.makeDirectory(home + "/cache/127.0.0.1-1")
        let store = try MailStore(path: path, owner: owner)
        _ = try await store.replaceMailboxes(MadeMail.mailboxes)
        try await store.beginBootstrap(cursor: "bench")
        try await fill(store)
        _ = try await store.finishBootstrap()
        await store.tidy()
        try Files.replace(mark, with: Array("\(mail.seed)".utf8))
    }

    private func fill(_ store: MailStore) async throws {
        for start in stride(from: 0, to: count, by: 5_000) {
            let messages = (start..<min(start + 5_000, count)).map(mail.message)
            let page = ListingPage(listing: .folder(.inbox), messages: messages, next: "\(start)")
            _ = try await store.commitPages([page])
        }
        let ends = Folder.stored.map { ListingPage(listing: .folder($0), messages: [], next: nil) }
        _ = try await store.commitPages(ends)
    }
}
