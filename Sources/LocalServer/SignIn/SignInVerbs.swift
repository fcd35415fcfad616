internal import SQLite

/// The verbs for tests about signing in.
enum SignInVerbs {
    /// The answer to a verb; `nil` when it is none of these.
    ///
    /// - Throws: `Refusal`, `SignInRefusal` as a `Refusal`, or `SQLiteError`.
    static func perform(_ request: ServerRequest, _ store: Store) throws -> JSONText? {
        switch request.path {
        case "/lifetime": try lifetime(request, store)
        case "/approve", "/deny": try decide(request, store)
        case "/end-session":
            try store.run(
                "DELETE FROM sessions WHERE userId = ?", "usr_local_" + ControlRouter.required(request, "user"))
        case "/expire":
            // Ends what a program holds now, as time would.
            let table = try ControlRouter.required(request, "what") == "refresh" ? "refreshTokens" : "accessTokens"
            try store.run("UPDATE \(table) SET expiresAt = 0")
        default: return nil
        }
        return ControlRouter.ok([])
    }

    /// Sets how many seconds things live that are made from now on.
    private static func lifetime(_ request: ServerRequest, _ store: Store) throws(Refusal) {
        let places: [(String, WritableKeyPath<SignInLifetimes, Int64>)] = [
            ("access", \.access), ("refresh", \.refresh), ("grace", \.grace), ("device", \.device), ("code", \.code),
            ("session", \.session), ("interval", \.interval),
        ]
        for (name, place) in places {
            guard let text = request.parameter(name) else { continue }
            guard let seconds = Int64(text), (0...10_000_000).contains(seconds) else {
                throw .validation("\(name) is no number of seconds.")
            }
            store.lifetimes[keyPath: place] = seconds
        }
    }

    /// Approves or denies the newest waiting code, or the one named, in a session of its own.
    private static func decide(_ request: ServerRequest, _ store: Store) throws {
        let user = "usr_local_" + (request.parameter("user") ?? "owner")
        let newest = "SELECT userCode FROM deviceCodes WHERE status = 'pending' ORDER BY expiresAt DESC LIMIT 1"
        guard let code = try request.parameter("code") ?? store.text(newest) else {
            throw Refusal.validation("No code is waiting.")
        }
        do {
            _ = try store.deviceDetails(code, viewer: user)
            try store.decideDevice(
                code, approve: request.path == "/approve", session: store.openSession(user), user: user)
        } catch let refusal as SignInRefusal {
            throw Refusal.validation(refusal.description)
        }
    }
}
