/// The verbs for tests that concern event streams.
enum EventControl {
    /// The answer to `/streams`, which counts the open ones, `/drop-streams`, which ends them, or `/revoke`, which
    /// takes a token's access away; else `nil`.
    ///
    /// - Throws: `SQLiteError`.
    static func answer(_ request: ServerRequest, _ service: Service) throws -> ServerAnswer? {
        let count = service.events?.count ?? 0
        switch request.path {
        case "/streams": break
        case "/drop-streams": service.events?.dropAll()
        case "/revoke":
            try service.withStore { try $0.run("DELETE FROM tokens WHERE token = ?", request.parameter("token")) }
        default: return nil
        }
        var text = JSONText()
        text.raw("{\"ok\":true,\"count\":\(count)}")
        return .json(text)
    }
}
