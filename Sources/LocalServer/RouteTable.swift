/// The routes as the published description lists them.
enum RouteTable {
    /// A path with its methods and the names of its query's parameters.
    struct Entry: Sendable {
        let path: String
        let operations: [Operation]
    }

    struct Operation: Sendable {
        let method: String
        let name: String
        let scope: String
        var query: [String] = []
        /// What the part of the path called `action` can be.
        var actions: [String] = []
    }

    private static let actions = [
        "read", "unread", "star", "unstar", "archive", "unarchive", "trash", "restore",
    ]

    private static func get(_ path: String, _ name: String, _ scope: String = "mail:read", _ query: [String] = [])
        -> Entry
    {
        Entry(path: path, operations: [Operation(method: "get", name: name, scope: scope, query: query)])
    }

    private static func post(_ path: String, _ name: String, _ scope: String) -> Entry {
        Entry(path: path, operations: [Operation(method: "post", name: name, scope: scope)])
    }

    /// The paths of a release; live events are of this server alone.
    static func entries(_ tier: ServerTier, hasEvents: Bool = false) -> [Entry] {
        reading + writing + drafts(tier) + (hasEvents ? [get("/events", "streamEvents")] : [])
    }

    private static let reading = [
        get("/mailboxes", "listMailboxes"),
        get("/messages", "listMessages", "mail:read", ["mailboxId", "folder", "search", "limit", "cursor"]),
        get("/messages/{id}", "getMessage"), get("/messages/{id}/thread", "getThread"),
        get("/messages/{id}/html", "getMessageHtml", "mail:read", ["loadRemoteImages"]),
        get("/messages/{id}/inline/{attachmentId}", "getInlineAttachment"),
        get("/attachments/{id}", "getAttachment"),
        get("/conversations", "listConversations", "mail:read", ["mailboxId", "folder", "search", "cursor"]),
        get("/changes", "listChanges", "mail:read", ["cursor", "limit"]),
    ]

    private static let writing = [
        act("/messages/{id}/{action}", "actOnMessage"),
        post("/messages/{id}/remote-media/trust", "trustSender", "mail:write"),
        act("/conversations/{id}/{action}", "actOnConversation"), post("/send", "sendMessage", "mail:send"),
        post("/reply", "replyToMessage", "mail:send"), post("/forward", "forwardMessage", "mail:send"),
    ]

    private static func act(_ path: String, _ name: String) -> Entry {
        let operation = Operation(method: "post", name: name, scope: "mail:write", actions: actions)
        return Entry(path: path, operations: [operation])
    }

    private static func drafts(_ tier: ServerTier) -> [Entry] {
        func operation(_ method: String, _ name: String, _ query: [String] = []) -> Operation {
            Operation(method: method, name: name, scope: "mail:send", query: query)
        }
        let paging = tier == .main ? ["limit", "cursor"] : []
        let feed = tier == .main ? [get("/drafts/changes", "listDraftChanges", "mail:send", ["cursor", "limit"])] : []
        return [
            Entry(
                path: "/drafts", operations: [operation("get", "listDrafts", paging), operation("post", "createDraft")])
        ] + feed + [
            Entry(
                path: "/drafts/{id}",
                operations: [
                    operation("get", "getDraft"), operation("patch", "saveDraft"), operation("delete", "deleteDraft"),
                ]),
            post("/drafts/{id}/attachments", "attachToDraft", "mail:send"),
            Entry(
                path: "/drafts/{draftId}/attachments/{id}",
                operations: [operation("delete", "removeDraftAttachment")]),
        ]
    }

    /// The description of the paths as JSON.
    static func write(_ entries: [Entry], to text: inout JSONText) {
        text.raw("{")
        for (index, entry) in entries.enumerated() {
            if index > 0 { text.raw(",") }
            text.string("/api/v1" + entry.path)
            text.raw(":{")
            for (place, operation) in entry.operations.enumerated() {
                if place > 0 { text.raw(",") }
                write(operation, of: entry.path, to: &text)
            }
            text.raw("}")
        }
        text.raw("}")
    }

    private static func write(_ operation: Operation, of path: String, to text: inout JSONText) {
        text.string(operation.method)
        text.member(":{\"operationId\":", operation.name)
        text.raw(",\"security\":[{\"oauth\":[")
        text.string(operation.scope)
        text.raw("]}],\"parameters\":[")
        let names = path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
        var lead = ""
        for name in names {
            text.member(lead + "{\"in\":\"path\",\"required\":true,\"name\":", name)
            text.raw(",\"schema\":{\"type\":\"string\"")
            if name == "action" {
                text.raw(",\"enum\":")
                text.strings(operation.actions)
            }
            text.raw("}}")
            lead = ","
        }
        for name in operation.query {
            text.member(lead + "{\"in\":\"query\",\"name\":", name)
            text.raw(",\"schema\":{\"type\":\"\(name == "limit" ? "integer" : "string")\"}}")
            lead = ","
        }
        text.raw("],\"responses\":{\"default\":{\"description\":\"See the contract.\"}}}")
    }
}
