internal import Platform

/// The documents that need no sign-in.
enum OpenAPI {
    private static let paths = [
        "/api/v1/mailboxes", "/api/v1/messages", "/api/v1/messages/{id}", "/api/v1/messages/{id}/thread",
        "/api/v1/messages/{id}/html", "/api/v1/messages/{id}/inline/{attachmentId}", "/api/v1/attachments/{id}",
        "/api/v1/conversations", "/api/v1/changes", "/api/v1/drafts", "/api/v1/drafts/changes",
        "/api/v1/drafts/{id}",
    ]

    /// The list of routes as OpenAPI 3.1; it carries its own headers.
    static func answer(_ request: ServerRequest, hasEvents: Bool) -> ServerAnswer {
        var text = JSONText()
        text.raw(
            "{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"HQBase Mail API\",\"version\":\"1.0.0\"},\"servers\":[{\"url\":"
        )
        text.string(request.origin)
        text.raw("}],\"paths\":{")
        for (index, path) in (paths + (hasEvents ? [EventRoute.path] : [])).enumerated() {
            if index > 0 { text.raw(",") }
            text.string(path)
            text.raw(":{\"get\":{\"responses\":{\"200\":{\"description\":\"OK\"}}}}")
        }
        text.raw("}}")
        var answer = ServerAnswer.json(text)
        answer.contentType = "application/json; charset=utf-8"
        answer.headers = [
            QueryItem(name: "cache-control", value: "public, max-age=300"),
            QueryItem(name: "access-control-allow-origin", value: "*"),
        ]
        return answer
    }

    /// That the server is alive.
    static func health() -> ServerAnswer {
        var text = JSONText()
        text.raw("{\"ok\":true,\"service\":\"hqbase\",\"version\":\"1.2.0\",\"time\":")
        text.string(TimeText.text(Environment.millisecondsSinceEpoch))
        text.raw("}")
        return .json(text)
    }
}
