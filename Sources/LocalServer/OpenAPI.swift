internal import Platform

/// The description of the API, and the sign of life.
enum OpenAPI {
    /// The list of routes as OpenAPI 3.1.
    static func document(_ request: ServerRequest, _ tier: ServerTier, hasEvents: Bool) -> JSONText {
        var text = JSONText()
        text.raw("{\"openapi\":\"3.1.0\",\"info\":{\"title\":\"HQBase Mail API\",\"version\":\"1.0.0\"},\"servers\":[{")
        text.member("\"url\":", request.origin)
        text.raw(",\"description\":\"This server\"}],\"externalDocs\":{")
        text.member("\"url\":", request.origin + Discovery.skillPath)
        text.raw("},\"paths\":")
        RouteTable.write(RouteTable.entries(tier, hasEvents: hasEvents), to: &text)
        text.raw(
            ",\"components\":{\"securitySchemes\":{\"oauth\":{\"type\":\"oauth2\",\"flows\":{\"authorizationCode\":{")
        let auth = request.origin + "/api/auth"
        text.member("\"authorizationUrl\":", auth + "/oauth2/authorize")
        text.member(",\"tokenUrl\":", auth + "/oauth2/token")
        text.raw(
            ",\"scopes\":{\"mail:read\":\"Read mail\",\"mail:write\":\"Change mail\",\"mail:send\":\"Send mail\"}}}}}}}"
        )
        return text
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
