internal import SQLite

/// People with their passwords, and how often they may try.
extension Store {
    /// The password of every demo user.
    static let demoPassword = "correct-horse-battery"

    /// Lets a user sign in with a password.
    ///
    /// - Throws: `SQLiteError`.
    func seedLogin(_ user: String, email: String, name: String, password: String) throws(SQLiteError) {
        try run("INSERT OR IGNORE INTO logins VALUES(?, ?, ?, ?)", email, user, name, password)
    }

    /// The user of an e-mail and a password; `nil` when they do not fit.
    func user(email: String, password: String) throws(SQLiteError) -> String? {
        try text(
            """
            SELECT userId FROM logins l WHERE email = ? AND password = ?
                AND NOT EXISTS (SELECT 1 FROM suspensions s WHERE s.userId = l.userId)
            """, email.lowercased(), password)
    }

    /// Opens a browser's session (contract §2.9).
    func signIn(_ request: ServerRequest) throws -> ServerAnswer {
        let form = try FormFields(request)
        let email = form["email"]?.lowercased() ?? ""
        try count("sign-in " + email, max: 10, request)
        try count("sign-in", max: 60, request)
        guard let user = try user(email: email, password: form["password"] ?? "") else {
            return .libraryRefusal(401, "INVALID_EMAIL_OR_PASSWORD", "Invalid email or password")
        }
        let token = try openSession(user)
        let name = try text("SELECT name FROM logins WHERE email = ?", email) ?? ""
        let role = try text("SELECT role FROM users WHERE id = ?", user) ?? ""
        var json = JSONText()
        json.member("{\"redirect\":false,\"token\":", token)
        json.member(",\"user\":{\"name\":", name)
        json.member(",\"email\":", email)
        json.raw(",\"emailVerified\":true,\"image\":null")
        json.raw(",\"createdAt\":\"2026-07-03T12:00:00.000Z\",\"updatedAt\":\"2026-10-31T12:00:00.000Z\"")
        json.member(",\"role\":", role)
        json.raw(",\"banned\":false,\"banReason\":null,\"banExpires\":null")
        json.member(",\"id\":", user)
        json.raw("}}")
        var answer = ServerAnswer.json(json)
        // The real server signs the token after the dot; nothing here depends on that.
        let cookie =
            "\(SignInNames.cookie)=\(token).local; Max-Age=\(lifetimes.session); Path=/; HttpOnly; SameSite=Lax"
        answer.headers.append(QueryItem(name: "set-cookie", value: cookie))
        return answer
    }

    /// Counts a try in its window of a quarter of an hour (contract §1.5).
    ///
    /// - Throws: `Refusal` for one too many.
    func count(_ what: String, max: Int, _ request: ServerRequest) throws(Refusal) {
        let window = instant / 900_000
        if tries.window != window { tries = SignInTries(window: window) }
        tries.counts[what, default: 0] += 1
        guard tries.counts[what, default: 0] > max else { return }
        throw Refusal(status: 429, code: "RATE_LIMITED", message: "Too many requests. Try again later.")
    }
}

/// The tries of the present window, by what was tried.
struct SignInTries: Sendable {
    var window: Int64 = 0
    var counts: [String: Int] = [:]
}
