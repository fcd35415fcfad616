internal import LocalServer
internal import Testing

struct EqualityTests {
    private static let folders = ["inbox", "sent", "starred", "archived", "trash", "catchall"]

    /// The server's list, over all its pages, by the identifiers of the newest messages: the program's is in the order
    /// of the screen, and what decides the server's order is in the rows that are compared.
    private func theirs(_ port: Int, folder: String, mailbox: Box?) throws -> [Row] {
        let base = "/api/v1/conversations?folder=\(folder)" + (mailbox.map { "&mailboxId=\($0.id)" } ?? "")
        var rows: [Row] = []
        var cursor: String?
        repeat {
            let page = try Row.rows(ask(port, base + (cursor.map { "&cursor=\($0)" } ?? "")), in: "conversations")
            rows += page.rows
            cursor = page.next
        } while cursor != nil
        return rows.sorted { $0.id < $1.id }
    }

    private func ours(_ herald: Herald, folder: String, mailbox: Box?) throws -> [Row] {
        let scope = mailbox.map { ["--mailbox", $0.address] } ?? []
        let ended = try herald.run(
            ["list", "conversations", "--folder", folder, "--limit", "100000", "--json"] + scope)
        #expect(ended.code == 0, "\(ended.errors)")
        return try Row.rows(ended.output, in: "items").rows.sorted { $0.id < $1.id }
    }

    /// Compares every list; answers how many rows were compared.
    @discardableResult
    private func compare(_ setting: Setting, _ moment: String) throws -> Int {
        let boxes = try Box.all(ask(setting.server.port, "/api/v1/mailboxes"))
        #expect(boxes.count == 6)
        var count = 0
        for mailbox in [nil] + boxes.map(Optional.some) {
            for folder in EqualityTests.folders {
                let theirs = try theirs(setting.server.port, folder: folder, mailbox: mailbox)
                let ours = try ours(setting.herald, folder: folder, mailbox: mailbox)
                let difference = difference(ours, theirs)
                #expect(
                    difference == nil, "\(moment), \(folder) of \(mailbox?.address ?? "all")")
                count += theirs.count
            }
        }
        return count
    }

    private func sync(_ setting: Setting) throws {
        let ended = try setting.herald.run("--sync-once")
        try #require(ended.code == 0, "\(ended.errors)")
    }

    @Test(arguments: [1, 7, 42])
    func `every list equals the server's before and after a storm`(_ seed: Int) throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try sync(setting)
        #expect(try compare(setting, "at first") > 0)
        try setting.control("/storm?seed=\(seed)&count=2000")
        let stormy = try theirs(setting.server.port, folder: "inbox", mailbox: nil)
        #expect(try ours(setting.herald, folder: "inbox", mailbox: nil) != stormy)
        try sync(setting)
        #expect(try compare(setting, "after the storm") > 500)
        try setting.control("/storm?seed=\(seed + 1)&count=50")
        try sync(setting)
        try compare(setting, "after a breeze")
    }

    @Test func `every list equals the server's after a bootstrap of stormy mail`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try setting.control("/storm?seed=9&count=2000")
        try sync(setting)
        #expect(try compare(setting, "after the bootstrap") > 500)
    }

    @Test func `a message that goes away goes away here too`() throws {
        let setting = try Setting()
        defer { setting.server.stop() }
        try sync(setting)
        let row = try #require(try theirs(setting.server.port, folder: "inbox", mailbox: nil).first)
        try setting.control("/delete?id=\(row.id)")
        try sync(setting)
        #expect(try !ours(setting.herald, folder: "inbox", mailbox: nil).contains { $0.id == row.id })
        try compare(setting, "after the deletion")
    }

    @Test func `what a member may see follows the grants`() throws {
        var setting = try Setting()
        defer { setting.server.stop() }
        setting.herald.token = "hqb_access_member"
        try sync(setting)
        #expect(try ours(setting.herald, folder: "inbox", mailbox: nil).isEmpty)
        try setting.control("/access?user=member&mailbox=info@example.test&level=read")
        try sync(setting)
        #expect(try ours(setting.herald, folder: "inbox", mailbox: nil).count == 3)
        try setting.control("/access?user=member&mailbox=info@example.test&level=none")
        try sync(setting)
        #expect(try ours(setting.herald, folder: "inbox", mailbox: nil).isEmpty)
    }
}
