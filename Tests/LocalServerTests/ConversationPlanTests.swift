internal import MailTestSupport
internal import Platform
internal import SQLite
internal import Testing

@testable internal import LocalServer

/// The two ways of finding a page of conversations must give the same pages.
struct ConversationPlanTests {
    private static let filters = [
        "", "folder=inbox", "folder=trash", "folder=archived", "folder=starred", "folder=catchall",
        "mailboxId=mbx_local_info", "folder=inbox&mailboxId=mbx_local_support", "search=invoice",
    ]

    private func withStore(_ body: (Store) throws -> Void) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let store = try Store(scratch.path + "/plan.sqlite")
        store.origin = "http://h"
        try store.seedUsers()
        try store.seedMailboxes()
        var storm = Storm(seed: 11)
        try store.database.transaction { _ = try storm.run(700, store) }
        try body(store)
    }

    /// All pages of a list, each as the server's bytes.
    private func pages(_ query: String, _ user: String, _ store: Store) throws -> [String] {
        var found: [String] = []
        var cursor = ""
        repeat {
            var request = ServerRequest()
            for item in (query + cursor).split(separator: "&") {
                let parts = item.split(separator: "=", maxSplits: 1).map(String.init)
                request.query.append(QueryItem(name: parts[0], value: parts[1]))
            }
            request.host = "h"
            request.authorization = "Bearer hqb_access_" + user
            let caller = try store.caller(request, needs: .read)
            let body = String(decoding: try store.conversations(request, caller).body, as: UTF8.self)
            found.append(body)
            let next = json(body, "nextCursor") ?? "null"
            cursor = next == "null" ? "" : "&cursor=" + next
        } while !cursor.isEmpty && found.count < 100
        return found
    }

    @Test(arguments: ["owner", "member", "viewer", "nogrant"])
    func `walking and sorting find the same pages`(_ user: String) throws {
        try withStore { store in
            for filter in ConversationPlanTests.filters {
                store.conversationCounts.sortedMax = 0
                let walked = try pages(filter, user, store)
                store.conversationCounts.sortedMax = .max
                #expect(try pages(filter, user, store) == walked, "\(filter)")
            }
        }
    }

    /// Fails when a remembered count outlives a change of mail, or is given to one who may read less.
    @Test func `the count follows every change and belongs to its reader`() throws {
        try withStore { store in
            func total(_ user: String) throws -> Int {
                Int(json(try pages("folder=inbox", user, store)[0], "totalCount") ?? "") ?? -1
            }
            let owner = try total("owner")
            let viewer = try total("viewer")
            #expect(owner > viewer)

            var mail = Storm(seed: 12)
            _ = try mail.deliver(3, to: "billing@example.test", store)

            #expect(try total("owner") == owner + 3)
            #expect(try total("viewer") == viewer)
            try store.deleteMailbox("billing@example.test")
            #expect(try total("owner") < owner + 3)
        }
    }
}
